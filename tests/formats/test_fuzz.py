"""Whatever the bytes: a transcript, or one of our own errors on one line; and every item gives its bytes."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats import fuzz_logs, fuzz_seeds, fuzz_traces
from tests.formats.logs import LogFile, call, text
from windowkeeper_cli.formats import FORMATS, loads
from windowkeeper_cli.model.errors import WindowkeeperError

TOKENS = [
    b"null", b"true", b"[]", b"{}", b'""', b"1e999", b"12345678901234567890123", b'"\\ud800"', b"\xff", b"\0", b"NaN",
    b'{"a":' * 40, b"[" * 600, b'"type":"assistant"', b'"tool_use"', b'"tool_result"', b"\n", b"\r\n", b"\xef\xbb\xbf",
    b'"parentUuid":"x",', b'"content":[[["a"]]]', b'"id":{}', b'"type":{}', b'"usage":[]', b'"message":3',
    b"isCompactSummary", b"compact_boundary", b"microcompact_boundary", b'"role":[1]', b"agent_progress",
]  # fmt: skip


def seeds() -> list[bytes]:
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


SEEDS = [*seeds(), *fuzz_seeds.seeds(), *fuzz_logs.seeds(), *fuzz_traces.seeds()]


def mutated(random_: random.Random) -> bytes:
    data = bytearray(random_.choice(SEEDS))
    for _ in range(random_.choice((1, 1, 2, 3, 8))):
        if not data:
            break
        at = random_.randrange(len(data))
        kind = random_.randrange(6)
        if kind == 0:
            data[at] = random_.randrange(256)
        elif kind == 1:
            del data[at : at + random_.choice((1, 5, 50, 500))]
        elif kind == 2:
            data[at:at] = random_.choice(TOKENS)
        elif kind == 3:
            other = random_.randrange(len(data))
            data[at:at] = data[other : other + random_.choice((10, 200))]
        elif kind == 4:
            start = data.find(b":", at)
            ends = [end for end in (data.find(b",", start), data.find(b"}", start)) if end > 0]
            if start >= 0 and ends:
                data[start + 1 : min(ends)] = random_.choice(TOKENS)
        else:
            lines = bytes(data).split(b"\n")
            random_.shuffle(lines)
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def check(data: bytes, **options: object) -> None:
    try:
        transcript = loads(data, "f", **options)  # type: ignore[arg-type]
    except WindowkeeperError as error:
        assert "\n" not in str(error)
        return
    for item in transcript.items:
        assert transcript.source.raw(item.at) and isinstance(transcript.blocks(item.at), tuple)


@pytest.mark.parametrize("seed", range(8))
def test_mutated_inputs(seed: int) -> None:
    """250 each: a quick share of the long run, which is the same with more seeds."""
    random_ = random.Random(seed)
    for _ in range(250):
        options: dict[str, object] = {"from_": random_.choice((None, None, None, *FORMATS.names))}
        if random_.random() < 0.2:
            options["strict"] = True
        if random_.random() < 0.1:
            options["agent"] = "ag"
        check(mutated(random_), **options)


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 10_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":"x","n":' + b"9" * 10_000 + b"}}",
        b'{"role":"user","content":[{"type":"x","n":' + b"9" * 10_000 + b"}]}",
        b'{"role":"user","content":"a","content":"b"}',
        b'{"role":"user","content":[{"type":"x","n":NaN,"m":-Infinity}]}',
    ],
)
def test_hostile_values(data: bytes) -> None:
    check(data)


def test_a_queue_of_many_thousand_prompts_is_no_slow_load() -> None:
    """Counted by what is loaded, not by the clock: a slow rule would not end at this size."""
    log = LogFile()
    log.user("a")
    for number in range(20_000):
        log.bare(type="queue-operation", operation="enqueue", content=f"p{number}")
    for _ in range(20_000):
        log.bare(type="queue-operation", operation="remove")
    log.reply("m1", text("b"))
    assert len(log.load().items) == 20_002
