"""Which record and block types did the reader not know? Counted by name, with their lines."""

from __future__ import annotations

from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import Unknown

_SHOWN = 3


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural where there are several."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


class Unknowns:
    """Counts records or blocks of unknown types, in order of first appearance."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._lines: dict[str, list[int]] = {}
        self._where: dict[str, str] = {}

    def add(self, name: str, where: str, line: int) -> None:
        """Count one, standing at `where`, on `line`."""
        self._lines.setdefault(name, []).append(line)
        self._where.setdefault(name, where)

    def counted(self) -> tuple[Unknown, ...]:
        """Return every name with its count and lines."""
        return tuple(Unknown(name, len(lines), tuple(lines)) for name, lines in self._lines.items())

    def total(self) -> int:
        """Return how many were counted."""
        return sum(len(lines) for lines in self._lines.values())

    def findings(self) -> list[Finding]:
        """Return one finding for each name, at its first place."""
        found: list[Finding] = []
        for name, lines in self._lines.items():
            shown = ", ".join(str(line) for line in lines[:_SHOWN]) + (", ..." if len(lines) > _SHOWN else "")
            what = self._kind.removeprefix("unknown-")
            verb = "is" if len(lines) == 1 else "are"
            does = "skipped and counted" if what == "record" else "kept verbatim and counted"
            at = "line" if len(lines) == 1 else "lines"
            text = f"{counted(len(lines), what)} of the unknown type {name!r} {verb} {does} ({at} {shown})"
            found.append(Finding(self._kind, self._where[name], text, lines[0], None))
        return found
