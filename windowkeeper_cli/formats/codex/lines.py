"""What kind of line does a rollout file hold, and what is in it?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.responses.items import MESSAGE, TYPES

META, ITEM, TURN, EVENT, COMPACTED = "session_meta", "response_item", "turn_context", "event_msg", "compacted"
ENVELOPES = frozenset((META, ITEM, TURN, EVENT, COMPACTED))
SILENT = "silent"
"""A line that brings the model nothing."""
_SPAWNED = ("source", "subagent", "thread_spawn")
_UNSENT = frozenset(("ghost_snapshot",))


def part_of(value: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a line's kind and what it holds; a line of an unknown kind is named by its type."""
    kind = type_name(value)
    payload = value.get("payload")
    if isinstance(payload, dict):
        return (SILENT if kind == ITEM and type_name(payload) in _UNSENT else kind), payload
    if "record_type" in value:
        return SILENT, value
    if kind in TYPES or (kind == MESSAGE and "role" in value and "timestamp" not in value):
        return ITEM, value
    if kind == "object" and isinstance(value.get("id"), str) and isinstance(value.get("timestamp"), str):
        return META, value
    return kind, {}


def parent_of(meta: dict[str, Any]) -> str | None:
    """Return the id of the session that a subagent's file belongs to, None for a session of its own."""
    value: Any = meta
    for key in _SPAWNED:
        value = value.get(key) if isinstance(value, dict) else None
    return text_or_none(value, "parent_thread_id") if isinstance(value, dict) else None
