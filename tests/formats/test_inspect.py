"""Inspect logs, JSON and `.eval`. Expected values follow `spec/2`, the notes' section 8 and Inspect's log format."""

from __future__ import annotations

import json
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import HERE, api_calls, compared, loaded
from tests.formats.wire_logs import truth, windows
from windowkeeper_cli.formats import load, loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript

JSON_LOG, EVAL_LOG = "inspect/inspect-browser.json", "inspect/inspect-dedup.eval"
Json = dict[str, Any]


def user(words: str, source: str | None = "input") -> Json:
    return {"id": f"u-{words}", "role": "user", "content": words, "source": source}


def acts(number: int, content: Any = "", **more: Any) -> Json:
    call = {"id": f"c{number}", "function": "read", "arguments": {"path": f"f{number}"}, "type": "function"}
    return {"id": f"a{number}", "role": "assistant", "content": content, "tool_calls": [call], "model": "m"} | more


def sees(number: int, words: Any, **more: Any) -> Json:
    return {
        "id": f"t{number}",
        "role": "tool",
        "content": words,
        "tool_call_id": f"c{number}",
        "function": "read",
    } | more


def says(words: str) -> Json:
    return {"id": f"s-{words}", "role": "assistant", "content": words, "model": "m"}


SYSTEM = {"id": "sys", "role": "system", "content": "S"}
TALK = [SYSTEM, user("go"), acts(1), sees(1, "one"), acts(2), sees(2, "two"), says("done")]


def request(sent: list[Json], reply: Json | None, model: str = "openai/m", usage: Any = None, **more: Any) -> Json:
    choices = [] if reply is None else [{"message": reply, "stop_reason": "stop"}]
    output = {"model": "m-1", "choices": choices, "usage": usage}
    time = "2026-01-02T03:04:05+00:00"
    return {"event": "model", "timestamp": time, "model": model, "input": sent, "tools": [], "output": output} | more


def asked(talk: list[Json] = TALK) -> list[Json]:
    """Return the events of a conversation that every request repeats in full."""
    return [request(talk[:n], one) for n, one in enumerate(talk) if one["role"] == "assistant"]


def sample(events: list[Any], messages: list[Any] = TALK, ident: Any = "x", **more: Any) -> Json:
    return {"id": ident, "epoch": 1, "input": "go", "target": "", "messages": messages, "events": events} | more


def log(*samples: Any) -> Json:
    told = {"task": "t", "eval_id": "e-1", "packages": {"inspect_ai": "0.3.1"}}
    return {"version": 2, "status": "success", "eval": told, "samples": list(samples)}


def read(*samples: Any, **options: Any) -> Transcript:
    return document(log(*samples), **options)


def archive(*samples: Any, how: int = ZIP_DEFLATED, header: str | None = "header.json", **more: bytes) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", how) as made:
        made.writestr("_journal/start.json", json.dumps({"version": 2, "eval": log()["eval"], "plan": {}}))
        for one in samples:
            made.writestr(f"samples/{one['id']}_epoch_1.json", json.dumps(one))
        if header:
            made.writestr(header, json.dumps(log(), indent=2))
        for name, content in more.items():
            made.writestr(name, content)
    return out.getvalue()


def test_requests_become_items_and_calls() -> None:
    events: list[Any] = [{"event": "span_begin"}, *asked(), {"event": "score"}, None]
    found = read(sample(events, uuid="uu"))
    assert (found.format, found.session, found.log.version) == ("inspect", "uu", "0.3.1")
    assert roles(found) == "suatata" and len(found.calls) == 3 and not found.findings and not found.events
    assert found.blocks(2) == (ToolCall("c1", "read", '{"path":"f1"}'),) and found.items[3].resource == "f1"
    assert found.blocks(3) == (ToolResult("c1", "read", False, (Text("one"),)),)
    assert found.models == ("m-1",) and found.calls[1].time == "2026-01-02T03:04:05+00:00"
    assert "3 requests, 3 calls in the main conversation" in found.format_why and "failed" not in found.format_why


def test_a_persons_message_has_a_source() -> None:
    talk = [user("go"), says("a"), user("Go on.", None), says("b"), user("more", "operator"), says("c")]
    found = read(sample(asked(talk), talk))
    asked_for = [(item.request, item.authored_by) for item in found.items if item.role == "user"]
    assert asked_for == [(True, "person"), (False, "harness"), (True, "person")]


def test_what_stands_behind_the_last_call_is_in_the_transcript() -> None:
    held = [*TALK[:6], user("thanks", None)]
    found = read(sample(asked()[:2], held))
    assert roles(found) == "suatatu" and len(found.calls) == 2
    assert found.next_call.at == 7 and not found.events


