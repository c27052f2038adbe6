"""How are the parts of a log's tree named that its transcript leaves out, and the parents that are lost?"""

from __future__ import annotations

from windowkeeper_cli.formats.unknown import counted
from windowkeeper_cli.model.finding import Finding


def abandoned(where: str, line: int, ident: str | None, messages: int, calls: int) -> Finding:
    """Return the finding on a branch that begins at `where`, with how many messages and calls it holds."""
    text = f"an abandoned branch of {counted(messages, 'message')} ({counted(calls, 'call')}) is not in the transcript"
    return Finding("abandoned-branch", where, text, line, ident)


def dangling(where: str, line: int, ident: str | None) -> Finding:
    """Return the finding on a record whose parent is lost."""
    text = "its parent is in none of the lines; the nearest earlier message takes its place"
    return Finding("dangling-parent", where, text, line, ident)
