"""How does a Responses API body, a list or lines of items, or a log of its pairs become entries?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import unknown_name
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import NO_REPLY, Draft, Reply
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, Reading, Verdict, peeked
from windowkeeper_cli.formats.responses.grouping import Placed, entry_of, groups, is_compaction, unfollowed
from windowkeeper_cli.formats.responses.items import KNOWN, MESSAGE, PARTS, ROLES, TYPES, Item, contents, item_of
from windowkeeper_cli.formats.responses.usage import usage_of
from windowkeeper_cli.formats.wire.answer import text_or_none
from windowkeeper_cli.formats.wire.pair import body_of, response_of, sampled_pairs
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, PERSON, SYSTEM, TOOL, USER, Origin

WHAT = "a Responses API body {instructions, input}, its items as a list or lines, or request/response pairs"
_NO_ITEMS = frozenset(("message", "payload", "parts", "tool_calls", "timestamp", "kwargs", "data"))
"""Keys that objects of other formats have beside a type."""


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are a Responses API body or items, and why."""
    pairs = sampled_pairs(values)
    if pairs:
        return _of_pairs(pairs)
    whole = len(values) == 1
    first = values[0] if whole else None
    if isinstance(first, dict) and "input" in first:
        return _of_body(first)
    if isinstance(first, dict) and first.get("object") == "response" and isinstance(first.get("output"), list):
        return Verdict(CERTAIN, "a response with output items")
    items = first if isinstance(first, list) else values
    return _of_items(items)


def _of_pairs(pairs: list[dict[str, Any]]) -> Verdict | None:
    # Most inputs are no such log, and start sooner without it.
    from windowkeeper_cli.formats.wire.responses_api import is_answer

    if any(is_answer(response_of(pair)) for pair in pairs):
        return Verdict(CERTAIN, "request/response pairs with Responses API replies")
    for pair in pairs:
        body = body_of(pair)
        found = _of_body(body) if "input" in body else None
        if found is not None:
            return Verdict(LIKELY, f"request/response pairs, a request is {found.why}")
    return None


def _of_body(body: dict[str, Any]) -> Verdict | None:
    asked = body["input"]
    if isinstance(asked, list):
        found = _of_items(asked)
        if found is not None:
            return Verdict(CERTAIN, f"a body with an input of {found.why}")
        plain = all(isinstance(item, dict) and isinstance(item.get("role"), str) for item in asked)
        return Verdict(CERTAIN, "a body with a list of input items") if plain and asked else None
    if isinstance(asked, str) and body.keys() & {"model", "instructions", "previous_response_id", "prompt"}:
        return Verdict(LIKELY, "a body with an input text")
    return None


def _of_items(values: list[Any]) -> Verdict | None:
    items = [value for value in values if isinstance(value, dict)]
    if not items or len(items) * 2 <= len(values) or any(item.keys() & _NO_ITEMS for item in items):
        return None
    for item in items:
        kind = type_name(item)
        if kind in TYPES:
            return Verdict(CERTAIN, f"{kind} items")
        content = item.get("content")
        for part in content if isinstance(content, list) else ():
            if type_name(part) in PARTS:
                return Verdict(CERTAIN, f"messages with {part['type']} parts")
    told = all(type_name(item) == MESSAGE and str(item.get("role")) in ROLES and "content" in item for item in items)
    return Verdict(LIKELY, "message items") if told else None


def read(reading: Reading) -> Draft:
    """Return the entries of the body, the list, the lines or the pairs."""
    first, reading = peeked(reading)
    if sampled_pairs(first):
        from windowkeeper_cli.formats.wire.reader import read_pairs
        from windowkeeper_cli.formats.wire.responses_api import dialect

        return read_pairs(reading, dialect())
    found = Gathering(reading, KNOWN)
    lines: list[Placed] = []
    for value, origin in reading.records:
        if _is_around(value):
            _take(found, lines, NO_REPLY)
            _take(found, _around(found, value, origin), _reply(value))
            lines = []
        elif isinstance(value, list):
            lines += [one for n, inner in enumerate(value) for one in _placed(found, inner, origin, f"[{n}]")]
        else:
            lines += _placed(found, value, origin, None)
    _take(found, lines, NO_REPLY)
    return found.draft()


def _is_around(value: Any) -> bool:
    """Return whether a value is a body or a response, rather than an item or a list of items."""
    if not isinstance(value, dict) or "type" in value or "role" in value:
        return False
    return "input" in value or isinstance(value.get("output"), list) or "instructions" in value


def _around(found: Gathering, value: dict[str, Any], origin: Origin) -> list[Placed]:
    """Return the items of a body or of a response, its instructions first."""
    placed: list[Placed] = []
    told = value.get("instructions")
    if isinstance(told, str) and told:
        placed.append(Placed(Item(SYSTEM, HARNESS, contents(told), MESSAGE), origin, "instructions"))
    for key in ("instructions", "input", "output"):
        inner = value.get(key)
        if key == "input" and isinstance(inner, str):
            placed.append(Placed(Item(USER, PERSON, contents(inner), MESSAGE), origin, key))
        for n, one in enumerate(inner if isinstance(inner, list) else ()):
            placed += _placed(found, one, origin, f"{key}[{n}]")
    return placed


def _placed(found: Gathering, value: Any, origin: Origin, place: str | None) -> list[Placed]:
    item = item_of(value)
    if item is None:
        found.unknown(unknown_name(value), origin, place)
        return []
    return [Placed(item, origin, place)]


def _take(found: Gathering, placed: list[Placed], reply: Reply) -> None:
    """Take the items; one that stands for all before it is a recorded compaction."""
    told = False
    for group in groups(placed):
        found.findings += unfollowed(group, found.reading)
        entry = entry_of(group, reply)
        if is_compaction(entry) and told:
            found.event("compaction", entry.origins[0], entry.place)
        told = told or entry.role in (ASSISTANT, TOOL)
        found.add([entry])


def _reply(value: dict[str, Any]) -> Reply:
    """Return what a body or a response says of the model; only a response has an id and usage."""
    usage = usage_of(value.get("usage")) if isinstance(value.get("output"), list) else None
    ident = text_or_none(value, "id") if usage is not None else None
    return Reply(ident, text_or_none(value, "model"), usage)
