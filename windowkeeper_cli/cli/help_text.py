"""How does help look: plain text with headings, as wide as the terminal, at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from windowkeeper_cli.cli.command_help import CommandHelp
from windowkeeper_cli.cli.surroundings import terminal_width

NARROWEST, WIDEST = 60, 100
COLUMN = 26
"""Columns of the longest name that its text stands beside."""


def help_text(said: CommandHelp) -> str:
    """Return the help of a command, or of a group of commands."""
    width = min(max(terminal_width(), NARROWEST), WIDEST)
    lines = _wrapped(f"{said.path}: {said.summary}", width)
    for paragraph in said.paragraphs:
        lines += ["", *_wrapped(paragraph, width)]
    lines += ["", "Usage", "  " + " ".join((said.path, *said.usage))]
    sections = (
        ("Arguments", said.arguments),
        ("Commands", said.commands),
        *said.options,
        ("Formats", said.formats),
        ("Exit codes", said.exit_codes),
    )
    for heading, entries in sections:
        if entries:
            lines += ["", heading, *_entries(entries, width)]
    if said.examples:
        lines += ["", "Examples", *(f"  {example}" for example in said.examples)]
    if said.commands:
        lines += ["", f"See {said.path} COMMAND --help."]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)


def _entries(entries: Iterable[tuple[str, str]], width: int) -> list[str]:
    entries = tuple(entries)
    column = min(max(len(name) for name, _ in entries), COLUMN) + 2
    lines: list[str] = []
    for name, text in entries:
        wrapped = _wrapped(text, width - column - 2) or [""]
        if len(name) > column - 2:
            lines.append(f"  {name}")
        else:
            lines.append(f"  {name:<{column}}{wrapped.pop(0)}".rstrip())
        lines += [f"  {'':<{column}}{line}" for line in wrapped]
    return lines
