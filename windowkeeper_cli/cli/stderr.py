"""What goes to standard error: one line at a time, transcript content escaped."""

from __future__ import annotations

import sys

from windowkeeper_cli.render.escape import escape


def complain(text: str) -> None:
    """Write `windowkeeper: text` as one line."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "utf-8"
    line = escape(text, encoding=encoding)
    try:
        sys.stderr.write(f"windowkeeper: {line}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def warn(text: str, *, quiet: bool) -> None:
    """Write a warning, unless the user asked for quiet."""
    if not quiet:
        complain(f"warning: {text}")
