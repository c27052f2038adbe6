"""The real request/response logs: calls as the manifest counts them, and every true window rebuilt from the events."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import SHARED
from tests.formats.wire_logs import truth, windows
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.transcript import Transcript

FOLDER = SHARED / "sessions"
CLAUDE = FOLDER / "anthropic-messages" / "claude-code-2.1.49-wire-requests.jsonl"
SERVER = FOLDER / "anthropic-messages" / "anthropic-server-compaction.json"
NANOBOT = FOLDER / "openai-chat" / "nanobot-wire-requests.jsonl"
MAIN = {
    CLAUDE: [2, 4, 7, 10, 16, 19, 21, 23],
    SERVER: [1, 2],
    NANOBOT: [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 19],
}
"""The pairs of the main conversation, read off the files by hand.

Claude Code: 1, 3, 6, 9, 18 and 24 ask a small model for a title, 5, 8 and 17 for a suggestion, 11, 12, 14 and 15 are a
subagent, 20 and 22 a search tool's own calls, 13 counts tokens and brings no message. nanobot: 10, 12 and 14 to 18 are
a subagent, 13 and 20 to 25 sessions of their own that a timer started.
"""
SILENT = {CLAUDE: 1, SERVER: 0, NANOBOT: 0}
pytestmark = pytest.mark.skipif(not all(path.is_file() for path in MAIN), reason="the shared sessions are not here")
every = pytest.mark.parametrize("path", MAIN, ids=lambda path: path.stem)


def pairs_in(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    found: list[Any] = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    return found


def api_calls(path: Path) -> int:
    with (FOLDER / "MANIFEST.tsv").open(encoding="utf-8", newline="") as stream:
        rows = {row["file"]: row["api calls"] for row in csv.DictReader(stream, delimiter="\t")}
    return int(rows[f"{path.parent.name}/{path.name}"])


def loaded(path: Path) -> Transcript:
    return load(str(path))


@every
def test_every_response_is_a_call_of_the_main_conversation_or_of_a_helper(path: Path) -> None:
    transcript = loaded(path)
    assert len(transcript.calls) == transcript.log.main_calls == len(MAIN[path])
    assert len(transcript.calls) + transcript.log.side_calls == api_calls(path) - SILENT[path]
    assert sum(agent.calls for agent in transcript.agents) == transcript.log.side_calls


@every
def test_the_true_windows_come_out_of_items_and_events(path: Path) -> None:
    transcript = loaded(path)
    pairs = pairs_in(path)
    system = truth(pairs[MAIN[path][0] - 1]["request"] | {"messages": []})
    made = list(windows(transcript))
    for number, window in zip(MAIN[path], made, strict=True):
        expected = truth(pairs[number - 1]["request"])
        lead = len(system) or 1
        assert window[lead:] == expected[lead:], number


@every
def test_every_call_has_the_usage_of_its_response(path: Path) -> None:
    transcript = loaded(path)
    for number, call in zip(MAIN[path], transcript.calls, strict=True):
        assert call.usage is not None
        if path == SERVER and number == 1:
            assert (call.usage.prompt, call.usage.output) == (55_196, 133)
            continue
        response = pairs_in(path)[number - 1]["response"]
        if path == CLAUDE:
            data = [json.loads(line[5:]) for line in response["sse_lines"] if line.startswith("data:")]
            prompt, output = data[0]["message"]["usage"]["input_tokens"], data[-2]["usage"]["output_tokens"]
        else:
            usage = response["usage"]
            prompt = usage.get("prompt_tokens", usage.get("input_tokens"))
            output = usage.get("completion_tokens", usage.get("output_tokens"))
        assert (call.usage.prompt, call.usage.output) == (prompt, output)


@every
def test_the_bytes_of_an_item_are_its_pair(path: Path) -> None:
    transcript = loaded(path)
    for item in transcript.items:
        record = json.loads(transcript.source.raw(item.at))
        assert all("request" in one for one in (record if isinstance(record, list) else [record]))


def test_a_helper_conversation_can_be_asked_for() -> None:
    subagent = load(str(NANOBOT), agent="pair-10")
    assert len(subagent.calls) == 7 and subagent.agent == "pair-10"
    numbers = [10, 12, 14, 15, 16, 17, 18]
    for number, window in zip(numbers, windows(subagent), strict=True):
        assert window == truth(pairs_in(NANOBOT)[number - 1]["request"])
