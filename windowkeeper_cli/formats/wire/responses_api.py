"""What do the pairs of the Responses API hold? What a request continues is not repeated in it."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.responses.grouping import Placed, entry_of, groups, message_of, single
from windowkeeper_cli.formats.responses.items import COMPACTIONS, KNOWN, REFERENCE, item_of, key_of
from windowkeeper_cli.formats.responses.usage import usage_of
from windowkeeper_cli.formats.wire.answer import Answer, Dialect
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.sse import events_in, parsed
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM

_ENDS = ("response.completed", "response.incomplete", "response.failed")
COMPACTED = "response.compaction"
_OBJECTS = ("response", COMPACTED)


def is_answer(response: Any) -> bool:
    """Return whether a response is the Responses API's own: output items, or a stream of its events."""
    response = parsed(response)
    if isinstance(response, dict) and response.get("object") in _OBJECTS:
        return isinstance(response.get("output"), list)
    return any(str(event.get("type")).startswith("response.") for event in events_in(response)[:3])


def dialect() -> Dialect:
    """Return the API's dialect for one log: it remembers what each response held."""
    chains = _Chains()
    return Dialect(chains.entries, chains.answer, chains.reply, chains.continues, KNOWN)


class _Chains:
    """Remembers for each response what stood in the window after it, and for each compaction who made it."""

    def __init__(self) -> None:
        self._count = -1
        self._windows: dict[str, list[Entry]] = {}
        self._numbers: dict[str, int] = {}
        self._compactions: dict[str, int] = {}
        self._items: dict[str, Placed] = {}
        self._said: list[Entry] = []
        self._continued = -1

    def entries(self, pair: Pair) -> list[Entry]:
        """Return the entries of a request: its instructions, what it continues, and its own input."""
        self._count += 1
        # Before this pair's own response is known by its id: a pair may give an id again, or name its own.
        self._continued = self._named_by(pair)
        own = [self._named(placed) for placed in _placed(pair, pair.body.get("input"), "request.input")]
        before = self._windows.get(str(pair.body.get("previous_response_id")), [])
        asked = [*before, *map(entry_of, groups(own))]
        self._remember(pair, asked)
        told = _placed(pair, pair.body.get("instructions"), "request.instructions")
        system = [one._replace(item=one.item._replace(role=SYSTEM, author=HARNESS)) for one in told]
        return [*map(single, system), *asked]

    def _named(self, placed: Placed) -> Placed:
        """Return the item that a reference names, where the log holds it."""
        item = placed.item
        return self._items.get(item.id or "", placed) if item.kind == REFERENCE else placed

    def _remember(self, pair: Pair, asked: list[Entry]) -> None:
        self._said = []
        whole = None if pair.failed else _whole(pair.response)
        if whole is None:
            return
        output = _placed(pair, whole.get("output"), "response.output")
        self._items |= {placed.item.id: placed for placed in output if placed.item.id is not None}
        self._compactions |= dict.fromkeys(_compactions(whole.get("output")), self._count)
        given = [entry_of(group) for group in groups(output)]
        self._said = [entry for entry in given if entry.role == ASSISTANT]
        ident = text_or_none(whole, "id")
        if ident is not None:
            self._windows[ident] = given if whole.get("object") == COMPACTED else [*asked, *given]
            self._numbers[ident] = self._count

    def continues(self, _pair: Pair) -> int:
        """Return the number of the pair that the request just taken says it continues, -1 where it says nothing."""
        return self._continued

    def _named_by(self, pair: Pair) -> int:
        named = self._numbers.get(str(pair.body.get("previous_response_id")), -1)
        if named >= 0:
            return named
        made = [self._compactions.get(key, -1) for key in _compactions(pair.body.get("input"))]
        return max(made, default=-1)

    def answer(self, response: Any) -> Answer | None:
        """Return the reply in a response, None where it holds nothing of the model's."""
        whole = _whole(response)
        if whole is None or whole.get("object") == COMPACTED:
            return None
        output = whole.get("output")
        said = [item for value in output if (item := item_of(value)) is not None] if isinstance(output, list) else []
        if not any(item.role == ASSISTANT for item in said):
            return None
        usage = usage_of(whole.get("usage"), ended=whole.get("status") != "in_progress")
        return Answer(whole, text_or_none(whole, "id"), text_or_none(whole, "model"), usage)

    def reply(self, found: Answer, pair: Pair) -> Entry:
        """Return the entry of a reply; a compaction in it is an item of its own in what follows."""
        if len(self._said) == 1:
            return self._said[0]
        placed = _placed(pair, found.message.get("output"), "response.output")
        return message_of([one for one in placed if one.item.role == ASSISTANT])


def _placed(pair: Pair, value: Any, place: str) -> list[Placed]:
    """Return the items at a place of a pair; a plain text is a user's message."""
    if isinstance(value, str):
        value = [{"role": "user", "content": value}] if value else []
    found = ((item_of(one), n) for n, one in enumerate(value if isinstance(value, list) else ()))
    return [Placed(item, pair.origin, pair.path(f"{place}[{n}]")) for item, n in found if item is not None]


def _compactions(items: Any) -> list[str]:
    """Return what the compactions among items are known by."""
    found = items if isinstance(items, list) else ()
    return [key_of(one) for one in found if isinstance(one, dict) and type_name(one) in COMPACTIONS]


def _whole(response: Any) -> dict[str, Any] | None:
    """Return the response object, of a stream the one that its last event holds or its items as they were done."""
    response = parsed(response)
    streamed = events_in(response) if not (isinstance(response, dict) and "output" in response) else []
    if not streamed:
        return response if isinstance(response, dict) else None
    held = [event["response"] for event in streamed if isinstance(event.get("response"), dict)]
    ended = any(event.get("type") in _ENDS for event in streamed)
    whole = dict(held[-1]) if held else {}
    done = [event["item"] for event in streamed if event.get("type") == "response.output_item.done" and "item" in event]
    if not ended or not whole.get("output"):
        whole["output"] = done
    return whole
