"""How are items of an archive read as a transcript is? Those asked for, in the order given, their text in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from windowkeeper_cli.archive.archive import Archive
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.payload import payload
from windowkeeper_cli.model.transcript import Measured, Transcript

FORMAT = "archive"


def transcript_of(archive: Archive, ids: Iterable[str], damaged: Callable[[ArchiveError], None]) -> Transcript:
    """Return the items of `ids` that are there and whole, numbered anew; each that is not is told to `damaged`."""
    items: list[Item] = []
    blocks: list[Blocks] = []
    for item_id in ids:
        try:
            item, held = archive.item(item_id), archive.blocks(item_id)
        except ArchiveError as error:
            damaged(error)
            continue
        if item is None or held is None:
            damaged(ArchiveError("it is not there", "all else is served", where=f"item {item_id}"))
            continue
        items.append(item._replace(at=len(items), answers=-1, expands=-1))
        blocks.append(held)
    end = Call(1, len(items), 1, 1, -1)
    return Transcript(tuple(items), (), end, _Held(tuple(items), tuple(blocks)), FORMAT)


class _Held:
    """The blocks of items by position; an item's own record is its payload, whose SHA-256 begins with its id."""

    def __init__(self, items: tuple[Item, ...], blocks: tuple[Blocks, ...]) -> None:
        self._items = items
        self._blocks = blocks

    def blocks(self, at: int) -> Blocks:
        return self._blocks[at]

    def raw(self, at: int) -> bytes:
        return payload(self._items[at].role, self._blocks[at])

    def measured(self, at: int, measure: Callable[[Blocks], Measured]) -> Measured | None:
        del at, measure
        return None
