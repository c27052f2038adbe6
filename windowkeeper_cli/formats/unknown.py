"""Which record and block types did the reader not know? Counted by name, with their lines."""

from __future__ import annotations

from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import Unknown

KEPT = 1_000
_SHOWN = 3


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural where there are several."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


class Unknowns:
    """Counts records or blocks of unknown types, in order of first appearance."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._counts: dict[str, int] = {}
        self._lines: dict[str, list[int]] = {}
        self._where: dict[str, str] = {}

    def add(self, name: str, where: str, line: int) -> None:
        """Count one, standing at `where`, on `line`."""
        count = self._counts[name] = self._counts.get(name, 0) + 1
        if count == 1:
            self._lines[name] = []
            self._where[name] = where
        if count <= KEPT:
            self._lines[name].append(line)

    def counted(self) -> tuple[Unknown, ...]:
        """Return every name with its count and its first thousand lines."""
        return tuple(Unknown(name, self._counts[name], tuple(lines)) for name, lines in self._lines.items())

    def findings(self) -> list[Finding]:
        """Return one finding for each name, at its first place."""
        found: list[Finding] = []
        for name, lines in self._lines.items():
            count = self._counts[name]
            shown = ", ".join(str(line) for line in lines[:_SHOWN]) + (", ..." if count > _SHOWN else "")
            what = self._kind.removeprefix("unknown-")
            verb = "is" if count == 1 else "are"
            does = "skipped and counted" if what == "record" else "kept verbatim and counted"
            at = "line" if count == 1 else "lines"
            text = f"{counted(count, what)} of the unknown type {name!r} {verb} {does} ({at} {shown})"
            found.append(Finding(self._kind, self._where[name], text, lines[0], None))
        return found
