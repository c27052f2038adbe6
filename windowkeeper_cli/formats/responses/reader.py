"""Which entries do the items of a body, of a response, of a list or of lines make?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import unknown_name
from windowkeeper_cli.formats.entry import NO_REPLY, Draft, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.responses.grouping import Placed, entry_of, groups, is_compaction, unfollowed
from windowkeeper_cli.formats.responses.items import KNOWN, MESSAGE, Item, contents, item_of
from windowkeeper_cli.formats.responses.usage import usage_of
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, PERSON, SYSTEM, TOOL, USER, Origin


def read_items(reading: Reading) -> Draft:
    """Return the entries of all items, those of lines side by side as if they were one list."""
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
