"""How a sheet looks on a terminal or in a pipe: labelled lines, tables, sentences."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.render.cells import width_of, wrap
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.grid import Span, grid_lines
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.render.words import text_of, tone_of
from windowkeeper_cli.report.sheet import (
    DIM,
    PLAIN,
    STRONG,
    Block,
    Chart,
    Line,
    Lines,
    Part,
    Prose,
    Report,
    Sheet,
    Table,
)

BETWEEN = "   "
"""What stands between two phrases of a line."""


def render(report: Report, style: Style) -> Iterator[bytes]:
    """Yield the report's page, a chunk a line, in the style's encoding."""
    for line in page_lines(report.sheet(), style):
        text = _painted(line) if style.color else "".join(text for text, _ in line).rstrip(" ")
        yield (text + "\n").encode(style.encoding, "backslashreplace")


def page_lines(sheet: Sheet, style: Style) -> Iterator[list[Span]]:
    """Yield a sheet's lines as spans, blocks parted by an empty line."""
    first = True
    for block in sheet.blocks:
        if not first:
            yield []
        first = False
        yield from _block(block, style)
    if sheet.footer:
        yield []
        yield from _labelled(sheet.footer, style)
    if sheet.next:
        yield []
        for number, command in enumerate(sheet.next):
            text = escape(text_of(command), encoding=style.encoding)
            yield [("next" if number == 0 else "    ", DIM), ("   ", PLAIN), (text, PLAIN)]


def _block(block: Block, style: Style) -> Iterator[list[Span]]:
    if block.title:
        for text in wrap(escape(block.title, encoding=style.encoding), style.width or 1_000_000):
            yield [(text, STRONG)]
    if isinstance(block, Table):
        yield from grid_lines(block, style)
    elif isinstance(block, Lines):
        yield from _labelled(block.lines, style)
    elif isinstance(block, Chart):
        yield from _chart(block, style)
    else:
        yield from _sentences(block, style)


def _chart(chart: Chart, style: Style) -> Iterator[list[Span]]:
    from windowkeeper_cli.render.chart import chart_lines

    return chart_lines(chart, style)


def _sentences(block: Prose, style: Style) -> Iterator[list[Span]]:
    for line in block.text.split("\n"):
        safe = escape(line, encoding=style.encoding)
        if block.as_is or style.width is None:
            yield [(safe, PLAIN)]
        else:
            yield from ([(text, PLAIN)] for text in wrap(safe, style.width))


def _labelled(lines: tuple[Line, ...], style: Style) -> Iterator[list[Span]]:
    indent = max(width_of(line.label) for line in lines) + 2
    for line in lines:
        yield from _labelled_line(line, indent, style)


def _labelled_line(line: Line, indent: int, style: Style) -> Iterator[list[Span]]:
    """Yield one labelled line; phrases that do not fit go on below, under the first."""
    room = None if style.width is None else max(style.width - indent, 20)
    start: list[Span] = [(line.label.ljust(indent), DIM)]
    current, taken = start, 0
    for part in line.parts:
        spans = _phrase(part, style)
        size = sum(width_of(text) for text, _ in spans)
        if room is not None and taken and taken + len(BETWEEN) + size > room:
            yield current
            current, taken = [(" " * indent, PLAIN)], 0
        if taken:
            current.append((BETWEEN, PLAIN))
            taken += len(BETWEEN)
        if room is not None and size > room:
            text, tone = "".join(text for text, _ in spans), spans[0][1]
            *full, last = wrap(text, room)
            for piece in full:
                yield [*current, (piece, tone)]
                current = [(" " * indent, PLAIN)]
            current.append((last, tone))
            taken = width_of(last)
        else:
            current.extend(spans)
            taken += size
    yield current


def _phrase(part: Part, style: Style) -> list[Span]:
    spans: list[Span] = []
    for cell in part:
        if spans:
            spans.append((" ", PLAIN))
        spans.append((escape(text_of(cell), encoding=style.encoding), tone_of(cell)))
    return spans


def _painted(line: list[Span]) -> str:
    from windowkeeper_cli.render.paint import painted

    return painted(line)
