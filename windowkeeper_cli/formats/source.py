"""Where do an item's blocks and bytes come from? From memory, packed or not, or again from the file by offset."""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from windowkeeper_cli.formats.identity import identified
from windowkeeper_cli.formats.sealing import Content, Measure, unpacked
from windowkeeper_cli.model.block import Blocks, ToolResult
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.item import TOOL, Item, Origin
from windowkeeper_cli.model.transcript import FileFacts

Again = Callable[[Any], Iterable[ToolResult]]
"""Gives the results that stand alone in a record which is read once more."""


class Origins:
    """The files that a transcript was read from; gives a record's bytes as long as the file still begins with them."""

    def __init__(self, files: Sequence[FileFacts], paths: Sequence[Path | None], held: Sequence[bytes | None]) -> None:
        self._files = tuple(files)
        self._paths = tuple(paths)
        self._held = list(held)
        self._checked: dict[int, tuple[int, int]] = {}
        self._open: dict[int, int] = {}

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

    def result(self, origin: Origin, name: str | None, digest: str, again: Again) -> ToolResult:
        """Return the result at `origin`, of the tool `name`, whose id begins with `digest`.

        Raises InputError where the file no longer holds it there; whatever else has changed in it does not matter.
        """
        try:
            for found in again(orjson.loads(self._piece(origin))):
                named = found if found.name else found._replace(name=name)
                if identified(TOOL, (named,))[0].startswith(digest):
                    return named
        except (OSError, orjson.JSONDecodeError) as error:
            raise self._changed(origin.file) from error
        raise self._changed(origin.file)

    def _piece(self, origin: Origin) -> bytes:
        """Return the bytes at `origin` as they are now; the file stays open, for there are many pieces."""
        held, file = self._held[origin.file], origin.file
        if held is not None:
            return held[origin.offset : origin.offset + origin.length]
        if file not in self._open:
            opened = os.open(str(self._paths[file]), os.O_RDONLY | getattr(os, "O_BINARY", 0))
            self._open[file] = opened
            weakref.finalize(self, os.close, opened)
        os.lseek(self._open[file], origin.offset, os.SEEK_SET)
        return os.read(self._open[file], origin.length)

    def _changed(self, file: int) -> InputError:
        return InputError("the file has changed since it was loaded", "load it again", where=self._files[file].path)

    def _read(self, file: int, offset: int, length: int) -> bytes:
        path, facts = self._paths[file], self._files[file]
        if path is None:
            raise InputError("its bytes are not at hand", "load it again", where=facts.path)
        try:
            with path.open("rb") as stream:
                state = path.stat()
                mark = (state.st_size, state.st_mtime_ns)
                if self._checked.get(file) != mark:
                    if hashlib.sha256(stream.read(facts.bytes)).hexdigest() != facts.sha256:
                        raise self._changed(file)
                    self._checked[file] = mark
                stream.seek(offset)
                return stream.read(length)
        except OSError as error:
            raise InputError("it can no longer be read", "check the path", where=facts.path) from error


class HeldBlocks:
    """A block source that keeps blocks in memory, but for results whose content is packed or read again.

    `contents` are those of such results by position, None where it is read again by `again`. `measured` is what
    `measure` said of blocks while they were read.
    """

    def __init__(
        self,
        items: tuple[Item, ...],
        blocks: Sequence[Blocks],
        origins: Origins,
        contents: Mapping[int, Content | None],
        again: Again | None = None,
        measured: tuple[Measure | None, Mapping[int, Any]] = (None, {}),
    ) -> None:
        self._items = items
        self._blocks = tuple(blocks)
        self._origins = origins
        self._contents = contents
        self._again = again
        self._measure, self._measured = measured

    def blocks(self, at: int) -> Blocks:
        """Return the blocks of the item at position `at`; raise InputError where they are gone from their file."""
        blocks = self._blocks[at]
        if at not in self._contents:
            return blocks
        content, result = self._contents[at], blocks[0]
        assert type(result) is ToolResult
        if content is not None:
            return (ToolResult(result.id, result.name, result.error, unpacked(content)),)
        assert self._again is not None
        item = self._items[at]
        return (self._origins.result(item.origins[0], item.tool_name, item.id, self._again),)

    def raw(self, at: int) -> bytes:
        """Return the bytes of the records that hold the item; raise InputError where the file has changed."""
        return self._origins.raw(self._items[at])

    def measured(self, at: int, measure: Measure) -> Any:
        """Return what `measure` said of the item while it was read, None where it was not asked."""
        return self._measured.get(at) if measure is self._measure else None
