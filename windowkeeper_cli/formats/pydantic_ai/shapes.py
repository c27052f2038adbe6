"""Which objects are Pydantic AI's messages, and where in a document do they stand?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

REQUEST, RESPONSE = "request", "response"
_HOLDERS = ("messages", "message_history", "all_messages", "new_messages", "_all_messages")
"""Keys under which programs keep a history; the last is a dumped run's own."""


def is_message(value: Any) -> bool:
    """Return whether a value is a request or a response with parts."""
    if not isinstance(value, dict) or value.get("kind") not in (REQUEST, RESPONSE):
        return False
    parts = value.get("parts")
    if not isinstance(parts, list):
        return False
    return all(isinstance(part, dict) and isinstance(part.get("part_kind"), str) for part in parts)


def lists_in(value: Any) -> Iterator[tuple[list[Any], str]]:
    """Yield the lists of a value that may hold messages, each with its path; a message alone is one without a path."""
    if isinstance(value, list):
        yield value, ""
    elif is_message(value):
        yield [value], ""
    elif isinstance(value, dict):
        for key in _HOLDERS:
            if isinstance(value.get(key), list):
                yield value[key], key
                return
