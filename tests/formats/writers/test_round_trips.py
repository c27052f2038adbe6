"""What is converted and read again is what it was; where it is not, a loss says so.

The values come from `spec/2`: an id survives conversion, and nothing leaves unnamed.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.formats.logs import SHARED
from tests.generated import Case, by_seed, cases
from windowkeeper_cli.formats import load, loads
from windowkeeper_cli.formats.registry import FORMATS
from windowkeeper_cli.formats.writers import WRITERS
from windowkeeper_cli.formats.writers.losses import Loss, Losses
from windowkeeper_cli.formats.writers.text import chunks
from windowkeeper_cli.formats.writers.unheld import count_unheld
from windowkeeper_cli.formats.writers.written import converted
from windowkeeper_cli.model.block import ToolCall
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.transcript import Transcript

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "fixtures" / "cases"
LINES = [json.loads(line) for line in (FOLDER / "cases.jsonl").read_text("utf-8").splitlines()]
CASES = [FOLDER / line["file"] for line in LINES if line["expect"].get("load") != "error"]
SHOWN = [SHARED / "sessions", SHARED / "cases"]
REAL = sorted(path for folder in SHOWN if folder.is_dir() for path in folder.rglob("*") if path.is_file())
FIELDS = ("calls", "next_call", "pairs", "models", "session", "agent", "paused", "request", "envelope", "events")


def again(transcript: Transcript, target: str) -> tuple[Transcript, list[Loss]]:
    """Return a transcript written in a format and read again, and what of its contents is said to be lost."""
    written = converted(transcript, target)
    beside = Losses()
    count_unheld(transcript, beside)
    known = {loss.name for loss in beside.all()} | {"models of calls, left out"}
    losses = [loss for loss in written.losses if loss.name not in known]
    return loads(b"".join(chunks(written.body)), "converted", from_=target), losses


def compare(transcript: Transcript) -> None:
    """Hold every target to its word on one transcript."""
    ids = [item.id for item in transcript.items]
    for target in WRITERS.names:
        found, losses = again(transcript, target)
        read = [item.id for item in found.items]
        if losses:
            gone = Counter(ids) - Counter(read)
            assert gone.total() <= sum(loss.times for loss in losses), (target, losses)
            continue
        assert read == ids, target
        assert found.pairs == transcript.pairs, target
        for at in range(len(ids)):
            assert found.blocks(at) == transcript.blocks(at) or target != "windowkeeper"


def same(transcript: Transcript) -> None:
    """Hold our own format to all that a transcript says."""
    found, losses = again(transcript, "windowkeeper")
    assert losses == [loss for loss in losses if loss.name.startswith("subagents")]
    assert found.format == "windowkeeper"
    for mine, theirs in zip(transcript.items, found.items, strict=True):
        assert mine._replace(origins=()) == theirs._replace(origins=())
        assert transcript.blocks(mine.at) == found.blocks(mine.at)
    for name in FIELDS:
        assert getattr(found, name) == getattr(transcript, name), name


@given(case=cases())
@settings(max_examples=40, deadline=None)
def test_drawn_sessions_are_what_they_were(case: Case) -> None:
    same(case.transcript)
    compare(case.transcript)


@pytest.mark.parametrize("seed", range(30))
def test_seeded_sessions_are_what_they_were(seed: int) -> None:
    transcript = by_seed(seed).transcript
    same(transcript)
    compare(transcript)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_own_cases_are_what_they_were(path: Path) -> None:
    transcript = load(str(path))
    same(transcript)
    compare(transcript)


@pytest.mark.skipif(not REAL, reason="no shared logs here")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_logs_are_what_they_were(path: Path) -> None:
    try:
        transcript = load(str(path))
    except WindowkeeperError:
        pytest.skip("not a log that loads alone")
    same(transcript)
    compare(transcript)


EXACT: list[Any] = [
    {"role": "user", "content": "Look", "authoredBy": "model"},
    {
        "role": "assistant",
        "content": [
            {"t": "call", "id": "c1", "name": "bash", "args": '{"command": "ls",  "n":1e5}'},
            {"type": "text", "text": "between"},
            {"t": "call", "id": "c2", "name": "apply_patch", "args": "*** Begin Patch\n*** Update File: a.py"},
        ],
        "usage": {"inputTokens": 1, "outputTokens": 2, "reasoningTokens": 1, "outputFinal": False},
        "model": "some-model",
        "messageId": "m1",
        "time": "2026-11-29T10:00:00Z",
    },
    {
        "role": "tool",
        "toolCallId": "c1",
        "content": [{"t": "other", "kind": "odd", "json": '{"n":NaN}', "size": [3, 4]}],
    },
    {"role": "tool", "toolCallId": "c2", "content": [], "isError": True},
    {"role": "user", "content": "spelled out", "injected": True, "expands": 0},
    {"role": "user", "content": None, "request": False},
]


def test_what_only_our_format_holds_reads_back() -> None:
    """Argument texts to the letter, calls between texts, blocks with a size, who wrote what: none of it is lost."""
    body: dict[str, Any] = {
        "format": "windowkeeper/1",
        "session": "s",
        "agent": "a",
        "request": "Look",
        "messages": EXACT,
    }
    body["paused"] = {"toolCallId": "c2", "checkIn": True}
    body["events"] = [
        {
            "kind": "clear", "at": 3, "call": 2, "where": "log:7", "line": 7, "cleared": [2],
            "shown": [[{"t": "result", "id": "c1", "name": "bash", "error": False, "content": []}]],
        },
        {"kind": "no kind", "at": 1, "call": 1},
    ]  # fmt: skip
    transcript = loads(json.dumps(body).encode(), "own.json")
    items = transcript.items
    assert [(item.role, item.authored_by, item.request) for item in items if item.role == "user"] == [
        ("user", "model", True), ("user", "harness", False), ("user", "person", False),
    ]  # fmt: skip
    assert [ref.resource for ref in items[1].calls] == ["ls", "a.py"]
    assert [block.args for block in transcript.blocks(1) if isinstance(block, ToolCall)] == [
        '{"command": "ls",  "n":1e5}', "*** Begin Patch\n*** Update File: a.py",
    ]  # fmt: skip
    assert items[4].expands == 0
    usage = transcript.calls[0].usage
    assert usage is not None and usage.reasoning == 1 and not usage.output_final
    assert len(transcript.events) == 1 and transcript.events[0].cleared == (2,)
    assert transcript.agent == "a" and transcript.session == "s"
    same(transcript)


def test_blocks_that_are_damaged_are_read_as_any_unknown_one() -> None:
    """What is no JSON, or no size, does not become a block kept verbatim; the text of what stands there stays."""
    damaged = [
        {"t": "other", "kind": "odd", "json": "{"}, {"t": "other", "kind": "odd", "json": "[" * 9_000},
        {"t": "other", "kind": "odd", "json": "1", "size": [-1, 10**9]}, {"t": "no type"}, {"t": ["text"]},
    ]  # fmt: skip
    body = {"format": "windowkeeper/1", "messages": [{"role": "user", "content": damaged}]}
    blocks = loads(json.dumps(body).encode(), "own.json").blocks(0)
    assert [getattr(block, "kind", None) for block in blocks] == ["object", "object", "odd", "object", "object"]
    assert getattr(blocks[2], "size", ()) is None


def test_a_lone_surrogate_is_kept_in_our_format_and_named_in_others() -> None:
    transcript = loads(b'{"format":"windowkeeper/1","messages":[{"role":"user","content":"a \\ud83d b"}]}', "x")
    same(transcript)
    body = b"".join(chunks(converted(transcript, "windowkeeper").body))
    assert b"\\ud83d" in body and body.isascii()
    written = converted(transcript, "anthropic")
    assert written.body == {"messages": [{"role": "user", "content": "a \ufffd b"}]}
    assert ("texts with lone surrogates, written with U+FFFD", 1) in written.losses


def test_every_writer_is_a_format_that_reads() -> None:
    assert set(WRITERS.names) <= set(FORMATS.names)
    for name in WRITERS.names:
        if name != "windowkeeper":
            assert WRITERS.module(name).CANNOT_HOLD
