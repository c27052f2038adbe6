"""Which prompts were taken from the queue in the middle of a turn, and never got a line of their own?"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from windowkeeper_cli.formats.claude_code.chain import Tree
from windowkeeper_cli.formats.claude_code.lines import ATTACHMENT, QUEUE, USER, Line, text_of
from windowkeeper_cli.formats.claude_code.people import is_machinery

_BOOKKEEPING = '{"task_id"'
_SLASH = re.compile(r"/[A-Za-z][A-Za-z0-9:_-]*(?:[ \t\r\n]|\Z)")


class Taken(NamedTuple):
    """A queued text that was sent: its own line, the line that took it, and whether a person wrote it."""

    line: Line
    taken: Line
    text: str
    person: bool


def taken_prompts(lines: Sequence[Line]) -> list[Taken]:
    """Return the queued texts that a remove took; one with a line of its own stays out, and so does bookkeeping."""
    own = _own_lines(lines)
    queue: list[Line] = []
    taken: list[Taken] = []
    for line in lines:
        if line.kind != QUEUE or line.value is None:
            continue
        operation, text = line.value.get("operation"), line.value.get("content")
        if operation == "enqueue" and isinstance(text, str):
            queue.append(line)
        elif operation == "popAll":
            queue = [held for held in queue if is_machinery(_content(held))]
        elif operation in ("dequeue", "remove") and queue:
            held = queue.pop(_which(queue, own, operation, text))
            content = _content(held)
            sent = not content.startswith(_BOOKKEEPING) and not _SLASH.match(content)
            if operation == "remove" and sent and not _has_own(held, own):
                taken.append(Taken(held, line, content, not is_machinery(content)))
    return taken


def _which(queue: list[Line], own: dict[str, list[int]], operation: str, text: object) -> int:
    """Return which waiting text an operation took: the one it names, else the first that fits it."""
    if isinstance(text, str):
        for at, held in enumerate(queue):
            if _content(held) == text:
                return at
    for at, held in enumerate(queue):
        if _has_own(held, own) == (operation == "dequeue") and not _content(held).startswith(_BOOKKEEPING):
            return at
    if operation == "remove":
        for at, held in enumerate(queue):
            if _content(held).startswith(_BOOKKEEPING):
                return at
    return 0


def _own_lines(lines: Iterable[Line]) -> dict[str, list[int]]:
    """Return the positions of user lines and attached commands by their text."""
    own: dict[str, list[int]] = {}
    for line in lines:
        text = None
        if line.kind == USER and not line.side:
            text = text_of(line)
        elif line.kind == ATTACHMENT and line.value is not None:
            attached = line.value.get("attachment")
            prompt = attached.get("prompt") if isinstance(attached, dict) else None
            text = prompt if isinstance(prompt, str) else None
        if text:
            own.setdefault(text.strip(), []).append(line.pos)
    return own


def _has_own(line: Line, own: dict[str, list[int]]) -> bool:
    return any(pos > line.pos for pos in own.get(_content(line).strip(), ()))


def _content(line: Line) -> str:
    content = line.value.get("content") if line.value else None
    return content if isinstance(content, str) else ""


def within(taken: Sequence[Taken], tree: Tree, met: set[int]) -> list[Taken]:
    """Keep the queued prompts that were taken while the chain was at work: the message before stands on it."""
    if not taken:
        return []
    messages = [at for at, line in enumerate(tree.lines) if line.is_message]
    places = [tree.lines[at].pos for at in messages]
    before = [(prompt, bisect(places, prompt.taken.pos) - 1) for prompt in taken]
    return [prompt for prompt, at in before if at >= 0 and messages[at] in met]