@pytest.mark.parametrize(
    ("model", "told", "expected"),
    [
        # Anthropic's input leaves the cached part out, OpenAI's holds it: the total tells.
        ("x/y", {"input_tokens": 10, "output_tokens": 5, "total_tokens": 115, "cache_read": 70, "cache_write": 30},
         Usage(10, 5, 70, 30)),
        ("x/y", {"input_tokens": 100, "output_tokens": 5, "total_tokens": 105, "cache_read": 60}, Usage(40, 5, 60)),
        # A total that fits neither: the model's name is all there is.
        ("anthropic/c", {"input_tokens": 10, "output_tokens": 5, "total_tokens": 1, "cache_read": 60},
         Usage(10, 5, 60)),
        ("google/g", {"input_tokens": 100, "output_tokens": 5, "total_tokens": 140, "cache_read": 60, "reasoning": 35},
         Usage(40, 5, 60, reasoning=35)),
        ("x/y", None, None),
    ],
)  # fmt: skip
def test_usage_tells_the_cached_part_apart(model: str, told: Json | None, expected: Usage | None) -> None:
    keys = {"cache_read": "input_tokens_cache_read", "cache_write": "input_tokens_cache_write"}
    keys["reasoning"] = "reasoning_tokens"
    usage = None if told is None else {keys.get(key, key): value for key, value in told.items()}
    found = read(sample([request([user("go")], says("b"), model, usage)], [user("go"), says("b")]))
    assert found.calls[0].usage == expected


def test_a_request_that_shrank_is_a_recorded_event() -> None:
    short = [*TALK[:3], sees(1, "(cleared)"), *TALK[4:6]]
    gone = [TALK[0], TALK[1], *TALK[4:6], says("done"), user("on", None)]
    events = [*asked()[:2], request(short, says("done")), request(gone, says("end"))]
    found = read(sample(events, [*gone, says("end")]))
    assert [(event.kind, event.call) for event in found.events] == [("clear", 3), ("window", 4)]
    assert found.events[0].cleared == (3,) and found.events[1].left == (2, 3)
    assert found.events[0].where == "doc.json:samples[0].events[2]"
    assert list(windows(found)) == [shown(event["input"]) for event in events]


def shown(sent: list[Json]) -> list[Any]:
    """Return what a request holds as plain values, read off its JSON."""
    calls = [[{"id": c["id"], "function": as_text(c)} for c in one.get("tool_calls", ())] for one in sent]
    return truth({"messages": [one | {"tool_calls": asked} for one, asked in zip(sent, calls, strict=True)]})


def as_text(call: Json) -> Json:
    return {"name": call["function"], "arguments": json.dumps(call["arguments"])}


def test_attachments_are_put_back_in_place() -> None:
    long = "x" * 200
    talk = [user("attachment://aa"), acts(1), sees(1, [{"type": "text", "text": "attachment://bb"}]), says("tc://cc")]
    found = read(sample(asked(talk), talk, attachments={"aa": "the task", "bb": long, "cc": "end"}))
    assert found.blocks(0) == (Text("the task"),) and found.blocks(3) == (Text("end"),)
    assert found.blocks(2) == (ToolResult("c1", "read", False, (Text(long),)),)
    lost = read(sample(asked(talk), talk, attachments={"aa": 7, "bb": long}))
    assert lost.blocks(0) == (Text("attachment://aa"),) and "whose attachment is not in the log" in lost.format_why


@pytest.mark.parametrize("pooled", [{"message_pool": TALK}, {"events_data": {"messages": TALK}}])
def test_requests_that_refer_to_a_pool_of_messages(pooled: Json) -> None:
    spans = [[[0, 2]], [[0, 1], [1, 4]], [[0, 6], "?", [1], [-1, 2]]]
    replies = [one for one in TALK if one["role"] == "assistant"]
    events = [request([], reply, input_refs=span) for reply, span in zip(replies, spans, strict=True)]
    found = read(sample(events, **pooled))
    assert [item.id for item in found.items] == [item.id for item in read(sample(asked())).items]


