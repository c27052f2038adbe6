"""How is a transcript or a window written in our own format? Everything that a transcript holds has its place in it."""

from __future__ import annotations

from typing import Any

import orjson

from windowkeeper_cli.formats.content import blocks_of, made_call, result_content
from windowkeeper_cli.formats.own_blocks import value_of, values_of
from windowkeeper_cli.formats.windowkeeper import VERSION
from windowkeeper_cli.formats.writers.arguments import parsed
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.shapes import said
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Call, Usage
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, Item
from windowkeeper_cli.model.sent import Sent, Window

AUTHORS = {SYSTEM: HARNESS, USER: PERSON, ASSISTANT: MODEL, TOOL: TOOL}
"""Who wrote a message of a role, where it says nothing else."""


def write(window: Window, losses: Losses) -> dict[str, Any]:
    """Return the body; subagents are transcripts of their own, and the only thing that it does not hold."""
    transcript = window.transcript
    losses.add("subagents, transcripts of their own (--agent ID chooses one)", len(transcript.agents))
    calls = {call.at: call for call in transcript.calls}
    is_whole = len(window.parts) == len(transcript.items) and all(part.at is not None for part in window.parts)
    body: dict[str, Any] = {"format": VERSION}
    for key, text in (("session", transcript.session), ("agent", transcript.agent)):
        if text is not None:
            body[key] = text
    parts = window.parts
    if parts and _is_plain_system(parts[0], transcript.items):
        body["system"] = _content(parts[0].blocks)
        parts = parts[1:]
    body["messages"] = [_message(part, transcript.items, calls, whole=is_whole) for part in parts]
    if transcript.paused is not None:
        body["paused"] = {"toolCallId": transcript.paused.tool_call_id, "checkIn": transcript.paused.check_in}
    if transcript.request is not None:
        body["request"] = transcript.request
    if transcript.events and is_whole:
        body["events"] = [_event(event) for event in transcript.events]
    return body


def _is_plain_system(part: Sent, items: tuple[Item, ...]) -> bool:
    if part.at != 0 or part.role != SYSTEM or not part.blocks:
        return False
    item = items[0]
    return not _flags(item) and item.timestamp is None and item.authored_by == HARNESS


def _message(part: Sent, items: tuple[Item, ...], calls: dict[int, Call], *, whole: bool) -> dict[str, Any]:
    if part.at is None:
        return {"role": part.role, "content": _content(part.blocks), "injected": True}
    item = items[part.at]
    message: dict[str, Any] = {"role": part.role}
    if part.role == TOOL and len(part.blocks) == 1 and isinstance(part.blocks[0], ToolResult):
        message |= _result(part.blocks[0])
    else:
        message |= _said(part.role, part.blocks)
    message |= _flags(item)
    if whole and item.expands >= 0:
        message["expands"] = item.expands
    if item.timestamp is not None:
        message["time"] = item.timestamp
    call = calls.get(part.at)
    return message if call is None else message | _reply(call)


def _result(result: ToolResult) -> dict[str, Any]:
    made: dict[str, Any] = {"toolCallId": result.id}
    if result.name is not None:
        made["toolName"] = result.name
    made["content"] = _result_content(result)
    if result.error:
        made["isError"] = True
    return made


def _result_content(result: ToolResult) -> Any:
    content = result.content
    if len(content) == 1 and isinstance(content[0], Text):
        return content[0].text
    return [_plain(part) if result_content([_plain(part)]) == (part,) else value_of(part) for part in content]


def _said(role: str, blocks: Blocks) -> dict[str, Any]:
    """Return the content of a message, the calls at its end apart, as its author would write them."""
    head = len(blocks)
    while role == ASSISTANT and head and isinstance(blocks[head - 1], ToolCall):
        head -= 1
    calls = blocks[head:]
    made: dict[str, Any] = {"content": "" if calls and not head else _content(blocks[:head])}
    if calls:
        made["toolCalls"] = [_call(block) for block in calls if isinstance(block, ToolCall)]
    return made


def _content(blocks: Blocks) -> Any:
    if not blocks:
        return None
    if len(blocks) == 1 and isinstance(blocks[0], Text):
        return blocks[0].text
    return [_plain(block) if blocks_of([_plain(block)])[0] == (block,) else value_of(block) for block in blocks]


def _plain(block: Block) -> Any:
    """Return a block in the plain shape that our format shares with the Messages API, a call as it is kept exactly."""
    if isinstance(block, Text | Think):
        return said(block)
    if isinstance(block, Other):
        value, _ = parsed(block.json)
        return value
    return value_of(block)


def _call(call: ToolCall) -> dict[str, Any]:
    """Return a call, its arguments as an object where that gives the same text again."""
    value, exact = parsed(call.args) if call.args[:1] == "{" else (None, False)
    args = value if exact and isinstance(value, dict) and _is_read(call, value) else call.args
    return {"id": call.id, "name": call.name, "args": args}


def _is_read(call: ToolCall, value: dict[str, Any]) -> bool:
    try:
        again = orjson.loads(orjson.dumps(value, option=orjson.OPT_PASSTHROUGH_SUBCLASS))
    except (TypeError, ValueError):
        return False
    return made_call(call.id, call.name, again)[0] == call


def _flags(item: Item) -> dict[str, Any]:
    """Return what an author says of a message, and who that is where its role does not say."""
    made: dict[str, Any] = {}
    request = item.role == USER
    if item.role == USER and item.authored_by == HARNESS and not item.request:
        made["injected"] = True
    else:
        if item.authored_by != AUTHORS[item.role]:
            made["authoredBy"] = item.authored_by
        if item.request is not request:
            made["request"] = item.request
    for key, value in (("pinned", item.pinned), ("task", item.task)):
        if value:
            made[key] = True
    if item.tags:
        made["tags"] = list(item.tags)
    for name, told in (("ttlTurns", item.ttl_turns), ("effect", item.effect), ("stage", item.stage)):
        if told is not None:
            made[name] = told
    return made


def _reply(call: Call) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, text in (("messageId", call.message_id), ("model", call.model)):
        if text is not None:
            made[key] = text
    return made if call.usage is None else {**made, "usage": _usage(call.usage)}


def _usage(usage: Usage) -> dict[str, Any]:
    made: dict[str, Any] = {
        "inputTokens": usage.input,
        "outputTokens": usage.output,
        "cacheReadTokens": usage.cache_read,
        "cacheWriteTokens": usage.cache_write,
    }
    if usage.reasoning:
        made["reasoningTokens"] = usage.reasoning
    return made if usage.output_final else {**made, "outputFinal": False}


def _event(event: Event) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": event.kind, "at": event.at, "call": event.call, "where": event.where}
    told = (
        ("line", event.line),
        ("trigger", event.trigger),
        ("preTokens", event.pre_tokens),
        ("summary", values_of(event.summary) or None),
        ("summaryId", event.summary_id),
        ("summaryLine", event.summary_line),
        ("cleared", list(event.cleared) or None),
        ("kept", list(event.kept) or None),
        ("left", list(event.left) or None),
        ("back", list(event.back) or None),
        ("shown", [values_of(blocks) for blocks in event.shown] or None),
    )
    return made | {key: value for key, value in told if value is not None}
