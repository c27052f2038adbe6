"""Small inputs of OpenAI's formats, the AI SDK's and LangChain's, with a bit of everything, to be damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MADE = Path(__file__).parent / "made"
SEALED = {"type": "compaction", "id": "k", "encrypted_content": "e"}
CALL = {"type": "function_call", "id": "f", "call_id": "c", "name": "shell", "arguments": '{"command":["ls"]}'}
GIVEN = {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "é"}]}
THOUGHT = {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "t"}], "encrypted_content": "e"}
ASKED = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}]}
SAID = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "b"}]}
CUSTOM = {
    "type": "custom_tool_call",
    "call_id": "p",
    "name": "apply_patch",
    "input": "*** Begin Patch\n*** Add File: x",
}
USAGE = {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 2}


def response(ident: str, *output: Any) -> Any:
    return {"object": "response", "id": ident, "created_at": 1.5, "model": "m", "output": list(output), "usage": USAGE}


def pair(answer: Any, *asked: Any, **more: Any) -> Any:
    return {"request": {"model": "m", "input": list(asked), **more}, "response": answer}


def rollout() -> list[Any]:
    total = {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2, "total_tokens": 11}
    count = {"type": "token_count", "info": {"total_token_usage": total, "last_token_usage": total}}
    meta = {"id": "s", "cwd": "/r", "cli_version": "1", "base_instructions": {"text": "S"}, "source": {"subagent": {}}}
    told: list[tuple[str, Any]] = [
        ("session_meta", meta),
        ("turn_context", {"model": "m", "cwd": "/r"}),
        ("response_item", {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "d"}]}),
        ("response_item", ASKED),
        ("event_msg", {"type": "user_message", "message": "a"}),
        *(("response_item", item) for item in (THOUGHT, CALL, CUSTOM)),
        ("event_msg", count),
        ("response_item", GIVEN),
        ("compacted", {"message": "short", "replacement_history": [ASKED, SEALED]}),
        ("response_item", SAID),
        ("event_msg", {"type": "thread_rolled_back", "num_turns": 1}),
        ("event_msg", {"type": "turn_aborted", "reason": "interrupted"}),
    ]
    return [{"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload} for kind, payload in told]


def seeds() -> list[bytes]:
    """Return the inputs as bytes."""
    body = {"model": "m", "instructions": "S", "input": [ASKED, THOUGHT, CALL, GIVEN, SEALED, SAID]}
    pairs = [
        pair(response("1", THOUGHT, CALL), ASKED, instructions="S"),
        pair(response("2", SAID, SEALED), GIVEN, previous_response_id="1"),
        pair({"object": "response.compaction", "id": "3", "output": [ASKED, SEALED]}, previous_response_id="2"),
        pair(response("4", SAID), SEALED, {"type": "item_reference", "id": "m"}, ASKED),
    ]
    made = [json.loads(path.read_bytes()) for path in sorted(MADE.glob("*.json"))]
    held = [part for one in made for part in (one.values() if isinstance(one, dict) else (one,))]
    values = [body, pairs, *(part for part in held if isinstance(part, list))]
    lines = [rollout(), pairs, body["input"]]
    return [
        *(json.dumps(value).encode() for value in values),
        *(b"\n".join(json.dumps(value).encode() for value in one) for one in lines if isinstance(one, list)),
    ]
