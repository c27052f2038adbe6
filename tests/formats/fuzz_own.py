"""Small inputs of our own format, Claude Code's log and two bodies, with a bit of everything, to be damaged."""

from __future__ import annotations

import json

from tests.formats.logs import LogFile, call, text


def seeds() -> list[bytes]:
    """Return the inputs as bytes."""
    log = LogFile()
    log.user("a")
    log.reply("m1", text("b"), call("x", command="ls"), usage={"input_tokens": 1, "output_tokens": 2}, stop="tool_use")
    log.result("x", [{"type": "text", "text": "é"}, {"type": "image", "source": {"data": "aGVsbG8="}}])
    log.add("system", parent=None, subtype="compact_boundary", logicalParentUuid="u3", compactMetadata={"preTokens": 5})
    log.user("summary", isCompactSummary=True)
    log.bare(type="queue-operation", operation="enqueue", content="q")
    log.bare(type="queue-operation", operation="remove")
    inner = {"type": "user", "uuid": "a1", "message": {"role": "user", "content": "side"}}
    log.add("progress", data={"type": "agent_progress", "agentId": "ag", "message": inner})
    log.add("attachment", attachment={"type": "todo_reminder", "content": [1.5]})
    log.reply("m2", text("c"))
    ours = {
        "format": "windowkeeper/1",
        "system": "S",
        "messages": [
            {"role": "user", "content": "a", "task": True, "tags": ["x"], "ttlTurns": 2},
            {"role": "assistant", "content": "", "toolCalls": [{"id": "c", "name": "n", "args": {"a": 1.5}}]},
            {"role": "tool", "toolCallId": "c", "content": "r"},
        ],
        "paused": {"toolCallId": "c"},
        "request": "a",
    }
    chat = [
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "function": {"name": "n", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "r"},
    ]
    body = {
        "system": "S",
        "messages": [{"role": "assistant", "content": [call("x")]}, {"role": "user", "content": "b"}],
    }
    documents = [json.dumps(value, indent=indent).encode() for value in (ours, chat, body) for indent in (None, 1)]
    return [log.encoded(), *documents]
