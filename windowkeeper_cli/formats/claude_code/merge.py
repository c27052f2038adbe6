"""Which records are copies? One set of records over all files, by uuid and message id, in order of first appearance."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.claude_code.lines import NO_PARENT_KEY, Line
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.model.block import Blocks


class Merge:
    """Drops records already seen: a line by its uuid; in a further file a message's block, and lines without uuid."""

    def __init__(self, files: int) -> None:
        self._several = files > 1
        self._main: set[str] = set()
        self._side: set[str] = set()
        self._blocks: dict[str, dict[Blocks, tuple[int, str]]] = {}
        self._plain: dict[Any, int] = {}
        self._alias: dict[str, str] = {}

    def kept(self, line: Line, value: Any) -> Line | None:
        """Return the line of a record, its parent renamed where that was a copy, None where the line is a copy."""
        uuid = line.uuid
        if uuid is not None:
            seen = self._side if line.side else self._main
            if uuid in seen:
                return None
            if self._several and line.reply is not None and self._is_copied_reply(line):
                return None
            seen.add(uuid)
        elif self._several and self._is_copy(compact(value), line.origin.file):
            return None
        if self._alias and line.parent is not None and line.parent is not NO_PARENT_KEY:
            parent = self._alias.get(line.parent)
            if parent is not None:
                line = line._replace(parent=parent)
        return line

    def is_copy_of_unknown(self, record: Record) -> bool:
        """Return whether a record of unknown type stands in an earlier file too."""
        return self._several and self._is_copy(compact(record.value), record.origin.file)

    def _is_copied_reply(self, line: Line) -> bool:
        assert line.uuid is not None and line.reply is not None
        known = self._blocks.setdefault(line.reply, {})
        file, uuid = known.setdefault(line.blocks, (line.origin.file, line.uuid))
        if file == line.origin.file:
            return False
        self._alias[line.uuid] = uuid
        return True

    def _is_copy(self, text: str, file: int) -> bool:
        return self._plain.setdefault(text, file) != file
