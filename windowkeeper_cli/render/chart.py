"""How a chart looks: a bar for each value, or the highest of several, with its bound and marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.render.grid import Span
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import BAD, DIM, PLAIN, WARN, Chart

ROWS = 8
WIDEST = 120
"""Columns of a chart where the page has no width."""
MOST_EACH = 4
"""Columns that one value may take where there are few."""
NARROWEST = 10
MARK = "^"


class Glyphs(NamedTuple):
    """What a chart is drawn with: bars in rising parts of a cell, the bound, the axis and its corner."""

    bars: str
    bound: str
    side: str
    corner: str
    axis: str


BLOCKS = Glyphs(" ▁▂▃▄▅▆▇█", "─", "│", "└", "─")
PLAIN_ASCII = Glyphs(" .:#", "-", "|", "+", "-")


def chart_lines(chart: Chart, style: Style) -> Iterator[list[Span]]:
    """Yield a chart's lines: rows of bars with the top and the bound beside them, marks, and first and last number."""
    if not chart.values:
        return
    glyphs = _glyphs(style.encoding)
    top = max(*chart.values, chart.bound or 0, 1)
    bound_row = None if chart.bound is None else max(-(-chart.bound * ROWS // top) - 1, 0)
    labels = {ROWS - 1: f"{top:,}"}
    if chart.bound is not None and bound_row is not None:
        labels[bound_row] = f"{chart.bound:,}"
    gutter = max(len(label) for label in labels.values())
    bars, marked = _columns(chart, max((style.width or WIDEST) - gutter - 2, NARROWEST))
    parts = len(glyphs.bars) - 1
    levels = [-(-bar * ROWS * parts // top) for bar in bars]
    for row in range(ROWS - 1, -1, -1):
        line: list[Span] = [(f"{labels.get(row, ''):>{gutter}} {glyphs.side}", DIM)]
        line.extend(_row(chart, bars, levels, glyphs, row, row == bound_row))
        yield line
    yield [(f"{'0':>{gutter}} {glyphs.corner}{glyphs.axis * len(bars)}", DIM)]
    if any(marked):
        yield [(" " * (gutter + 2), PLAIN), ("".join(MARK if mark else " " for mark in marked), WARN)]
    yield [(" " * (gutter + 2) + _numbers(len(chart.values), len(bars)), DIM)]


def _glyphs(encoding: str) -> Glyphs:
    try:
        "".join(BLOCKS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN_ASCII
    return BLOCKS


def _columns(chart: Chart, room: int) -> tuple[list[int], list[bool]]:
    """Return the height of each column, and whether a mark stands below it."""
    count = len(chart.values)
    each = max(min(room // count, MOST_EACH), 1)
    width = min(count * each, room)
    bars: list[int] = []
    marked: list[bool] = []
    numbers = set(chart.marks)
    for column in range(width):
        first = column * count // width
        end = max((column + 1) * count // width, first + 1)
        bars.append(max(chart.values[first:end]))
        begins = column == 0 or (column - 1) * count // width != first
        marked.append(begins and any(number + 1 in numbers for number in range(first, end)))
    return bars, marked


def _row(
    chart: Chart, bars: Sequence[int], levels: Sequence[int], glyphs: Glyphs, row: int, at_bound: bool
) -> Iterator[Span]:
    """Yield one row of cells, runs of one tone together."""
    parts = len(glyphs.bars) - 1
    run, tone = "", PLAIN
    for bar, level in zip(bars, levels, strict=True):
        cell = glyphs.bars[min(max(level - row * parts, 0), parts)]
        now = BAD if chart.bound is not None and bar > chart.bound else PLAIN
        if cell == " ":
            cell, now = (glyphs.bound, DIM) if at_bound else (" ", now)
        if now != tone:
            if run:
                yield run, tone
            run, tone = "", now
        run += cell
    yield run, tone


def _numbers(count: int, width: int) -> str:
    last = f"{count:,}"
    return "1" if count == 1 or width < len(last) + 2 else f"1{last:>{width - 1}}"
