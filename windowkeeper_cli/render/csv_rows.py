"""How a report's rows look as CSV (RFC 4180, UTF-8, one header line)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.render.words import text_of
from windowkeeper_cli.report.sheet import CHANGE, Cell, Change, Column, Report, Share, Table


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Return the report's rows, raw values unformatted; raise UsageError where it has no rows."""
    table = report.table()
    if table is None:
        raise UsageError(f"{report.name} has no csv format", "use -f json")
    return _chunks(table)


def _chunks(table: Table) -> Iterator[bytes]:
    yield _line([name for column in table.columns for name in _names(column)])
    for row in table.rows:
        yield _line([value for column, cell in zip(table.columns, row, strict=True) for value in _values(column, cell)])


def _names(column: Column) -> tuple[str, ...]:
    return (column.key, column.key_after) if column.kind == CHANGE else (column.key,)


def _values(column: Column, cell: Cell) -> tuple[str, ...]:
    if column.kind == CHANGE:
        pair = cell if isinstance(cell, Change) else Change(None, None)
        return (_value(pair.before), _value(pair.after))
    return (_value(cell),)


def _value(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Share):
        return f"{cell.value:.4f}"
    if isinstance(cell, (int, float)):
        return str(cell)
    return escape(_harmless(text_of(cell)))


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") and text else text


def _line(values: list[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(values)
    return out.getvalue().encode()
