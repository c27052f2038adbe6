"""What a picture shows, read back as lines of text: each text and bar at the cell where it is drawn."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import NamedTuple

from windowkeeper_cli.render.chart import BLOCKS
from windowkeeper_cli.render.svg import BASE, CELL, LINE, MARGIN

SPACE = "{http://www.w3.org/2000/svg}"
BAR = re.compile(r"M(\d+) (\d+)v-([0-9.]+)h(\d+)v\3z")


class Piece(NamedTuple):
    """A text at a cell of a line, with the cells that it is held to and its tone."""

    line: int
    cell: int
    cells: int
    text: str
    tone: str


def pieces(body: bytes) -> list[Piece]:
    """Return what is drawn, in the order of the file; coordinates that are no whole cells are an error."""
    found = []
    for element in ET.fromstring(body).iter():
        tone = element.get("class", "")
        if element.tag == f"{SPACE}text":
            x, y, size = (int(element.get(name, "0")) for name in ("x", "y", "textLength"))
            found.append(_piece(x, y - BASE, size, element.text or "", tone))
        elif element.tag == f"{SPACE}path":
            match = BAR.fullmatch(element.attrib["d"])
            assert match, element.attrib["d"]
            left, bottom, wide = (int(match.group(number)) for number in (1, 2, 4))
            bar = BLOCKS.bars[round(float(match.group(3)) / LINE * 8)]
            found.append(_piece(left, bottom - LINE, wide, bar * (wide // CELL), tone))
    return found


def _piece(x: int, top: int, size: int, text: str, tone: str) -> Piece:
    line, cell = divmod(top - MARGIN, LINE), divmod(x - MARGIN, CELL)
    assert line[1] == 0 and cell[1] == 0 and size % CELL == 0
    return Piece(line[0], cell[0], size // CELL, text, tone)


def lines(body: bytes) -> list[str]:
    """Return the picture's lines, blanks where nothing is drawn."""
    found: list[str] = []
    taken: list[int] = []
    for piece in pieces(body):
        while len(found) <= piece.line:
            found.append("")
            taken.append(0)
        assert piece.cell >= taken[piece.line], "drawn over another"
        found[piece.line] += " " * (piece.cell - taken[piece.line]) + piece.text
        taken[piece.line] = piece.cell + piece.cells
    return found
