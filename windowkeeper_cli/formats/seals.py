"""What do the seals of a transcript's results say, now that each result has its tool's name?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.identity import identified
from windowkeeper_cli.formats.sealing import Content, Sealed, unpacked
from windowkeeper_cli.formats.source import Again, Origins
from windowkeeper_cli.model.block import Blocks, ToolResult
from windowkeeper_cli.model.item import CallRef


class Seals:
    """The contents of sealed results that are not in their blocks, by position (None: away), and what was measured.

    `known` are the SHA-256 and the UTF-16 length of each. A result under another name than it was sealed with (its
    call stands behind it, or its id is used again) is opened, named and taken anew.
    """

    def __init__(
        self,
        entries: list[Entry],
        blocks: list[Blocks],
        refs: dict[int, CallRef],
        origins: Origins,
        again: Again | None,
    ) -> None:
        self.contents: dict[int, Content | None] = {}
        self.measured: dict[int, Any] = {}
        self.known: dict[int, tuple[str, int]] = {}
        for at, entry in enumerate(entries):
            seal = entry.sealed
            if seal is None:
                continue
            result, ref = entry.blocks[0], refs.get(at)
            assert type(result) is ToolResult
            name = (ref.name or None) if ref else None
            if result.name != name:
                full = _opened(entry, seal, result, origins, again)._replace(name=name)
                blocks[at] = (full,)
                self.known[at] = identified(entry.role, (full,))
                continue
            digest, units, measured, packed, away = seal
            self.known[at] = (digest, units)
            self.measured[at] = measured
            if away or packed is not None:
                self.contents[at] = packed


def _opened(entry: Entry, seal: Sealed, result: ToolResult, origins: Origins, again: Again | None) -> ToolResult:
    """Return a sealed result with its content."""
    if seal.away:
        assert again is not None
        return origins.result(entry.origins[0], result.name, seal.digest, again)
    return result if seal.packed is None else result._replace(content=unpacked(seal.packed))
