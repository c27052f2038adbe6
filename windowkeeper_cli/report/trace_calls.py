"""What did a tool call look at: its tool, the end of its path, and the lines that it was limited to?"""

from __future__ import annotations

import json

from windowkeeper_cli.model.block import ToolCall
from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.replay.trace import Event
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.subject import Subject

PATH_CHARS = 60
_RANGES = (("offset", "limit", True), ("start_line", "end_line", False), ("startLine", "endLine", False))
"""Arguments that name the first line of a look, and how many there are or the last one."""


def gave(subject: Subject, event: Event) -> str:
    """Return what came: a tool and a path with the lines looked at, else what the item is."""
    at = event.at or 0
    item = subject.transcript.items[at]
    text = about(subject, at)
    use = event.use
    if use is not None:
        call = call_of(subject, use.at, use.call_id)
        if call is not None:
            text = f"{one_line(call.name, 40)} {short_path(subject, use.at, use.call_id)}{line_range(call.args)}"
    return f"{text}; an error" if item.is_error else text


def call_of(subject: Subject, at: int, call_id: str) -> ToolCall | None:
    """Return the tool call of a message by its id, None where it has no such call."""
    blocks = subject.transcript.blocks(at)
    return next((block for block in blocks if isinstance(block, ToolCall) and block.id == call_id), None)


def short_path(subject: Subject, at: int, call_id: str) -> str:
    """Return the path of a call by its two last segments."""
    calls = subject.transcript.items[at].calls
    path = next((call.resource or "" for call in calls if call.id == call_id), "")
    if "/" not in path or " " in path:
        return one_line(path, PATH_CHARS)
    return one_line("/".join(path.rstrip("/").split("/")[-2:]), PATH_CHARS)


def line_range(args: str) -> str:
    """Return the lines that a look was limited to, as `:210-229`."""
    try:
        found = json.loads(args)
    except (ValueError, RecursionError):
        return ""
    for first, second, is_count in _RANGES if isinstance(found, dict) else ():
        start, size = found.get(first), found.get(second)
        if type(start) is int and type(size) is int:
            return f":{start}-{start + size - 1 if is_count else size}"
        if type(start) is int:
            return f":{start}-"
        if type(size) is int:
            return f":1-{size}"
    return ""
