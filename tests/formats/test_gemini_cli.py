"""Chat files and stream-json of Gemini CLI. Expected values follow `spec/2`, the notes and the CLI's own sources."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import HERE, api_calls, compared, loaded, median_off
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript

LONG, SHORT, STREAM = (
    f"gemini-cli/{name}"
    for name in ("gemini-chat-31turns.json", "gemini-chat-small.json", "gemini-stream-json-transcript.jsonl")
)
Json = dict[str, Any]
TOKENS = {"input": 100, "output": 5, "cached": 60, "thoughts": 7, "tool": 0, "total": 112}
HEAD = {"sessionId": "s-1", "projectHash": "h", "startTime": "2026-01-02T03:04:05.000Z"}


def said(ident: str, content: Any = "go", **more: Any) -> Json:
    return {"id": ident, "timestamp": "2026-01-02T03:04:05.000Z", "type": "user", "content": content, **more}


def answered(ident: str, content: Any = "", *calls: Json, **more: Any) -> Json:
    made = {"type": "gemini", "content": content, "tokens": TOKENS, "model": "gemini-x"}
    return {**said(ident), **made, **({"toolCalls": list(calls)} if calls else {}), **more}


def call(ident: str, response: Any = None, status: str = "success", **more: Any) -> Json:
    given = {"functionResponse": {"id": ident, "name": "read_file", "response": response or {"output": f"of {ident}"}}}
    made = {"id": ident, "name": "read_file", "args": {"path": "a.py"}, "status": status, "result": [given]}
    return made | {"resultDisplay": "shown to the person"} | more


def chat(*messages: Any) -> Transcript:
    return document({**HEAD, "lastUpdated": "x", "messages": list(messages)})


def lines(*records: Any) -> Transcript:
    return loads("\n".join(map(json.dumps, (HEAD, *records))).encode() + b"\n", "chat.jsonl")


def test_a_chat_becomes_items_with_the_results_that_stand_in_its_replies() -> None:
    thoughts = [{"subject": "S", "description": "d"}, {"subject": "T", "description": "e"}]
    found = chat(
        said("m1"),
        answered("m2", "look", call("c1"), call("c2", {"error": "none"}, "error"), thoughts=thoughts),
        {**said("m3"), "type": "info", "content": "An update is available."},
        answered("m4", "done", tokens=dict.fromkeys(TOKENS, 0)),
    )
    assert (found.format, found.session, roles(found)) == ("gemini", "s-1", "uatta") and not found.findings
    assert found.blocks(1) == (Text("look"), *(ToolCall(c, "read_file", '{"path":"a.py"}') for c in ("c1", "c2")))
    assert found.blocks(2) == (ToolResult("c1", "read_file", False, (Text("of c1"),)),)
    assert found.blocks(3) == (ToolResult("c2", "read_file", True, (Text("none"),)),)
    assert [call.usage for call in found.calls] == [Usage(40, 12, 60), None] and found.models == ("gemini-x",)
    # Reported prompts of real chats grow by no thought: they are displayed, and not sent.
    assert "2 summaries of thoughts, which are never sent again, left out" in found.format_why


def test_contents_of_parts_and_results_beside_their_image() -> None:
    image = {"inlineData": {"mimeType": "image/png", "data": "x"}}
    one = call("c1")
    one["result"].append(image)
    found = chat(said("m1", [{"text": "see"}, {"text": "this"}]), answered("m2", [{"text": "ok"}], one))
    assert found.blocks(0) == (Text("see"), Text("this")) and found.blocks(1)[0] == Text("ok")
    result = found.blocks(2)[0]
    assert (
        isinstance(result, ToolResult) and result.content[0] == Text("of c1") and isinstance(result.content[1], Other)
    )


@pytest.mark.parametrize("result", [None, [], "absent"])
def test_a_call_whose_result_has_not_come(result: Any) -> None:
    one = call("c1", status="executing", result=result)
    if result == "absent":
        del one["result"]
    assert roles(chat(said("m1"), answered("m2", "", one))) == "ua"
    found = chat(said("m1"), answered("m2", "", one), said("m3"))
    assert kinds(found) == [("unanswered-tool-call", "messages[1].toolCalls[0]")]


def test_a_history_whose_turns_repeat_the_results_has_them_once() -> None:
    again = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "of c1"}}}
    own = {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a.py"}}}
    found = chat(said("m1"), answered("m2", [own], call("c1")), said("m3", [again]), said("m4", "on"))
    assert roles(found) == "uatu" and not found.findings
    alone = chat(said("m1"), answered("m2", [own]), said("m3", [again]))
    assert roles(alone) == "uat" and alone.pairs == {(1, "c1"): 2}


def test_a_log_of_records_keeps_the_last_form_of_a_message_in_its_first_place() -> None:
    found = lines(
        said("m1"),
        answered("m2", "", tokens=None),
        said("m3", "more"),
        answered("m2", "", call("c1")),
        {"$set": {"lastUpdated": "x"}},
        {"$set": {"directories": ["/w"]}},
    )
    assert roles(found) == "uatu" and found.calls[0].usage == Usage(40, 12, 60) and not found.findings
    assert found.session == "s-1" and found.items[1].origins[0].line == 5


def test_a_rewind_takes_back_a_message_and_all_after_it() -> None:
    found = lines(said("m1"), answered("m2", "a"), said("m3"), answered("m4", "b"), {"$rewindTo": "m3"}, said("m5"))
    assert roles(found) == "uau" and kinds(found) == [("abandoned-branch", "4")]
    assert "2 messages (1 call)" in found.findings[0].text and (found.log.branches, found.log.main_calls) == (1, 2)
    gone = lines(said("m1"), {"$rewindTo": "nowhere"}, said("m2", "again"))
    assert roles(gone) == "u" and gone.log.branches == 1


def test_a_history_that_was_written_anew_is_a_compression() -> None:
    kept = answered("m4", "", call("c2"))
    summary = [said("s1", [{"text": "So far."}]), {**answered("s2", [{"text": "Got it."}]), "tokens": None}]
    new = [*summary, said("m3", [{"text": "two"}]), kept]
    found = lines(
        said("m1", "one"), answered("m2", "", call("c1")), said("m3", "two"), kept,
        {"$set": {"messages": new}}, answered("m5", "done"),
    )  # fmt: skip
    assert roles(found) == "uatuata"
    (event,) = found.events
    assert (event.kind, event.at, event.call, event.kept) == ("compaction", 6, 3, (3, 4, 5))
    assert event.summary == (Text("So far."), Text("Got it.")) and event.where == "chat.jsonl:6"


def test_a_masked_result_is_cleared_and_a_message_that_only_left_is_gone() -> None:
    masked = answered("m2", "", call("c1", {"output": "[masked]"}))
    full = [said("m1"), answered("m2", "", call("c1")), said("m3")]
    found = lines(*full, {"$set": {"messages": [full[0], masked, full[2]]}}, answered("m4", "x"))
    (event,) = found.events
    assert (event.kind, event.call, event.cleared) == ("clear", 2, (2,))
    assert event.shown == ((ToolResult("c1", "read_file", False, (Text("[masked]"),)),),)
    found = lines(*full, {"$set": {"messages": full[:1]}}, answered("m4", "x"))
    assert [(event.kind, event.left) for event in found.events] == [("window", (1, 2, 3))]


def test_hard_messages_are_named_and_the_rest_loads() -> None:
    odd: list[Any] = [None, 3, {"type": "dream"}, {**said("m9"), "content": None}, answered("m2", None, None)]  # type: ignore[arg-type]
    found = chat(said("m1"), answered("m2", "", call("c1"), call("c1")), *odd)
    assert roles(found) == "uattua"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "messages[1].toolCalls[1]"), ("unknown-record", "messages[2]"),
        ("unknown-record", "messages[3]"), ("unknown-record", "messages[4]"),
    ]  # fmt: skip
    with pytest.raises(InputError, match="no message in it; read as gemini"):
        lines({"$set": {"summary": "x"}})


def stream(*events: Any, **options: Any) -> Transcript:
    return loads("\n".join(map(json.dumps, events)).encode() + b"\n", "stream.jsonl", **options)


INIT = {"type": "init", "timestamp": "2026-01-02T03:04:05.000Z", "session_id": "s-1", "model": "gemini-x"}
ASK = {"type": "message", "role": "user", "content": "go", "timestamp": "2026-01-02T03:04:06.000Z"}


def piece(words: str) -> Json:
    return {"type": "message", "role": "assistant", "content": words, "delta": True}


def use(ident: str) -> Json:
    return {"type": "tool_use", "tool_name": "read_file", "tool_id": ident, "parameters": {"path": "a.py"}}


def result(ident: str, **more: Any) -> Json:
    return {"type": "tool_result", "tool_id": ident, "status": "success", "output": f"of {ident}", **more}


def test_a_stream_becomes_replies_that_end_at_a_result() -> None:
    stats = {"total_tokens": 120, "input_tokens": 100, "output_tokens": 20, "cached": 60}
    error = {"type": "x", "message": "no such file"}
    found = stream(
        INIT, ASK, piece("I "), piece("look."), use("c1"), use("c2"), result("c1"),
        result("c2", status="error", output="", error=error), piece("do"), piece("ne"),
        {"type": "result", "status": "success", "stats": stats},
    )  # fmt: skip
    assert (found.format, found.session, roles(found)) == ("gemini", "s-1", "uatta") and not found.findings
    assert (
        found.blocks(1)[0] == Text("I look.") and found.blocks(4) == (Text("done"),) and found.models == ("gemini-x",)
    )
    assert found.blocks(3) == (ToolResult("c2", "read_file", True, (Text("no such file"),)),)
    assert [origin.line for origin in found.items[1].origins] == [3, 4, 5, 6]
    assert [call.usage for call in found.calls] == [None, None] and found.log.main_usage == Usage(40, 20, 60)


def test_every_session_of_a_stream_is_a_part() -> None:
    end = {"type": "result", "status": "success"}
    log = (ASK, INIT, ASK, piece("1"), end, ASK, {**INIT, "session_id": "s-2"}, ASK, use("c1"))
    found = stream(*log)
    assert (found.session, found.log.part, found.log.parts, roles(found)) == ("s-2", 2, 2, "ua")
    first = stream(*log, part=1)
    assert (first.session, roles(first)) == ("s-1", "ua")
    assert [unknown.name for unknown in first.log.unknown_records] == ["message outside of a session"]
    assert kinds(first) == [("unknown-record", "1")]
    with pytest.raises(UsageError, match="--part 0: the log has 2 parts"):
        stream(*log, part=0)


def test_hard_events_are_named_and_the_rest_loads() -> None:
    found = stream(
        INIT, ASK, use("c1"), use("c1"), result("c1"), result("c1"), result("c1"), result("nobody", output=None), [], 3,
        {"type": "weather"}, {"type": "error", "message": "x"}, {**ASK, "content": None}, {**piece(""), "content": 7},
    )  # fmt: skip
    assert roles(found) == "uattttua"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "4"), ("duplicate-tool-result", "7"), ("orphan-tool-result", "8"),
        ("unknown-record", "10"), ("unknown-record", "11"), ("unknown-record", "9"),
    ]  # fmt: skip
    tail = loads(json.dumps(use("c1")).encode() + b'\n{"type":"tool_res', "stream.jsonl")
    assert roles(tail) == "a" and tail.log.still_written


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """Real chats: calls as the manifest counts them, windows as reported."""

    @pytest.mark.parametrize("name", [LONG, SHORT])
    def test_calls_and_windows(self, name: str) -> None:
        found = loaded(name)
        assert len(found.calls) == api_calls(name) and not found.findings
        rows = compared(name)
        assert median_off(rows) < 0.01 and max(row.off for row in rows) < 0.03

    def test_a_stream_of_two_sessions(self) -> None:
        # The manifest counts no calls, only uses and results: 68 and 67, of which the first session has 40 and 40.
        found = loaded(STREAM)
        assert (found.log.part, found.log.parts, len(found.calls), len(found.pairs)) == (2, 2, 28, 27)
        assert sum(len(item.calls) for item in found.items) == 28
