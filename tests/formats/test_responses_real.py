"""The real Responses API logs: every pair is a call or asks for a compaction, and every window is the one sent.

Calls as the manifest counts them (`api calls` counts each response). What was sent is put together from the JSON by
itself: a request's own input behind all that its `previous_response_id` names, from the last compaction by the server.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import SHARED
from tests.formats.wire_logs import windows
from windowkeeper_cli.formats import load
from windowkeeper_cli.tokens import counts

FOLDER = SHARED / "sessions" / "openai-responses"
CALLS = {
    FOLDER / "responses-compact-stateful.json": [1, 2, 3, 4],
    FOLDER / "responses-previous-id-chain.json": [1, 2, 4, 6, 8],
    FOLDER / "responses-reasoning-tools.json": [1, 2],
}
"""The pairs that are calls, read off the files by hand: 3, 5 and 7 of the chain ask for a compaction, `/compact`."""
pytestmark = pytest.mark.skipif(not all(path.is_file() for path in CALLS), reason="the shared sessions are not here")
every = pytest.mark.parametrize("path", CALLS, ids=lambda path: path.stem)


def sent(pairs: list[Any], number: int) -> list[Any]:
    """Return what request `number` put in the window, as the test's `windows` shows it."""
    request = pairs[number - 1]["request"]
    items = list(request["input"])
    before = request.get("previous_response_id")
    while before is not None:
        earlier = next(pair for pair in pairs if pair["response"]["id"] == before)
        items = [*earlier["request"]["input"], *earlier["response"]["output"], *items]
        before = earlier["request"].get("previous_response_id")
    folds = [n for n, item in enumerate(items) if item.get("type") == "compaction"]
    told = [request["instructions"]] if "instructions" in request else []
    return [*told, *(part for item in items[max(folds, default=0) :] for part in shown(item))]


def shown(item: Any) -> list[Any]:
    kind = item.get("type", "message")
    if kind == "message":
        content = item["content"]
        return [content] if isinstance(content, str) else [part["text"] for part in content]
    if kind == "reasoning":
        return [("thinking", "\n\n".join(part["text"] for part in item["summary"]))]
    if kind == "function_call":
        return [("call", item["call_id"], item["name"], json.loads(item["arguments"]))]
    if kind == "function_call_output":
        return [("result", item["call_id"]), item["output"]]
    return [("other", kind)]


@every
def test_calls_usage_and_windows_are_those_of_the_pairs(path: Path) -> None:
    transcript = load(str(path))
    pairs = json.loads(path.read_bytes())
    assert transcript.format == "openai-responses" and not transcript.agents and not transcript.findings
    assert len(transcript.calls) == len(CALLS[path])
    for number, call, window in zip(CALLS[path], transcript.calls, windows(transcript), strict=True):
        response = pairs[number - 1]["response"]
        assert call.message_id == response["id"] and call.usage is not None
        assert call.usage.prompt == response["usage"]["input_tokens"]
        assert call.usage.output == response["usage"]["output_tokens"]
        assert call.usage.reasoning == response["usage"]["output_tokens_details"]["reasoning_tokens"]
        assert call.usage.cache_read == response["usage"]["input_tokens_details"]["cached_tokens"]
        assert window == sent(pairs, number), number


def test_compactions_stand_where_the_requests_hold_them() -> None:
    found = {path.stem: [(e.kind, e.call) for e in load(str(path)).events] for path in CALLS}
    assert found == {
        "responses-compact-stateful": [("compaction", 4)],
        "responses-previous-id-chain": [("compaction", 3), ("compaction", 4), ("compaction", 5)],
        "responses-reasoning-tools": [],
    }


@every
def test_what_is_sealed_is_counted_apart(path: Path) -> None:
    transcript = load(str(path))
    sealed = sum(
        item.get("type") == "compaction" for pair in json.loads(path.read_bytes()) for item in pair["request"]["input"]
    )
    assert counts(transcript, "estimate").hidden_thinking == sealed
