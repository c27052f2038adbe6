"""What can be told of a conversation whose spans hold no requests? What models gave and tools returned, by time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import Part
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.otel.messages import call_from, entries_of, given_back, system_blocks
from windowkeeper_cli.formats.otel.spans import Span
from windowkeeper_cli.formats.otel.telling import model_of, told_by, usage_of
from windowkeeper_cli.formats.otel.tree import Group
from windowkeeper_cli.model.block import Text, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER

_NAMES = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
_IDS = ("gen_ai.tool.call.id", "tool_call.id", "tool.id")
_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments", "tool.parameters", "input.value")
_RESULTS = ("gen_ai.tool.call.result", "tool_response", "output.value")


def entries_in(groups: Iterable[Group]) -> list[Entry]:
    """Return the entries of the groups: each reply, with the tools that ran between its start and the next one's."""
    made: list[Entry] = []
    for group in groups:
        if not group.models:
            continue
        if group.agent is not None:
            made += _asked(group.agent)
        starts = [span.start for span in group.models[1:]]
        tools = list(group.tools)
        for span, until in zip(group.models, [*starts, None], strict=True):
            ran = [tool for tool in tools if until is None or tool.start < until]
            tools = tools[len(ran) :]
            made += _answered(span, ran)
    return made


def _asked(agent: Span) -> list[Entry]:
    """Return what an agent was given, as its own span tells it."""
    told = told_by(agent)
    made: list[Entry] = []
    blocks = system_blocks(told.system)
    if blocks:
        made.append(_entry(agent, SYSTEM, blocks, HARNESS))
    for value in told.sent or ():
        made += [one._replace(timestamp=agent.time) for one in entries_of(Message(value, agent.origin, agent.place))]
    text = text_or_none(agent.attributes, "input.value")
    if told.sent is None and text is not None:
        made.append(_entry(agent, USER, (Text(text),), PERSON)._replace(request=True))
    return made


def _answered(span: Span, tools: list[Span]) -> list[Entry]:
    """Return a reply, the calls of the tools that it does not name itself, and their results."""
    given = [one for value in told_by(span).given for one in entries_of(Message(value, span.origin, span.place))]
    first = next((one for one in given if one.role == ASSISTANT), _entry(span, ASSISTANT, (), MODEL))
    blocks, refs, places = list(first.blocks), list(first.calls), list(first.call_places)
    results: list[Entry] = []
    known = {block.id for block in blocks if isinstance(block, ToolCall)}
    for tool in tools:
        call = _call_of(tool)
        assert isinstance(call.block, ToolCall) and call.ref is not None
        if call.block.id not in known:
            blocks.append(call.block)
            refs.append(call.ref)
            places.append(tool.place or tool.origin.line)
        results.append(_entry(tool, TOOL, (_result_of(tool, call.block),), TOOL))
    reply = Reply(
        text_or_none(span.attributes, "gen_ai.response.id"), model_of(span.attributes), usage_of(span.attributes)
    )
    said = first._replace(
        blocks=tuple(blocks), calls=tuple(refs), call_places=tuple(places), reply=reply, timestamp=span.time
    )
    return [said, *results]


def _entry(span: Span, role: str, blocks: tuple[Any, ...], author: str) -> Entry:
    return Entry(role, blocks, (span.origin,), author, place=span.place, timestamp=span.time)


def _told(span: Span, keys: tuple[str, ...]) -> Any:
    return next((span.attributes[key] for key in keys if span.attributes.get(key) is not None), None)


def _call_of(tool: Span) -> Part:
    ident, args = _told(tool, _IDS), _told(tool, _ARGUMENTS)
    call, ref = call_from(ident or tool.key.rpartition("/")[2], _told(tool, _NAMES) or tool.name, args)
    return Part(call, -1, ref)


def _result_of(tool: Span, call: ToolCall) -> ToolResult:
    kept = _told(tool, _RESULTS)
    kept = tool.failed if kept is None else kept
    return ToolResult(call.id, call.name or None, tool.failed is not None, given_back(kept))
