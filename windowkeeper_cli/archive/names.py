"""Which text may become a name on disk? Hex digits alone; an id is whatever somebody typed, or a model."""

from __future__ import annotations

import re
from hashlib import sha256

from windowkeeper_cli.model.payload import ID_DIGITS

_ID = re.compile(r"[0-9a-f]{12}(?:[0-9a-f]{4})?")
_VISIT = re.compile(r"[0-9]{8}-[0-9a-f]{12}")


def is_id(text: str) -> bool:
    """Return whether `text` is an item's id: 12 hex digits, or the 16 of two contents that share 12."""
    return _ID.fullmatch(text) is not None


def name_of(list_id: str) -> str:
    """Return the name that a list's file has: its id, or 12 hex digits made from one that is none of ours."""
    if is_id(list_id):
        return list_id
    return sha256(f"list:{list_id}".encode("utf-8", "surrogatepass")).hexdigest()[:ID_DIGITS]


def is_visit(text: str) -> bool:
    """Return whether `text` is the name of a visit's record: its number, and 12 hex digits of its bytes."""
    return _VISIT.fullmatch(text) is not None
