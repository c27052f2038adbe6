"""A report made by hand, for the renderers' tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from windowkeeper_cli.report.sheet import (
    BAD,
    CHANGE,
    DETAIL,
    ID,
    NUMBER,
    SHARE,
    TEXT,
    WORD,
    Cell,
    Change,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Share,
    Sheet,
    Table,
)

COLUMNS = (
    Column("action", "action", WORD),
    Column("rule", "rule", TEXT),
    Column("item", "item", ID),
    Column("turn", "turn", NUMBER),
    Column("before", "tokens", CHANGE, "after"),
    Column("share", "share", SHARE),
    Column("detail", "detail", DETAIL),
)
ROWS: tuple[tuple[Cell, ...], ...] = (
    (
        Marked("evict", BAD),
        "toolResults.evictAfterTurns",
        "76e09c97975b",
        4,
        Change(1504, 45),
        Share(0.25),
        "bash " * 20,
    ),
    ("keep", "rule", "cc53b06fac2f", None, Change(12, None), None, "[red]日本語\x1b[0m"),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One line, one table, one command."""

    rows: tuple[tuple[Cell, ...], ...] = ROWS
    name: str = "sample"
    has_table: bool = True

    def sheet(self) -> Sheet:
        """Return the page."""
        lines = Lines((Line("session", (("a.json",), (1234, "calls"), ("limit", 5500))),))
        return Sheet((lines, Table(COLUMNS, self.rows)), next=(Command(("show", "it's", "x y")),))

    def document(self) -> dict[str, object]:
        """Return a document."""
        return {"text": "\ud800 \x9b", "number": 1}

    def table(self) -> Table | None:
        """Return the rows."""
        return Table(COLUMNS, self.rows) if self.has_table else None

    def lines(self) -> Iterator[bytes] | None:
        """Return one line."""
        return iter([b'{"a":"\xc2\x9b"}\n']) if self.has_table else None
