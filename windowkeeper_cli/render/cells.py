"""How wide a text is on a terminal, and where it may be broken."""

from __future__ import annotations


def width_of(text: str) -> int:
    """Return the terminal cells that a text takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


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
    for char in word:
        cells = width_of(char)
        if piece and taken + cells > width:
            pieces.append(piece)
            piece, taken = "", 0
        piece += char
        taken += cells
    return [*pieces, piece]