def test_reasoning_and_other_content() -> None:
    content = [
        {"type": "reasoning", "reasoning": "hm", "signature": "S"},
        {"type": "reasoning", "reasoning": "sealed", "redacted": True, "summary": "short"},
        {"type": "text", "text": ""},
        {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "n", "arguments": "{}"},
        {"type": "hologram"},
    ]
    talk = [user("go"), acts(1, content), sees(1, None, error={"type": "timeout", "message": "too slow"})]
    found = read(sample(asked(talk), talk))
    think = (Think("hm", "S"), Think("short", "sealed"))
    assert found.blocks(1)[:2] == think and [type(block) for block in found.blocks(1)] == [
        Think,
        Think,
        Other,
        Other,
        ToolCall,
    ]
    assert found.blocks(2) == (ToolResult("c1", "read", True, (Text("too slow"),)),)
    assert [finding.kind for finding in found.findings] == ["unknown-block"]
    old = read(sample(asked([user("go"), {**says("b"), "reasoning": "hm"}]), [user("go")]))
    assert old.blocks(1) == (Think("hm", None), Text("b"))


def test_a_scorers_requests_stand_beside_the_conversation() -> None:
    grade = request([user("Grade: done", None)], says("C"), "openai/judge")
    found = read(sample([*asked(), grade]))
    assert roles(found) == "suatata" and [(agent.id, agent.calls) for agent in found.agents] == [("request-4", 1)]
    assert roles(read(sample([*asked(), grade]), agent="request-4")) == "ua"
    with pytest.raises(UsageError, match="no conversation 'nobody'"):
        read(sample(asked()), agent="nobody")


def test_failed_requests_are_no_calls() -> None:
    failed = request(TALK[:2], None, error="overloaded")
    found = read(sample([failed, request(TALK[:2], None), *asked()]))
    assert len(found.calls) == 3 and "1 failed, 1 without a message" in found.format_why


def test_a_sample_without_events_is_its_messages() -> None:
    used = {"openai/m": {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11, "input_tokens_cache_read": 4}}
    found = read(sample([], [*TALK, None, {"role": "oracle"}], model_usage=used))
    assert roles(found) == "suatata" and len(found.calls) == 3 and found.log.main_usage == Usage(5, 2, 4)
    assert [call.usage for call in found.calls] == [None] * 3
    assert [where for _, where in kinds(found)] == ["samples[0].messages[7]", "samples[0].messages[8]"]
    with pytest.raises(UsageError, match="holds no model events"):
        read(sample([], TALK), agent="request-1")


def test_a_part_is_a_sample_and_the_first_is_read() -> None:
    other = [user("two"), says("b")]
    samples = sample(asked(), ident="a"), sample(asked(other), other, ident=7, epoch=2)
    for data in (json.dumps(log(*samples)).encode(), archive(*samples)):
        first, second = loads(data, "log"), loads(data, "log", part=2)
        assert roles(first) == "suatata" and roles(second) == "ua"
        assert (first.log.part, second.log.part, first.log.parts) == (1, 2, 2)
        assert [part.name for part in first.log.listed] == ["a (epoch 1)", "7 (epoch 2)"]
        assert "sample 2 of 2, 7 (epoch 2)" in second.format_why
        with pytest.raises(UsageError, match="--part 3: the log has 2 samples"):
            loads(data, "log", part=3)


def test_samples_alone_are_known_too() -> None:
    assert roles(document(sample(asked()))) == "suatata" and document([sample(asked())]).format == "inspect"


@pytest.mark.parametrize("how", [ZIP_DEFLATED, ZIP_STORED])
@pytest.mark.parametrize("header", ["header.json", None])
def test_an_archive_is_the_same_log(how: int, header: str | None, tmp_path: Path) -> None:
    path = tmp_path / "any.name"
    path.write_bytes(archive(sample(asked()), how=how, header=header))
    found = load(str(path))
    assert [item.id for item in found.items] == [item.id for item in read(sample(asked())).items]
    assert (found.format, found.session, found.log.version) == ("inspect", "e-1", "0.3.1")
    assert found.files[0].bytes == path.stat().st_size
    assert json.loads(found.source.raw(1))["id"] == "x"


def test_a_bomb_is_refused() -> None:
    whole = sample([], [user("x" * 30_000_000)])
    with pytest.raises(InputError, match="compressed bytes unpack to over 100 times as much"):
        loads(archive(whole), "bomb.eval")
    small = [sample([], [user("x" * 1_000_000)], ident=n) for n in range(30)]
    with pytest.raises(InputError, match="compressed bytes unpack to over 100 times as much"):
        loads(archive(*small), "bomb.eval")


