"""Cells as text: numbers with separators, shares in percent, changes with an arrow, commands quoted."""

from __future__ import annotations

import re

from windowkeeper_cli.report.sheet import PLAIN, Cell, Change, Command, Link, Marked, Share

_BARE = re.compile(r"[A-Za-z0-9_@%+=:,./~-]+", re.ASCII)


def text_of(cell: Cell) -> str:
    """Return a cell's text, not yet escaped."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return "-"
    if isinstance(cell, Change):
        return f"{text_of(cell.before)} -> {text_of(cell.after)}"
    if isinstance(cell, Share):
        return f"{cell.value * 100:.1f}%" if 0 < cell.value < 0.0995 else f"{cell.value * 100:.0f}%"
    if isinstance(cell, Marked | Link):
        return cell.text
    if isinstance(cell, Command):
        return " ".join(quoted(word) for word in cell.words)
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:,.2f}".rstrip("0").rstrip(".")


def tone_of(cell: Cell) -> str:
    """Return the tone that a cell asks for."""
    return cell.tone if isinstance(cell, Marked) else PLAIN


def quoted(word: str) -> str:
    """Return a word as a POSIX shell reads it back."""
    if _BARE.fullmatch(word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
