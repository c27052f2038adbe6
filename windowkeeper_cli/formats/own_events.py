"""Which recorded removals does a transcript in our own format tell of?"""

from __future__ import annotations

from typing import Any, TypeGuard

from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import string_or_none
from windowkeeper_cli.formats.own_blocks import blocks_in
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT

KINDS = frozenset(("compaction", "microcompaction", "window", "clear"))
_PLACES = ("cleared", "kept", "left", "back")


def events_in(values: list[Any], entries: list[Entry]) -> tuple[Event, ...]:
    """Return the events, each with places that there are; what is none of a known kind is left out."""
    replies = sum(entry.role == ASSISTANT for entry in entries)
    found = [_event(value, len(entries), replies + 1) for value in values if isinstance(value, dict)]
    return tuple(event for event in found if event is not None)


def _event(value: dict[str, Any], held: int, last_call: int) -> Event | None:
    kind, at, call = value.get("kind"), value.get("at"), value.get("call")
    if not isinstance(kind, str) or kind not in KINDS or not _within(at, held) or not _within(call, last_call):
        return None
    if not call:
        return None
    places = {key: tuple(place for place in _listed(value, key) if _within(place, held - 1)) for key in _PLACES}
    shown = tuple(blocks_in(blocks) for blocks in _listed(value, "shown"))
    if shown and len(shown) != len(places["cleared"]):
        return None
    return Event(
        kind,
        at,
        call,
        string_or_none(value, "where") or "",
        _number(value, "line"),
        string_or_none(value, "trigger"),
        _number(value, "preTokens"),
        blocks_in(value.get("summary")),
        string_or_none(value, "summaryId"),
        _number(value, "summaryLine"),
        **places,
        shown=shown,
    )


def _within(value: Any, most: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= most


def _listed(value: dict[str, Any], key: str) -> list[Any]:
    found = value.get(key)
    return found if isinstance(found, list) else []


def _number(value: dict[str, Any], key: str) -> int | None:
    found = value.get(key)
    return found if type(found) is int else None