def test_a_damaged_archive_is_an_error_that_says_so() -> None:
    whole = archive(sample(asked()), how=ZIP_STORED)
    with pytest.raises(InputError, match=r"log.eval: the zip file is cut or damaged: .*; get a whole copy of it"):
        loads(whole[: len(whole) // 2], "log.eval")
    at = whole.index(b'"one"')
    changed = whole[:at] + b'"two"' + whole[at + 5 :]
    with pytest.raises(InputError, match=r"'samples/x_epoch_1.json' in the zip file is damaged: its checksum differs"):
        loads(changed, "log.eval")
    packed = archive(sample(asked()))
    start = packed.index(b"samples/") + len("samples/x_epoch_1.json")
    with pytest.raises(InputError, match=r"'samples/x_epoch_1.json' in the zip file is damaged"):
        loads(packed[:start] + b"\xff" * 9 + packed[start + 9 :], "log.eval")
    directory = whole.index(b"PK\x01\x02", whole.index(b"PK\x01\x02") + 4)
    for field, value, words in ((8, 1, "is encrypted"), (10, 99, "packed in an unknown way"), (42, 255, "damaged|cut")):
        bad = bytearray(whole)
        bad[directory + field] = value
        with pytest.raises(InputError, match=words):
            loads(bytes(bad), "log.eval")


def test_members_packed_with_zstd() -> None:
    zstandard = pytest.importorskip("zstandard")
    member = json.dumps(sample(asked())).encode()
    packed: bytes = zstandard.ZstdCompressor().compress(member)
    out = BytesIO()
    with ZipFile(out, "w", ZIP_STORED) as made:
        made.writestr("samples/x_epoch_1.json", packed)
    data = bytearray(out.getvalue())
    for mark, method, crc, size in ((b"PK\x03\x04", 8, 14, 22), (b"PK\x01\x02", 10, 16, 24)):
        at = data.index(mark)
        data[at + method : at + method + 2] = (93).to_bytes(2, "little")
        data[at + crc : at + crc + 4] = zlib.crc32(member).to_bytes(4, "little")
        data[at + size : at + size + 4] = len(member).to_bytes(4, "little")
    assert roles(loads(bytes(data), "log.eval")) == "suatata"


def test_another_zip_file_is_a_binary() -> None:
    out = BytesIO()
    with ZipFile(out, "w") as made:
        made.writestr("word/document.xml", "<x/>")
    with pytest.raises(InputError, match="a binary file, not a transcript"):
        loads(out.getvalue(), "some.docx")


def test_hard_messages_are_named_and_the_rest_loads() -> None:
    talk = [
        user("go"), acts(1), sees(1, "a"), sees(1, "b"), sees(9, "c"), acts(1), user("on"), {"role": "oracle"}, None, 7,
        {"role": "assistant", "content": None, "tool_calls": "?"}, {"role": "user", "content": None}, {"role": "tool"},
    ]  # fmt: skip
    found = read(sample([], talk))
    assert roles(found) == "uatttauaut"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "samples[0].messages[5].tool_calls[0]"),
        ("duplicate-tool-result", "samples[0].messages[3]"), ("orphan-tool-result", "samples[0].messages[12]"),
        ("orphan-tool-result", "samples[0].messages[4]"),
        ("unanswered-tool-call", "samples[0].messages[5].tool_calls[0]"),
        ("unknown-record", "samples[0].messages[7]"), ("unknown-record", "samples[0].messages[8]"),
        ("unknown-record", "samples[0].messages[9]"),
    ]  # fmt: skip


@pytest.mark.parametrize("value", [log(), log("?"), log(sample([], []))])
def test_nothing_to_read_is_an_error(value: Any) -> None:
    with pytest.raises(InputError, match="no message in it; read as inspect"):
        document(value)


def test_a_cut_log_is_damage() -> None:
    whole = json.dumps(log(sample(asked())), indent=1).encode()
    with pytest.raises(InputError, match=r"log:[0-9]+:[0-9]+: the JSON is damaged"):
        loads(whole[: len(whole) // 2], "log")


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """Real logs: the manifest's calls, and what the log itself sums up."""

    def test_calls_and_usage(self) -> None:
        found = loaded(JSON_LOG)
        assert len(found.calls) == api_calls(JSON_LOG) and not found.findings and not found.events
        # The log's own stats: 15,235 input tokens (9,088 of them cached), 281 output.
        assert found.log.main_usage == Usage(15_235 - 9_088, 281, 9_088)
        assert not [part for item in found.items for part in found.blocks(item.at) if "attachment://" in repr(part)]

    def test_windows_are_as_large_as_reported(self) -> None:
        assert [row.prompt for row in compared(JSON_LOG)] == [1_124, 1_568, 2_732, 3_896, 5_915]
        assert max(row.off for row in compared(JSON_LOG)) < 0.05

    def test_an_archive_with_a_pool_of_messages(self) -> None:
        found = loaded(EVAL_LOG)
        assert roles(found) == "u" + "at" * 5 + "a" and len(found.calls) == 6 and not found.findings
        assert [call.usage for call in found.calls] == [None] * 6
