"""How does a text stand in a page so that it is never more than a text? Escapes, tones, commands, links."""

from __future__ import annotations

import re

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.words import text_of, tone_of
from windowkeeper_cli.report.sheet import PLAIN, Cell, Command, Link, Part

_MARKUP = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;", ord("'"): "&#39;"}
_NAME = re.compile("[a-z][a-z0-9-]*", re.ASCII)


def safe(text: str) -> str:
    """Return a text as character data or a quoted attribute; what a reader could not see is shown escaped."""
    return escape(text).translate(_MARKUP)


def name_of(text: str) -> str:
    """Return an anchor's name; raise ValueError where it could be more than one, for names are ours alone."""
    if _NAME.fullmatch(text) is None:
        raise ValueError(f"no anchor: {text!r}")
    return text


def cell(value: Cell) -> str:
    """Return a cell as markup."""
    shown = safe(text_of(value))
    if isinstance(value, Link):
        return f"<a href=#{name_of(value.to)}>{shown}</a>"
    if isinstance(value, Command):
        return f"<code>{shown}</code>"
    tone = tone_of(value)
    return shown if tone == PLAIN else f"<span class={name_of(tone)}>{shown}</span>"


def phrase(part: Part) -> str:
    """Return cells that are read as one phrase."""
    return " ".join(cell(each) for each in part)
