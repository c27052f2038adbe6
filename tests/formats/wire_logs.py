"""Small request/response logs, and the windows that a transcript's events make of its items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Block, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.transcript import Transcript

Json = dict[str, Any]
TOOLS = [{"name": "Read", "input_schema": {}}]


def asks(text: str) -> Json:
    """Return a user message."""
    return {"role": "user", "content": text}


def says(text: str) -> Json:
    """Return an assistant message in the Messages API's list form."""
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def uses(ident: str, text: str = "") -> Json:
    """Return an assistant message that reads a file."""
    use = {"type": "tool_use", "id": ident, "name": "Read", "input": {"file_path": f"/{ident}"}}
    return {"role": "assistant", "content": [*([{"type": "text", "text": text}] if text else []), use]}


def gives(ident: str, text: str) -> Json:
    """Return a user message with one tool result."""
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": ident, "content": text}]}


def whole(message: Json, tokens: int = 100, **usage: Any) -> Json:
    """Return a response as one JSON message."""
    own = {"input_tokens": tokens, "output_tokens": 5, **usage}
    return {"type": "message", "id": f"m{tokens}", "model": "big", **message, "usage": own}


def pair(messages: list[Json], response: Any, *, error: Any = None, model: str = "big", **body: Any) -> Json:
    """Return one pair; helpers name another model or other tools."""
    request = {"model": model, "system": "S", "tools": TOOLS, "messages": messages, **body}
    return {
        "request": request,
        "response": response,
        "error": error,
        "duration_ms": 1,
        "timestamp": "2026-01-01T00:00Z",
    }


def lines(*pairs: Json) -> Transcript:
    """Load pairs, one a line."""
    return loads(b"\n".join(json.dumps(one).encode() for one in pairs), "wire.jsonl")


def windows(transcript: Transcript) -> Iterator[list[Any]]:
    """Yield what each call was sent by the recorded events alone, block by block, in transcript order."""
    shown: dict[int, tuple[Block, ...]] = {}
    out: set[int] = set()
    summary: list[tuple[int, tuple[Block, ...]]] = []
    for call in transcript.calls:
        for event in (one for one in transcript.events if one.call == call.number):
            if event.kind == "compaction":
                folded = set(range(transcript.envelope, event.at)) - set(event.kept)
                fresh = sorted(folded - out)
                slot = min([fresh[0]] if fresh else [], default=event.at)
                out |= folded
                summary = [(min([slot, *(at for at, _ in summary)]), event.summary)] if event.summary else []
            out |= set(event.left)
            for at in event.back:
                out.discard(at)
                shown.pop(at, None)
            shown |= dict(zip(event.cleared, event.shown, strict=True))
        sent: list[Any] = []
        for at in range(call.at):
            sent += [flat for slot, blocks in summary if slot == at for block in blocks for flat in parts(block)]
            if at not in out:
                sent += [flat for block in shown.get(at, transcript.blocks(at)) for flat in parts(block)]
        sent += [flat for slot, blocks in summary if slot >= call.at for block in blocks for flat in parts(block)]
        yield sent


def parts(block: Block) -> list[Any]:
    """Return a block as plain values."""
    if isinstance(block, Text):
        return [block.text]
    if isinstance(block, Think):
        return [("thinking", block.text)]
    if isinstance(block, ToolCall):
        return [("call", block.id, block.name, json.loads(block.args))]
    if isinstance(block, ToolResult):
        return [("result", block.id), *(part.text if isinstance(part, Text) else part.json for part in block.content)]
    return [("other", block.kind)]


def truth(body: Json) -> list[Any]:
    """Return what a request holds as plain values, read off its JSON without any reader of ours."""
    sent = list(_content(body.get("system")))
    for message in body["messages"]:
        content = list(_content(message.get("content")))
        if any(part == ("other", "compaction") for part in content):
            sent = list(_content(body.get("system")))
        if message["role"] == "tool":
            sent.append(("result", message["tool_call_id"]))
        calls = message.get("tool_calls") or []
        sent += [part for part in content if part or not calls]
        for call in calls:
            function = call["function"]
            sent.append(("call", call["id"], function["name"], json.loads(function["arguments"])))
    return sent


def _content(content: Any) -> Iterator[Any]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        kind = block["type"]
        if kind == "text":
            yield block["text"]
        elif kind == "thinking":
            yield ("thinking", block["thinking"])
        elif kind == "tool_use":
            yield ("call", block["id"], block["name"], block["input"])
        elif kind == "tool_result":
            yield ("result", block["tool_use_id"])
            yield from _content(block["content"])
        else:
            yield ("other", kind)
