"""What of a session log's lines does counting need? Places in the tree, ids, requests' texts, reported prompts."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.claude_code.lines import (
    ASSISTANT,
    MESSAGES,
    NO_PARENT_KEY,
    SYNTHETIC,
    USER,
    Line,
    Reported,
    agent_line,
    read_line,
    reported,
)
from windowkeeper_cli.formats.content import blocks_of
from windowkeeper_cli.formats.listed import one_by_one
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, ToolResult
from windowkeeper_cli.model.item import CallRef, Origin

_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every line of a log passes."""
SEEN = _new(Other, ("other", "", None))
"""Stands for content that is there and is not counted."""


class Light:
    """The lines of a log without their texts, and what was seen while they passed."""

    def __init__(self, reading: Reading) -> None:
        self.main: list[Line] = []
        self.side: list[Line] = []
        self.times: list[str] = []
        self.prompts: dict[str, int] = {}
        self.unknown = 0
        self.last: Any = None
        self.project: str | None = None
        self._main_ids: set[str] = set()
        self._side_ids: set[str] = set()
        self._read(reading)

    def _read(self, reading: Reading) -> None:
        pos, times, ids = 0, self.times, self._main_ids
        keep, seen, prompts = self.main.append, ids.add, self.prompts
        for record in one_by_one(reading.records):
            line = _light(record, pos, prompts)
            if line is None:
                self.unknown += 1
                continue
            kind, uuid = line.kind, line.uuid
            if line.side or uuid is None:
                if self._is_copy(line):
                    continue
            elif uuid in ids:
                continue
            else:
                seen(uuid)
            pos += 1
            if kind in MESSAGES:
                if line.time is not None:
                    times.append(line.time)
                if line.usage is not None:
                    self._said(line.reply, line.usage)
                if uuid is not None and not line.synthetic:
                    self.last = record.value.get("sessionId")
            elif kind == "progress":
                pos += self._agents(record, pos)
            if self.project is None:
                project = record.value.get("cwd")
                self.project = project if isinstance(project, str) else None
            if line.side:
                self.side.append(line)
            else:
                keep(line)

    @property
    def session(self) -> str | None:
        """Return the session that the last message names."""
        return self.last if isinstance(self.last, str) else None

    def _is_copy(self, line: Line) -> bool:
        """Return whether a line with that uuid has passed; as `Merge` does for one file."""
        uuid = line.uuid
        if uuid is None:
            return False
        known = self._side_ids if line.side else self._main_ids
        if uuid in known:
            return True
        known.add(uuid)
        return False

    def _agents(self, record: Record, pos: int) -> int:
        """Keep the subagent's message that a progress line carries; return how many that is."""
        inner = agent_line(record, pos, _bare)
        if inner is None or self._is_copy(inner):
            return 0
        if inner.usage is not None:
            self._said(inner.reply, inner.usage)
        self.side.append(inner)
        return 1

    def _said(self, reply: str | None, usage: Reported) -> None:
        """Note the prompt that the first line of a reply reports."""
        if reply is not None and reply not in self.prompts:
            self.prompts[reply] = usage.input + usage.cache_read + usage.cache_write


def _light(record: Record, pos: int, prompts: dict[str, int]) -> Line | None:
    """Return what `read_line` does, for counting; the common lines of one block in one step.

    What a further line of a reply in `prompts` reports is left out.
    """
    value, origin = record
    if type(value) is dict:
        get = value.get
        message, side, uuid, parent = get("message"), get("isSidechain"), get("uuid"), get("parentUuid", NO_PARENT_KEY)
        if type(message) is dict and side is False and type(uuid) is str and (parent is None or type(parent) is str):
            content = message.get("content")
            if type(content) is list and len(content) == 1 and type(content[0]) is dict:
                line = _common(value, message, content[0], (pos, origin, uuid, parent), prompts)
                if line is not None:
                    return line
    return read_line(record, pos, _bare)


def _common(
    value: dict[str, Any],
    message: dict[str, Any],
    block: dict[str, Any],
    place: tuple[int, Origin, str, str | None],
    prompts: dict[str, int],
) -> Line | None:
    """Return the line of a result, a call, or a thought or text of the model; None for any other."""
    pos, origin, uuid, parent = place
    kind, form, time = value.get("type"), block.get("type"), value.get("timestamp")
    if type(time) is not str:
        return None
    if kind == USER:
        ident = block.get("tool_use_id")
        if form != "tool_result" or type(ident) is not str:
            return None
        blocks = (_new(ToolResult, (ident, None, False, ())),)
        fields: tuple[Any, ...] = (pos, USER, origin, uuid, parent, False, None, time, blocks)
        return _new(Line, (*fields, (), None, None, None, False, False, False, False, None, None))
    reply, usage = message.get("id"), message.get("usage")
    if kind != ASSISTANT or type(reply) is not str or not reply or type(usage) is not dict or not usage:
        return None
    calls: tuple[CallRef, ...] = ()
    if form == "tool_use":
        ident = block.get("id")
        if type(ident) is not str:
            return None
        calls = (_new(CallRef, (ident, "", None)),)
    elif form != "text" and form != "thinking":
        return None
    synthetic = message.get("model") == SYNTHETIC or value.get("isApiErrorMessage") is True
    figures = None if reply in prompts else reported(usage)
    fields = (pos, ASSISTANT, origin, uuid, parent, False, None, time, (), calls, reply)
    return _new(Line, (*fields, None, figures, False, synthetic, False, False, None, None))


def _bare(content: Any) -> tuple[Blocks, tuple[CallRef, ...], None]:
    """Return the blocks of a content as far as counting needs them: ids, and the texts of plain text blocks."""
    if content is None or isinstance(content, str):
        return *blocks_of(content), None
    if type(content) is not list:
        return (SEEN,), (), None
    blocks, calls = blocks_of(content)
    return tuple([_emptied(block) for block in blocks]), calls, None


def _emptied(block: Block) -> Block:
    if type(block) is ToolResult:
        return block._replace(content=())
    return block if type(block) is Text else SEEN
