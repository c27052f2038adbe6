"""How wide a text is on a terminal, and where it may be broken."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from windowkeeper_cli.render.widths import cells_of

AS_EMOJI = "\ufe0f"
"""Asks for the picture of the character before it, which is wide."""

SHORT = 400
"""Characters of a text whose width is kept: a table asks for that of each cell several times."""


def width_of(text: str) -> int:
    """Return the terminal cells that a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return _width(text) if len(text) <= SHORT else _width.__wrapped__(text)


@lru_cache(4096)
def _width(text: str) -> int:
    if AS_EMOJI in text:
        return sum(width for _, width in clusters(text))
    return sum(map(cells_of, text))


def clusters(text: str) -> Iterator[tuple[str, int]]:
    """Yield each character together with those that stand on it, and the cells that they take."""
    cluster, width = "", 0
    for char in text:
        cells = cells_of(char)
        if cells and cluster:
            yield cluster, width
            cluster, width = "", 0
        width = 2 if char == AS_EMOJI and width == 1 and _pictured(cluster[0]) else max(width, cells)
        cluster += char
    if cluster:
        yield cluster, width


def _pictured(char: str) -> bool:
    """Return whether a narrow character may have a picture: of ASCII a few have one, lines and blocks have none."""
    return char in "#*0123456789" or (ord(char) >= 0xA9 and not 0x2500 <= ord(char) < 0x25A0)


def wrap(text: str, width: int) -> list[str]:
    """Return the lines of a text of at most `width` cells, broken at blanks, inside a word only where it must."""
    if width_of(text) <= width:
        return [text]
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _fold(word, width)
        lines.extend(full)
    lines.append(line)
    return lines


def _fold(word: str, width: int) -> list[str]:
    if word.isascii():
        return [word[start : start + width] for start in range(0, len(word), width)] or [""]
    pieces: list[str] = []
    piece, taken = "", 0
    for cluster, cells in clusters(word):
        if piece and taken + cells > width:
            pieces.append(piece)
            piece, taken = "", 0
        piece += cluster
        taken += cells
    return [*pieces, piece]
