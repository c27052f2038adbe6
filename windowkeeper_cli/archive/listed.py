"""How does a list become bytes? Its id, and the ids of what left in the order of leaving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windowkeeper_cli.archive.names import name_of
from windowkeeper_cli.archive.sealed import opened, sealed
from windowkeeper_cli.model.errors import ArchiveError


def list_record(list_id: str, item_ids: Sequence[str]) -> bytes:
    """Return a list as the bytes that an archive keeps."""
    return sealed(_kind(name_of(list_id)), {"list": list_id, "items": list(item_ids)})


def list_in(record: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the id and the items of the list that is called `name`; raise ArchiveError where it is another."""
    value: Any = opened(_kind(name), record)
    try:
        list_id, items = str(value["list"]), tuple(map(str, value["items"]))
    except (KeyError, TypeError) as error:
        raise ArchiveError("it is sealed, and no list") from error
    return list_id, items


def _kind(name: str) -> str:
    return f"windowkeeper-list/1 {name}"
