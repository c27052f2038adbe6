"""How do the lines of one chain become entries, in the order in which they were sent?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from windowkeeper_cli.formats.claude_code.lines import ASSISTANT, ATTACHMENT, USER, Line
from windowkeeper_cli.formats.claude_code.people import expansions, is_machinery, is_person
from windowkeeper_cli.formats.claude_code.usage import usage_of
from windowkeeper_cli.formats.claude_code.waiting import Taken
from windowkeeper_cli.formats.content import without_empty
from windowkeeper_cli.formats.entry import NO_FLAGS, NO_REPLY, Entry, Reply
from windowkeeper_cli.model.block import Block, Blocks, Text, ToolResult
from windowkeeper_cli.model.item import ASSISTANT as ROLE_ASSISTANT
from windowkeeper_cli.model.item import HARNESS, MODEL, PERSON, TOOL, CallRef, Origin
from windowkeeper_cli.model.item import USER as ROLE_USER

_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every message of a log passes."""


class Sent:
    """The entries of a chain in order, and beside each the position of the line that it stands at."""

    def __init__(self, chain: Sequence[Line], taken: Sequence[Taken], *, subagent: bool) -> None:
        self.entries: list[Entry] = []
        self.places: list[int] = []
        self._commands = expansions(chain)
        self._replies: dict[str, list[Line]] = {}
        self._asked: dict[str, int] = {}
        self._early: dict[int, list[Entry]] = {}
        self._index: dict[int, int] = {}
        self._group(chain)
        self._emit(chain, taken)
        if subagent:
            self._first_prompt()
        self._expand()

    def _group(self, chain: Sequence[Line]) -> None:
        """Collect the lines of every reply, and where each tool call's reply begins."""
        replies, asked = self._replies, self._asked
        for line in chain:
            if line.kind == ASSISTANT and not line.synthetic:
                own = replies.setdefault(line.reply or "", [])
                own.append(line)
                for ref in line.calls:
                    asked.setdefault(ref.id, own[0].pos)

    def _emit(self, chain: Sequence[Line], taken: Sequence[Taken]) -> None:
        waiting = iter(taken)
        prompt = next(waiting, None)
        for line in chain:
            while prompt is not None and prompt.place < line.pos:
                self._add(_queued(prompt), prompt.place)
                prompt = next(waiting, None)
            kind = line.kind
            if kind == ASSISTANT:
                self._answered(line)
            elif kind == USER:
                if not line.summary:
                    self._said(line)
            elif kind == ATTACHMENT:
                self._add(_attachment(line), line.pos)
        while prompt is not None:
            self._add(_queued(prompt), prompt.place)
            prompt = next(waiting, None)

    def _add(self, entry: Entry, pos: int) -> None:
        self.entries.append(entry)
        self.places.append(pos)

    def _answered(self, line: Line) -> None:
        """Add a reply at its first line, and behind it the results that stand before that line."""
        own = self._replies.get(line.reply or "")
        if line.synthetic or own is None or own[0] is not line:
            return
        self._add(_reply(own), line.pos)
        for early in self._early.pop(line.pos, ()):
            self._add(early, line.pos)

    def _said(self, line: Line) -> None:
        blocks = line.blocks
        if len(blocks) == 1 and type(blocks[0]) is ToolResult:
            self._result(line, blocks[0], blocks)
            return
        for own in _split(blocks):
            first = own[0] if own else None
            if type(first) is ToolResult:
                self._result(line, first, own)
            else:
                self._index.setdefault(line.pos, len(self.entries))
                self._add(self._texts(line, own), line.pos)

    def _result(self, line: Line, result: ToolResult, blocks: Blocks) -> None:
        fields = (
            TOOL, blocks, (line.origin,), TOOL, False, None, line.time, (), (), NO_REPLY, NO_FLAGS, -1, line.sealed,
        )  # fmt: skip
        entry, pos = _new(Entry, fields), line.pos
        call = self._asked.get(result.id, -1)
        if call > pos:
            self._early.setdefault(call, []).append(entry)
        else:
            self.entries.append(entry)
            self.places.append(pos)

    def _texts(self, line: Line, blocks: Blocks) -> Entry:
        text = next((block.text for block in blocks if isinstance(block, Text)), "")
        typed = bool(blocks) and is_person(line, self._commands) and not is_machinery(text)
        return Entry(ROLE_USER, blocks, (line.origin,), PERSON if typed else HARNESS, typed, None, line.time)

    def _first_prompt(self) -> None:
        """A subagent's prompts are a model's; the first of them is its current request all the same."""
        first = True
        for at, entry in enumerate(self.entries):
            if entry.request:
                self.entries[at] = entry._replace(authored_by=MODEL, request=first)
                first = False

    def _expand(self) -> None:
        for command, expansion in self._commands.items():
            at, request = self._index.get(expansion), self._index.get(command)
            if at is not None and request is not None:
                self.entries[at] = self.entries[at]._replace(expands=request)


def _reply(lines: Sequence[Line]) -> Entry:
    first = lines[0]
    blocks: list[Block] = []
    calls: list[CallRef] = []
    origins: list[Origin] = []
    places: list[str | int] = []
    for line in lines:
        blocks += line.blocks
        origin, own = line.origin, line.calls
        origins.append(origin)
        if own:
            calls += own
            places += [origin.line] * len(own)
    said = tuple(blocks)
    reply = _new(Reply, (first.reply, first.model, usage_of(lines)))
    fields = (
        ROLE_ASSISTANT, without_empty(said) if calls else said, tuple(origins), MODEL, False, None, first.time,
        tuple(calls), tuple(places), reply, NO_FLAGS, -1, None,
    )  # fmt: skip
    return _new(Entry, fields)


def _split(blocks: Blocks) -> Iterator[Blocks]:
    """Yield each result on its own, and what stands between results together."""
    held: list[Block] = []
    alone = True
    for block in blocks:
        if type(block) is ToolResult:
            if held:
                yield tuple(held)
                held.clear()
            yield (block,)
            alone = False
        else:
            held.append(block)
    if held or alone:
        yield tuple(held)


def _attachment(line: Line) -> Entry:
    prompt = _queued_prompt(line.value.get("attachment") if line.value else None)
    typed = prompt is not None and not is_machinery(prompt)
    blocks = line.blocks if prompt is None else (Text(prompt),)
    return Entry(ROLE_USER, blocks, (line.origin,), PERSON if typed else HARNESS, typed, None, line.time)


def _queued_prompt(attached: Any) -> str | None:
    """Return the text of a queued command that was attached, where a person wrote it."""
    if not isinstance(attached, dict) or attached.get("type") != "queued_command":
        return None
    prompt = attached.get("prompt")
    return prompt if isinstance(prompt, str) and attached.get("commandMode", "prompt") == "prompt" else None


def _queued(prompt: Taken) -> Entry:
    author = PERSON if prompt.person else HARNESS
    origins = (prompt.line.origin, prompt.taken.origin)
    return Entry(ROLE_USER, (Text(prompt.text),), origins, author, prompt.person, None, prompt.taken.time)
