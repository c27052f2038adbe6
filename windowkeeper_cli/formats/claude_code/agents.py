"""Which subagents does a session have, and which lines are theirs? Side lines, progress lines, files beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from windowkeeper_cli.formats.claude_code.lines import ASSISTANT, USER, Line, read_line
from windowkeeper_cli.formats.claude_code.usage import usage_of
from windowkeeper_cli.formats.content import HIDDEN_THINKING
from windowkeeper_cli.formats.opening import open_path
from windowkeeper_cli.formats.stream import Log, Record, records
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Subagent

_HEAD = 1 << 16


def by_agent(lines: Sequence[Line]) -> dict[str, list[Line]]:
    """Return the side lines by agent, in order of first appearance; one without an id goes by its first line's uuid."""
    found: dict[str, list[Line]] = {}
    owner: dict[str, str] = {}
    for line in lines:
        agent = line.agent
        if agent is None:
            parent = line.parent or ""
            agent = owner.get(parent) or line.uuid or f"line-{line.origin.line}"
        if line.uuid is not None:
            owner.setdefault(line.uuid, agent)
        found.setdefault(agent, []).append(line)
    return {agent: own for agent, own in found.items() if any(line.is_message for line in own)}


def replies_of(lines: Sequence[Line]) -> list[Usage | None]:
    """Return the usage of every reply among the lines, one each."""
    replies: dict[str, list[Line]] = {}
    for line in lines:
        if line.kind == ASSISTANT and not line.synthetic and line.reply is not None:
            replies.setdefault(line.reply, []).append(line)
    return [usage_of(own) for own in replies.values()]


def described(agent: str, lines: Sequence[Line], where: str) -> Subagent:
    """Return what is known of one subagent."""
    usages = replies_of(lines)
    return Subagent(agent, len(usages), total(usages), where)


def block_counts(lines: Sequence[Line]) -> tuple[tuple[str, int], ...]:
    """Return how many blocks of each kind the messages hold, by the names that `info` uses."""
    counts: dict[str, int] = {}
    for line in lines:
        if not line.is_message:
            continue
        for block in line.blocks:
            name = _kind(block, line.kind)
            counts[name] = counts.get(name, 0) + 1
    return tuple(counts.items())


def files_beside(path: Path, session: str | None) -> list[tuple[str, Path]]:
    """Return the subagents' files of a session log: in its own `subagents` folder, and `agent-*.jsonl` beside it."""
    own, inside = path.parent / path.stem / "subagents", path.parent
    found = [(_agent_name(file), file) for file in _listed(own, inside)]
    for file in _listed(path.parent, inside):
        if file != path and session is not None and _session_of(file) == session:
            found.append((_agent_name(file), file))
    return found


def replies_in(path: Path) -> list[Line]:
    """Return the replies of a subagent's file, without their content; one that cannot be read has none."""
    lines: list[Line] = []
    try:
        for record in records(open_path(str(path)), 0, Log()):
            line = _reply(record, len(lines))
            if line is not None:
                lines.append(line)
    except InputError:
        return lines
    return lines


def _reply(record: Record, pos: int) -> Line | None:
    value = record.value
    message = value.get("message") if type(value) is dict and value.get("type") == ASSISTANT else None
    if type(message) is not dict:
        return None
    bare = {**value, "message": {**message, "content": None}}
    return read_line(Record(bare, record.origin), pos)


def _listed(folder: Path, inside: Path) -> Iterator[Path]:
    """Yield the subagents' files in a folder; a link is followed only to what lies in the folder `inside`."""
    try:
        inside = Path(os.path.realpath(inside))
        found = sorted(folder.glob("agent-*.jsonl"))
    except OSError:
        return
    for file in found:
        if file.is_file() and Path(os.path.realpath(file)).is_relative_to(inside):
            yield file


def _agent_name(path: Path) -> str:
    return path.stem.removeprefix("agent-")


def _session_of(path: Path) -> str | None:
    """Return the session that a subagent's file names in its first line."""
    try:
        with path.open("rb") as stream:
            value = orjson.loads(stream.readline(_HEAD))
    except (OSError, ValueError):
        return None
    found = value.get("sessionId") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def _kind(block: object, kind: str) -> str:
    if isinstance(block, Text):
        return "userText" if kind == USER else "assistantText"
    if isinstance(block, Think) or (isinstance(block, Other) and block.kind == HIDDEN_THINKING):
        return "thinking"
    if isinstance(block, ToolCall):
        return "toolCall"
    if isinstance(block, ToolResult):
        return "toolResult"
    return "image" if isinstance(block, Other) and block.kind == "image" else "other"
