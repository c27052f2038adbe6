"""Where the cells of a table stand: column widths, alignment, and the column that wraps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.render.cells import width_of, wrap
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.render.words import text_of, tone_of
from windowkeeper_cli.report.sheet import (
    CHANGE,
    DETAIL,
    DIM,
    NEVER_SHRINK,
    NUMBER,
    PLAIN,
    SHARE,
    TEXT,
    WORD,
    Cell,
    Change,
    Column,
    Table,
)

GAP = 2
BESIDE = 30
"""Cells that a detail column needs to stand beside its row; with less room it stands below."""
NARROWEST = 12

Span = tuple[str, str]
"""A text and its tone."""


def grid_lines(table: Table, style: Style) -> Iterator[list[Span]]:
    """Yield a table's lines, heading first; no line is wider than the page unless its ids are.

    Columns that do not fit beside each other stand below, again under a heading and beside the first column.
    """
    texts = [_texts(column, [row[place] for row in table.rows], style) for place, column in enumerate(table.columns)]
    heads = [escape(column.title, encoding=style.encoding) for column in table.columns]
    widths = [
        max([width_of(head), *(width_of(cell) for cell in cells)]) for head, cells in zip(heads, texts, strict=True)
    ]
    below = _fit(table.columns, widths, style.width, texts[-1])
    bands = _bands(widths[:-1] if below else widths, style.width)
    for band, places in enumerate(bands):
        if band:
            yield []
        columns = [table.columns[place] for place in places]
        sizes = [widths[place] for place in places]
        yield [(text, DIM) for text, _ in _row([[heads[place]] for place in places], columns, sizes, heads)[0]]
        for number, row in enumerate(table.rows):
            cells = [
                wrap(texts[place][number], widths[place]) if _wraps(table.columns[place]) else [texts[place][number]]
                for place in places
            ]
            yield from _row(cells, columns, sizes, [tone_of(row[place]) for place in places])
            if below and not band and texts[-1][number]:
                yield from _below(texts[-1][number], widths[0] + GAP, style.width or 0, tone_of(row[-1]) or DIM)


def _bands(widths: Sequence[int], page: int | None) -> list[list[int]]:
    """Return the places of the columns that stand beside each other, the first in every band."""
    bands: list[list[int]] = [[0]]
    taken = widths[0]
    for place, width in enumerate(widths[1:], 1):
        if page is not None and taken + GAP + width > page and len(bands[-1]) > 1:
            bands.append([0])
            taken = widths[0]
        bands[-1].append(place)
        taken += GAP + width
    return bands


def _below(text: str, indent: int, page: int, tone: str) -> Iterator[list[Span]]:
    """Yield a detail under its row, indented by the first column where that leaves it room."""
    indent = indent if page - indent >= BESIDE else GAP
    for line in wrap(text, max(page - indent, NARROWEST)):
        yield [(" " * indent, PLAIN), (line, tone)]


def _texts(column: Column, cells: Sequence[Cell], style: Style) -> list[str]:
    if column.kind == CHANGE:
        return _changes(cells)
    blank = "" if column.kind in (TEXT, DETAIL) else None
    return [
        escape(blank if cell is None and blank is not None else text_of(cell), encoding=style.encoding)
        for cell in cells
    ]


def _changes(cells: Sequence[Cell]) -> list[str]:
    """Return `a -> b` texts whose arrows stand under each other."""
    pairs = [cell if isinstance(cell, Change) else Change(None, None) for cell in cells]
    befores = ["" if pair.before is None else text_of(pair.before) for pair in pairs]
    left = max((len(text) for text in befores), default=0)
    return [
        f"{before:>{left}}" + ("" if pair.after is None else f" -> {text_of(pair.after)}")
        for pair, before in zip(pairs, befores, strict=True)
    ]


def _wraps(column: Column) -> bool:
    return column.kind not in NEVER_SHRINK or column.kind == WORD


def _fit(columns: Sequence[Column], widths: list[int], page: int | None, details: Sequence[str]) -> bool:
    """Narrow `widths` to the page; return whether the last column, a detail, stands below its row.

    Of the columns that identify a row, only a word that would take more than half of the page is broken.
    """
    if page is None or not widths:
        return False
    over = sum(widths) + GAP * (len(widths) - 1) - page
    if over <= 0:
        return False
    for place, column in enumerate(columns):
        if column.kind == WORD and widths[place] > page // 2:
            over -= widths[place] - page // 2
            widths[place] = page // 2
    below = False
    if columns[-1].kind == DETAIL:
        room = widths[-1] - over
        if room >= BESIDE and _lines(details, room) <= _lines(details, page - widths[0] - GAP) + len(details):
            widths[-1] = room
            return False
        below = True
        over -= widths[-1] + GAP
    places = [place for place, column in enumerate(columns) if column.kind == TEXT]
    for place in sorted(places, key=lambda place: -widths[place]):
        if over <= 0:
            break
        given = min(over, max(widths[place] - NARROWEST, 0))
        widths[place] -= given
        over -= given
    return below


def _lines(texts: Sequence[str], width: int) -> int:
    """Return how many lines the texts take at a width."""
    return sum(len(wrap(text, width)) for text in texts)


def _row(
    cells: list[list[str]], columns: Sequence[Column], widths: Sequence[int], tones: Sequence[str]
) -> list[list[Span]]:
    """Return the lines that a row takes, its cells padded to their columns."""
    lines: list[list[Span]] = []
    for depth in range(max(len(cell) for cell in cells)):
        line: list[Span] = []
        for place, cell in enumerate(cells):
            text = cell[depth] if depth < len(cell) else ""
            pad = " " * (widths[place] - width_of(text))
            if columns[place].kind in (NUMBER, SHARE):
                line.append((pad, PLAIN))
                line.append((text, tones[place]))
            else:
                line.append((text, tones[place]))
                line.append((pad, PLAIN))
            line.append((" " * GAP, PLAIN))
        lines.append(line)
    return lines
