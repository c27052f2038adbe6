"""What does an object of a log hold under a key? A text, a number of tokens or a list of objects, else nothing."""

from __future__ import annotations

from typing import Any


def figure(reported: dict[str, Any], key: str) -> int:
    """Return a reported number of tokens, 0 where there is none."""
    value = reported.get(key)
    return value if type(value) is int and value >= 0 else 0


def detail(reported: dict[str, Any], key: str, name: str) -> int:
    """Return a number of tokens that a usage tells apart under `key`, 0 where there is none."""
    details = reported.get(key)
    return figure(details, name) if isinstance(details, dict) else 0


def text_or_none(value: dict[str, Any], key: str) -> str | None:
    """Return the text at `key`, None where there is none or an empty one."""
    found = value.get(key)
    return found if isinstance(found, str) and found else None


def string_or_none(value: dict[str, Any], key: str) -> str | None:
    """Return the text at `key`, an empty one too; None where there is none."""
    found = value.get(key)
    return found if isinstance(found, str) else None


def objects_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a list, none where it is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
