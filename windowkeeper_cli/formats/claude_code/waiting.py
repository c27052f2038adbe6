"""Which prompts were taken from the queue in the middle of a turn, and never got a line of their own?"""

from __future__ import annotations

import re
from bisect import bisect
from collections import deque
from collections.abc import Iterable, Sequence

from windowkeeper_cli.formats.claude_code.chain import Tree
from windowkeeper_cli.formats.claude_code.lines import ASSISTANT, ATTACHMENT, QUEUE, USER, Line, text_of
from windowkeeper_cli.formats.claude_code.people import BLANKS, is_machinery
from windowkeeper_cli.model.block import ToolResult
from windowkeeper_cli.model.value import NamedTuple

_BOOKKEEPING = '{"task_id"'
_SLASH = r"/[A-Za-z][A-Za-z0-9:_-]*(?:[ \t\r\n]|\Z)"
OWN, OWN_NOTICE, TYPED, NOTICE, BOOK = range(5)
"""Kinds of queued texts: with a line of its own (typed, or the program's), without one, bookkeeping."""
_TAKES = {
    "dequeue": ((OWN, OWN_NOTICE), (TYPED, NOTICE), (BOOK,)),
    "remove": ((TYPED, NOTICE), (BOOK,), (OWN, OWN_NOTICE)),
}
"""What an operation takes that names no text: a dequeued one is written as a line of its own, a removed one is not."""


class Taken(NamedTuple):
    """A queued text that was sent: its own line, the line that took it, and whether a person wrote it.

    `place` is the position of the line that it stands behind.
    """

    line: Line
    taken: Line
    text: str
    person: bool
    place: int


def taken_prompts(lines: Sequence[Line]) -> list[Taken]:
    """Return the queued texts that a remove took; one with a line of its own stays out, and so does bookkeeping."""
    queued = [line for line in lines if line.kind == QUEUE]
    if not queued:
        return []
    queue = _Queue(_last_own_lines(lines))
    taken: list[Taken] = []
    for line in queued:
        if line.value is None:
            continue
        operation = line.value.get("operation")
        if operation == "enqueue":
            queue.add(line)
        elif operation == "popAll":
            queue.take_back()
        elif operation == "dequeue" or operation == "remove":
            held = queue.take(operation, line.value.get("content"))
            if held is None or operation == "dequeue":
                continue
            text = _content(held)
            if queue.kind(held) in (TYPED, NOTICE) and not re.match(_SLASH, text):
                taken.append(Taken(held, line, text, not is_machinery(text), line.pos))
    return taken


def within(taken: Sequence[Taken], tree: Tree, met: set[int]) -> list[Taken]:
    """Keep the queued prompts that were taken while the chain was at work: the message before stands on it."""
    if not taken:
        return []
    messages = [at for at, line in enumerate(tree.lines) if line.is_message]
    places = [tree.lines[at].pos for at in messages]
    before = [(prompt, bisect(places, prompt.taken.pos) - 1) for prompt in taken]
    return [prompt for prompt, at in before if at >= 0 and messages[at] in met]


def behind_results(taken: Sequence[Taken], chain: Sequence[Line]) -> list[Taken]:
    """Place a prompt that was taken while calls were open behind the last of their results before the next reply.

    The client appends it to the message that carries those results: no request parts a call from its result.
    """
    if not taken:
        return []
    asked: dict[str | None, set[str]] = {}
    for line in chain:
        if _is_reply(line):
            asked.setdefault(line.reply, set()).update(ref.id for ref in line.calls)
    placed: list[Taken] = []
    unanswered: set[str] = set()
    reached, last = 0, -1
    for line in chain:
        while reached < len(taken) and taken[reached].taken.pos < line.pos:
            reached += 1
        if _is_reply(line) and line.reply in asked:
            placed += _moved(taken[len(placed) : reached], last)
            unanswered, last = asked.pop(line.reply), -1
        elif line.kind == USER and unanswered:
            answered = unanswered.intersection(block.id for block in line.blocks if type(block) is ToolResult)
            if answered:
                unanswered -= answered
                last = line.pos
    return placed + _moved(taken[len(placed) :], last)


def _is_reply(line: Line) -> bool:
    return line.kind == ASSISTANT and not line.synthetic


def _moved(taken: Sequence[Taken], last: int) -> list[Taken]:
    """Place what was taken before the line at `last` behind it."""
    return [prompt._replace(place=last) if prompt.taken.pos < last else prompt for prompt in taken]


class _Queue:
    """The texts that wait, by kind, oldest first; every operation costs the same however many wait."""

    def __init__(self, own: dict[str, int]) -> None:
        self._own = own
        self._waiting: tuple[deque[Line], ...] = tuple(deque() for _ in range(5))
        self._by_text: dict[str, deque[Line]] = {}
        self._gone: set[int] = set()

    def kind(self, line: Line) -> int:
        """Return the kind of a queued text."""
        text = _content(line)
        if text.startswith(_BOOKKEEPING):
            return BOOK
        notice = is_machinery(text)
        if self._own.get(text.strip(BLANKS), -1) > line.pos:
            return OWN_NOTICE if notice else OWN
        return NOTICE if notice else TYPED

    def add(self, line: Line) -> None:
        """Let a text wait."""
        text = _content(line)
        if text:
            self._waiting[self.kind(line)].append(line)
            self._by_text.setdefault(text, deque()).append(line)

    def take(self, operation: str, named: object) -> Line | None:
        """Return the text that an operation takes: the one it names, else the first that fits it."""
        held = self._first(self._by_text.get(named)) if isinstance(named, str) else None
        for kinds in _TAKES[operation]:
            if held is not None:
                break
            heads = [line for line in (self._first(self._waiting[kind]) for kind in kinds) if line is not None]
            held = min(heads, key=lambda line: line.pos, default=None)
        if held is not None:
            self._gone.add(held.pos)
        return held

    def take_back(self) -> None:
        """Forget what went back into the input box: all but the program's own notices."""
        for kind in (OWN, TYPED, BOOK):
            self._gone.update(line.pos for line in self._waiting[kind])
            self._waiting[kind].clear()

    def _first(self, waiting: deque[Line] | None) -> Line | None:
        while waiting and waiting[0].pos in self._gone:
            waiting.popleft()
        return waiting[0] if waiting else None


def _last_own_lines(lines: Iterable[Line]) -> dict[str, int]:
    """Return the last position of every user line and attached command by its text."""
    own: dict[str, int] = {}
    for line in lines:
        text = None
        if line.kind == USER and not line.side:
            text = text_of(line)
        elif line.kind == ATTACHMENT and line.value is not None:
            attached = line.value.get("attachment")
            prompt = attached.get("prompt") if isinstance(attached, dict) else None
            text = prompt if isinstance(prompt, str) else None
        if text:
            own[text.strip(BLANKS)] = line.pos
    return own


def _content(line: Line) -> str:
    content = line.value.get("content") if line.value else None
    return content if isinstance(content, str) else ""
