"""What do the pairs of the Responses API hold? What a request continues is not repeated in it."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.responses.grouping import Placed, entry_of, groups, message_of, single
from windowkeeper_cli.formats.responses.items import COMPACTIONS, KNOWN, item_of, key_of
from windowkeeper_cli.formats.responses.usage import usage_of
from windowkeeper_cli.formats.wire.answer import Answer, Dialect, text_or_none
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.sse import events_in, parsed
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM

_ENDS = ("response.completed", "response.incomplete", "response.failed")
_OBJECTS = ("response", "response.compaction")
Held = list[tuple[Any, Pair, str]]
"""Items as they came, each with the pair that brought it and its path there."""


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
        self._asked: Held = []
        self._windows: dict[str, Held] = {}
        self._numbers: dict[str, int] = {}
        self._compactions: dict[str, int] = {}
        self._items: dict[str, tuple[Any, Pair, str]] = {}

    def entries(self, pair: Pair) -> list[Entry]:
        """Return the entries of a request: its instructions, what it continues, and its own input."""
        self._count += 1
        own = _items(pair, pair.body.get("input"), "request.input")
        before = self._windows.get(str(pair.body.get("previous_response_id")), [])
        self._asked = [*before, *(self._named(held) for held in own)]
        self._remember(pair)
        told = _items(pair, pair.body.get("instructions"), "request.instructions")
        system = [one._replace(item=one.item._replace(role=SYSTEM, author=HARNESS)) for one in _placed(told)]
        return [*map(single, system), *map(entry_of, groups(_placed(self._asked)))]

    def _named(self, held: tuple[Any, Pair, str]) -> tuple[Any, Pair, str]:
        """Return the item that a reference names, where the log holds it."""
        value = held[0]
        if isinstance(value, dict) and value.get("type") == "item_reference":
            return self._items.get(str(value.get("id")), held)
        return held

    def _remember(self, pair: Pair) -> None:
        whole = _whole(pair.response)
        output = [] if whole is None or pair.failed else _items(pair, whole.get("output"), "response.output")
        compacted = whole is not None and whole.get("object") == "response.compaction"
        for held in output:
            value = held[0]
            if isinstance(value, dict):
                if type_name(value) in COMPACTIONS:
                    self._compactions[key_of(value)] = self._count
                if isinstance(value.get("id"), str):
                    self._items[value["id"]] = held
        ident = None if whole is None else text_or_none(whole, "id")
        if ident is not None:
            self._windows[ident] = output if compacted else [*self._asked, *output]
            self._numbers[ident] = self._count

    def continues(self, pair: Pair) -> int:
        """Return the number of the pair that a request says it continues, -1 where it says nothing."""
        named = self._numbers.get(str(pair.body.get("previous_response_id")), -1)
        if named >= 0:
            return named
        asked = pair.body.get("input")
        made = [
            self._compactions.get(key_of(value), -1)
            for value in (asked if isinstance(asked, list) else ())
            if isinstance(value, dict) and type_name(value) in COMPACTIONS
        ]
        return max(made, default=-1)

    def answer(self, response: Any) -> Answer | None:
        """Return the reply in a response, None where it holds nothing of the model's."""
        whole = _whole(response)
        if whole is None or whole.get("object") == "response.compaction":
            return None
        output = whole.get("output")
        said = [item for value in output if (item := item_of(value)) is not None] if isinstance(output, list) else []
        if not any(item.role == ASSISTANT for item in said):
            return None
        usage = usage_of(whole.get("usage"), ended=whole.get("status") != "in_progress")
        return Answer(whole, text_or_none(whole, "id"), text_or_none(whole, "model"), usage)

    def reply(self, found: Answer, pair: Pair) -> Entry:
        """Return the entry of a reply; a compaction in it is an item of its own in what follows."""
        placed = _placed(_items(pair, found.message.get("output"), "response.output"))
        return message_of([one for one in placed if one.item.role == ASSISTANT])


def _items(pair: Pair, value: Any, place: str) -> Held:
    """Return the items at a place of a pair; a plain text is a user's message."""
    if isinstance(value, str):
        return [({"role": "user", "content": value}, pair, place)] if value else []
    return [(one, pair, f"{place}[{n}]") for n, one in enumerate(value)] if isinstance(value, list) else []


def _placed(held: Held) -> list[Placed]:
    found = ((item_of(value), pair, place) for value, pair, place in held)
    return [Placed(item, pair.origin, pair.path(place)) for item, pair, place in found if item is not None]


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
