"""Where do an item's blocks and bytes come from? Blocks are kept in memory, records are read again by offset."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.transcript import FileFacts


class Origins:
    """The files that a transcript was read from; gives a record's bytes as long as the file still begins with them."""

    def __init__(self, files: Sequence[FileFacts], paths: Sequence[Path | None], held: Sequence[bytes | None]) -> None:
        self._files = tuple(files)
        self._paths = tuple(paths)
        self._held = list(held)
        self._checked: dict[int, tuple[int, int]] = {}

    def raw(self, item: Item) -> bytes:
        """Return the bytes of the records of `item`, joined by LF; raise InputError where the file has changed."""
        parts: list[bytes] = []
        for origin in item.origins:
            held = self._held[origin.file]
            if held is None:
                parts.append(self._read(origin.file, origin.offset, origin.length))
            else:
                parts.append(held[origin.offset : origin.offset + origin.length])
        return b"\n".join(parts)

    def _read(self, file: int, offset: int, length: int) -> bytes:
        path, facts = self._paths[file], self._files[file]
        if path is None:
            raise InputError("its bytes are not at hand", "load it again", where=facts.path)
        try:
            with path.open("rb") as stream:
                state = path.stat()
                mark = (state.st_size, state.st_mtime_ns)
                if self._checked.get(file) != mark:
                    self._check(stream.read(facts.bytes), facts)
                    self._checked[file] = mark
                stream.seek(offset)
                return stream.read(length)
        except OSError as error:
            raise InputError("it can no longer be read", "check the path", where=facts.path) from error

    @staticmethod
    def _check(data: bytes, facts: FileFacts) -> None:
        if hashlib.sha256(data).hexdigest() != facts.sha256:
            raise InputError("the file has changed since it was loaded", "load it again", where=facts.path)


class MemoryBlocks:
    """A block source that keeps every block in memory."""

    def __init__(self, items: tuple[Item, ...], blocks: Sequence[Blocks], origins: Origins) -> None:
        self._items = items
        self._blocks = tuple(blocks)
        self._origins = origins

    def blocks(self, at: int) -> Blocks:
        """Return the blocks of the item at position `at`."""
        return self._blocks[at]

    def raw(self, at: int) -> bytes:
        """Return the bytes of the records that hold the item; raise InputError where the file has changed."""
        return self._origins.raw(self._items[at])
