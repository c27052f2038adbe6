"""What does one line of a session log say? Its place in the tree of parents, and what of its message was sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.content import blocks_of
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.sealing import Sealed
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.model.block import Blocks, Text
from windowkeeper_cli.model.item import CallRef, Origin
from windowkeeper_cli.model.value import NamedTuple

NO_PARENT_KEY = "\0"
"""A line without a parent key: it follows the line before it. None: it is a root."""
SYNTHETIC = "<synthetic>"
USER, ASSISTANT, SYSTEM, ATTACHMENT = "user", "assistant", "system", "attachment"
MESSAGES = frozenset((USER, ASSISTANT))
LINKS = frozenset((USER, ASSISTANT, SYSTEM, ATTACHMENT, "progress"))
QUEUE = "queue-operation"
KNOWN = LINKS | frozenset(
    (
        QUEUE, "file-history-snapshot", "summary", "pr-link", "last-prompt", "ai-title", "permission-mode",
        "custom-title", "agent-name", "agent-setting", "tag", "mode",
    )
)  # fmt: skip

_FIGURES = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class Reported(NamedTuple):
    """The tokens that one line of a reply reports."""

    input: int
    output: int
    cache_read: int
    cache_write: int


Blocking = Callable[[Any], tuple[Blocks, tuple[CallRef, ...], Sealed | None]]
"""Makes the blocks of a message's content: whole, or only what a count needs; a result alone in it may be sealed."""
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every line of a log passes."""


class Line(NamedTuple):
    """One line; `pos` is its place in the order of the files, `blocks` what of its message the model saw or said.

    `value` keeps the whole record of the few lines that are read for more than that. `sealed` is what was taken of a
    result, whose block then has no content.
    """

    pos: int
    kind: str
    origin: Origin
    uuid: str | None
    parent: str | None
    side: bool
    agent: str | None
    time: str | None
    blocks: Blocks = ()
    calls: tuple[CallRef, ...] = ()
    reply: str | None = None
    model: str | None = None
    usage: Reported | None = None
    stopped: bool = False
    synthetic: bool = False
    meta: bool = False
    summary: bool = False
    value: dict[str, Any] | None = None
    sealed: Sealed | None = None

    @property
    def is_message(self) -> bool:
        """Return whether the line is a person's, harness's or model's message on a main chain or an agent's own."""
        return self.kind in MESSAGES and not self.synthetic


def unsealed(content: Any) -> tuple[Blocks, tuple[CallRef, ...], Sealed | None]:
    """Return the blocks of a content with all that is in them."""
    return *blocks_of(content), None


def text_of(line: Line) -> str:
    """Return the first text of a line's message, empty where it has none."""
    for block in line.blocks:
        if type(block) is Text:
            return block.text
    return ""


def reported(usage: dict[str, Any]) -> Reported:
    """Return the figures of a reply's usage, 0 where one is absent or no figure."""
    get = usage.get
    fields = get(_FIGURES[0]), get(_FIGURES[1]), get(_FIGURES[2]), get(_FIGURES[3])
    for value in fields:
        if type(value) is not int or value < 0:
            return _new(Reported, [value if type(value) is int and value >= 0 else 0 for value in fields])
    return _new(Reported, fields)


def read_line(record: Record, pos: int, blocking: Blocking = unsealed) -> Line | None:
    """Return what a record of a known type says, None for one that is not understood."""
    value, origin = record
    kind = value.get("type") if type(value) is dict else None
    if kind in (ASSISTANT, USER):
        return _message(value, kind, origin, pos, blocking)
    if not isinstance(kind, str) or kind not in KNOWN:
        return None
    blocks: Blocks = ()
    if kind == ATTACHMENT:
        attached = value.get("attachment")
        blocks = (Text(attached if isinstance(attached, str) else compact(attached)),)
    parent = value.get("parentUuid", NO_PARENT_KEY)
    return Line(
        pos,
        kind,
        origin,
        _text(value.get("uuid")),
        parent if parent is None else _text(parent) or NO_PARENT_KEY,
        value.get("isSidechain") is True,
        _text(value.get("agentId")),
        _text(value.get("timestamp")),
        blocks,
        value=value if kind in (SYSTEM, QUEUE, ATTACHMENT) else None,
    )


def agent_line(record: Record, pos: int, blocking: Blocking = unsealed) -> Line | None:
    """Return the subagent's message that an agent progress line carries, None where it carries none."""
    data = record.value.get("data")
    if type(data) is not dict or data.get("type") != "agent_progress":
        return None
    inner = data.get("message")
    agent = _text(data.get("agentId"))
    if type(inner) is not dict or agent is None or inner.get("type") not in (USER, ASSISTANT):
        return None
    line = _message(inner, inner["type"], record.origin, pos, blocking)
    return None if line is None else line._replace(side=True, agent=agent, parent=NO_PARENT_KEY)


def _message(value: dict[str, Any], kind: str, origin: Origin, pos: int, blocking: Blocking) -> Line | None:
    get = value.get
    message = get("message")
    if type(message) is not dict:
        return None
    blocks, calls, sealed = blocking(message.get("content"))
    parent, uuid, time, agent = get("parentUuid", NO_PARENT_KEY), get("uuid"), get("timestamp"), get("agentId")
    model = reply = usage = None
    stopped = synthetic = meta = summary = False
    if kind == USER:
        meta, summary = get("isMeta") is True, get("isCompactSummary") is True
    else:
        model, reply, usage = message.get("model"), message.get("id"), message.get("usage")
        stopped = message.get("stop_reason") is not None
        synthetic = model == SYNTHETIC or get("isApiErrorMessage") is True
        if type(reply) is not str or not reply:
            reply = _text(get("requestId")) or f"line {origin.file}:{origin.line}:{origin.offset}"
    fields = (
        pos,
        kind,
        origin,
        uuid if type(uuid) is str else None,
        parent if parent is None or type(parent) is str else NO_PARENT_KEY,
        get("isSidechain") is True,
        agent if type(agent) is str else None,
        time if type(time) is str else None,
        blocks,
        calls,
        reply,
        model if type(model) is str else None,
        reported(usage) if type(usage) is dict and usage else None,
        stopped,
        synthetic,
        meta,
        summary,
        None,
        sealed,
    )
    return _new(Line, fields)


def _text(value: Any) -> str | None:
    return value if type(value) is str else None
