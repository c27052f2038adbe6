"""How a report looks as a picture: what the table prints, as one SVG with nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from windowkeeper_cli.render.cells import clusters, width_of, wrap
from windowkeeper_cli.render.chart import BLOCKS
from windowkeeper_cli.render.grid import Span
from windowkeeper_cli.render.html.text import safe
from windowkeeper_cli.render.page import page_lines
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import PLAIN, Report

WIDTH = 100
"""Cells of a line, unless the style says how many."""
NARROWEST = 20
"""Cells that a text needs to be broken to fit; with less room the picture is wider."""
CELL, LINE, MARGIN, BASE = 8, 18, 16, 13
"""The picture's own units: a cell's width, a line's height, the edge, and how far below a line's top texts stand."""
CSS = """
svg.wk { color-scheme: light dark; --ground: #ffffff; --edge: #d5d9dd; --text: #1b1f23; --quiet: #59616a;
  --bar: #69717a; --good: #17692f; --warn: #8a5200; --bad: #b3141b; }
@media (prefers-color-scheme: dark) {
  svg.wk { --ground: #14171a; --edge: #343a40; --text: #e4e7ea; --quiet: #a2abb4; --bar: #8b949e;
    --good: #6fcf87; --warn: #eab35c; --bad: #ff8a85; }
}
svg.wk .page { fill: var(--ground); stroke: var(--edge); }
svg.wk text { font: 13px ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
svg.wk text { fill: var(--text); }
svg.wk path { fill: var(--bar); }
svg.wk .dim { fill: var(--quiet); }
svg.wk .good { fill: var(--good); }
svg.wk .warn { fill: var(--warn); }
svg.wk .bad { fill: var(--bad); }
svg.wk .good, svg.wk .warn, svg.wk .bad, svg.wk .strong { font-weight: 600; }
"""
_BARS = BLOCKS.bars[1:]
_PIECES = re.compile(f"[{_BARS}]+|(?:(?! {{2}})[^{_BARS}])+")
"""Bars, which are drawn, and texts, which may hold single blanks; two blanks part what stands in columns."""


def render(report: Report, style: Style) -> Iterator[bytes]:
    """Yield the report's page as SVG in UTF-8; each text is held to the cells that it takes, in any font."""
    width = style.width or WIDTH
    page = page_lines(report.sheet(), Style(False, width))
    lines = [folded for line in page for folded in _folded(_stripped(line), width)]
    across = max([width, *map(_cells, lines)])
    size = f"{across * CELL + 2 * MARGIN} {len(lines) * LINE + 2 * MARGIN}"
    wide, high = size.split(" ")
    title = safe(f"windowkeeper {report.name}")
    yield (
        f'<svg class="wk" xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {size}" '
        f'role="img" aria-label="{title}">\n<title>{title}</title>\n<style>{CSS}</style>\n'
        f'<rect class="page" x="0.5" y="0.5" width="{int(wide) - 1}" height="{int(high) - 1}" rx="6"/>\n'
    ).encode()
    for number, line in enumerate(lines):
        drawn = "".join(_line(line, MARGIN + number * LINE))
        if drawn:
            yield f"{drawn}\n".encode()
    yield b"</svg>\n"


def _stripped(line: list[Span]) -> list[Span]:
    """Return a line without the blanks at its end."""
    while line and not line[-1][0].strip(" "):
        line = line[:-1]
    return [*line[:-1], (line[-1][0].rstrip(" "), line[-1][1])] if line else line


def _cells(line: list[Span]) -> int:
    return sum(width_of(text) for text, _ in line)


def _folded(line: list[Span], width: int) -> Iterator[list[Span]]:
    """Yield a line that is too wide in pieces, as a terminal breaks it, its last text going on below itself."""
    indent = _cells(line[:-1])
    if _cells(line) <= width or width - indent < NARROWEST:
        yield line
        return
    before, (text, tone) = line[:-1], line[-1]
    for piece in wrap(text, width - indent):
        yield [*before, (piece, tone)]
        before = [(" " * indent, PLAIN)]


def _line(line: list[Span], top: int) -> Iterator[str]:
    """Yield the pieces of a line, each at the cell where the table has it."""
    place = 0
    for text, tone in line:
        for match in _PIECES.finditer(text):
            piece = match.group()
            start = place + width_of(text[: match.start()])
            if piece[0] in _BARS:
                yield from _bars(piece, MARGIN + start * CELL, top, tone)
            else:
                yield from _texts(piece, start, top, tone)
        place += width_of(text)


def _texts(piece: str, start: int, top: int, tone: str) -> Iterator[str]:
    """Yield a text, characters of one kind together, so that a font without the others cannot move them."""
    for _, group in groupby(clusters(piece), lambda cluster: cluster[0].isascii()):
        run = list(group)
        cells = sum(width for _, width in run)
        text = "".join(cluster for cluster, _ in run)
        shown = text.strip(" ")
        if shown:
            left = MARGIN + (start + len(text) - len(text.lstrip(" "))) * CELL
            held = f' textLength="{wide * CELL}" lengthAdjust="spacingAndGlyphs"' if (wide := width_of(shown)) else ""
            yield f'<text{_class(tone)} x="{left}" y="{top + BASE}"{held}>{safe(shown)}</text>'
        start += cells


def _bars(piece: str, left: int, top: int, tone: str) -> Iterator[str]:
    """Yield bars as paths; a font's own would leave stripes between lines."""
    for bar, bars in groupby(piece):
        wide = len(list(bars)) * CELL
        part = (_BARS.index(bar) + 1) * LINE
        high = f"{part / len(_BARS):g}"
        yield f'<path{_class(tone)} d="M{left} {top + LINE}v-{high}h{wide}v{high}z"/>'
        left += wide


def _class(tone: str) -> str:
    return "" if tone == PLAIN else f' class="{tone}"'
