"""What the environment says: colour, width, encoding, where session logs are."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.render.style import Style

WHENS = ("auto", "always", "never")
VARIABLES = (
    ("NO_COLOR", "Not empty: no colour. --color always overrides it."),
    ("FORCE_COLOR", "Not empty, 0 or false: colour also where no terminal reads it."),
    ("CLICOLOR_FORCE", "Not empty and not 0: the same."),
    ("CLICOLOR", "0: no colour."),
    ("TERM", "dumb or unknown: no colour."),
    ("COLUMNS", "The width of tables on a terminal, instead of the terminal's own."),
    ("CLAUDE_CONFIG_DIR", "The folder of Claude Code, instead of ~/.claude; its logs are below projects."),
    ("CODEX_HOME", "The folder of Codex, instead of ~/.codex; its logs are below sessions."),
)
"""Every variable of the environment that is read, and what it does."""


def style_for(color: str, width: int | None, *, to_file: bool) -> Style:
    """Return how a page may look on standard output, or in a file; raise UsageError for an unknown `color`."""
    if color not in WHENS:
        raise UsageError(f"--color {color}: no such choice", f"use one of {', '.join(WHENS)}")
    if to_file:
        return Style(color == "always", width, "utf-8")
    terminal = is_terminal(sys.stdout)
    return Style(
        color=wants_color(color, terminal),
        width=width or (terminal_width() if terminal else None),
        encoding=encoding_of(sys.stdout),
    )


def wants_color(when: str, terminal: bool) -> bool:
    """Return whether to colour; an option beats NO_COLOR, which beats what forces colour, which beats TERM."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    if os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    if os.environ.get("CLICOLOR") == "0":
        return False
    return terminal and os.environ.get("TERM", "") not in ("dumb", "unknown")


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def terminal_width() -> int:
    """Return the terminal's columns: COLUMNS where it is a number, else what the terminal says, else 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and int(columns) > 0:
        return int(columns)
    for descriptor in (1, 2, 0):
        try:
            found = os.get_terminal_size(descriptor).columns
        except OSError:
            continue
        if found > 0:
            return found
    return 80


def encoding_of(stream: TextIO | None) -> str:
    """Return a stream's encoding, utf-8 under one name."""
    name = (getattr(stream, "encoding", None) or "utf-8").lower()
    return "utf-8" if name in ("utf-8", "utf8", "utf-8-sig") else name


def session_roots(root: str | None) -> tuple[str, ...]:
    """Return the folders that hold session logs: `root`, else Claude Code's and Codex's."""
    if root is not None:
        return (root,)
    claude = os.environ.get("CLAUDE_CONFIG_DIR") or str(Path("~/.claude").expanduser())
    codex = os.environ.get("CODEX_HOME") or str(Path("~/.codex").expanduser())
    return (str(Path(claude) / "projects"), str(Path(codex) / "sessions"))
