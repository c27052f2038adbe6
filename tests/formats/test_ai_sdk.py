"""AI SDK messages: made by the library itself, and by hand where it no longer makes them.

`made/ai_sdk.json` is what `made/ai_sdk.mjs` prints: an invented conversation run through the library with its own mock
model. With AI_SDK naming a folder where the library is installed, and node at hand, a test makes it again. Inputs in
the shape of the fourth version follow that version's published types.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.transcript import Paused, Transcript
from windowkeeper_cli.report.info import pending_calls
from windowkeeper_cli.tokens import counts

Json = dict[str, Any]
MADE = Path(__file__).parent / "made"
LIBRARY = os.environ.get("AI_SDK")
FORMS = ("ui", "model", "ui_answered", "model_answered")


def made() -> Json:
    found: Json = json.loads((MADE / "ai_sdk.json").read_bytes())
    return found


def asks(text: str) -> Json:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def call(ident: str, **more: Any) -> Json:
    return {"type": "tool-call", "toolCallId": ident, "toolName": "read_file", "input": {"path": "/x"}, **more}


def said(*parts: Json) -> Json:
    return {"role": "assistant", "content": list(parts)}


def gives(ident: str, output: Any = "done") -> Json:
    output = output if isinstance(output, dict) else {"type": "text", "value": output}
    return {
        "role": "tool",
        "content": [{"type": "tool-result", "toolCallId": ident, "toolName": "t", "output": output}],
    }


def ui(*parts: Json, role: str = "assistant") -> Json:
    return {"id": "m", "role": role, "parts": list(parts)}


@pytest.mark.skipif(not LIBRARY or shutil.which("node") is None, reason="AI_SDK names no folder with the library")
def test_the_library_makes_the_same_messages_still() -> None:
    done = subprocess.run(
        ["node", str(MADE / "ai_sdk.mjs"), str(LIBRARY)], capture_output=True, text=True, check=True, timeout=60
    )
    assert {**json.loads(done.stdout), "version": 0} == {**made(), "version": 0}


@pytest.mark.parametrize("form", FORMS)
def test_what_the_library_keeps_is_known_and_loads_without_a_finding(form: str) -> None:
    found = document(made()[form])
    assert found.format == "ai-sdk" and roles(found) == "suattataua"
    assert not found.findings and not found.log.unknown_blocks and not found.log.unknown_records
    assert [item.request for item in found.items if item.role == "user"] == [True, True]
    assert pending_calls(found) == ["c4"]


@pytest.mark.parametrize("answered", ["", "_answered"])
def test_messages_of_the_interface_hold_what_the_library_sends(answered: str) -> None:
    shown, sent = document(made()[f"ui{answered}"]), document(made()[f"model{answered}"])
    same = [item.id for item in shown.items if item.at != 8]
    assert same == [item.id for item in sent.items if item.at != 8]
    assert shown.calls and [call.at for call in shown.calls] == [call.at for call in sent.calls]


def test_the_library_s_steps_are_calls_and_its_outputs_are_results() -> None:
    found = document(made()["ui"])
    thought, text, first, _ = found.blocks(2)
    assert thought == Think("Two files, at once.", "sig-1") and text == Text("I read both.")
    assert first == ToolCall("c1", "read_file", '{"path":"a.txt"}') and found.items[2].calls[0].resource == "a.txt"
    assert found.blocks(3) == (ToolResult("c1", "read_file", False, (Text("one\ntwo\nthree"),)),)
    assert found.blocks(4) == (ToolResult("c2", "read_file", True, (Text("no such file"),)),)
    assert found.blocks(6) == (ToolResult("c3", "count", False, (Text('{"lines":3,"words":["one","two","three"]}'),)),)
    image = found.blocks(8)[1]
    assert isinstance(image, Other) and image.kind == "image" and image.size == (1, 1)
    assert counts(found, "estimate").tokens[8] < 20


def test_usage_is_a_call_s_own_where_a_message_holds_one_step() -> None:
    found = document(made()["ui"])
    assert [call.usage is not None for call in found.calls] == [False, False, False, True]
    usage = found.calls[3].usage
    assert usage is not None and (usage.input, usage.cache_read, usage.prompt, usage.output) == (350, 50, 400, 7)


@pytest.mark.parametrize(("form", "check_in"), [("ui", True), ("ui_answered", False), ("model_answered", False)])
def test_a_call_that_needs_an_approval_pauses_the_run(form: str, check_in: bool) -> None:
    assert document(made()[form]).paused == Paused("c4", check_in)


def test_an_approval_stands_in_the_message_that_asks_for_it() -> None:
    found = document(made()["model_answered"])
    *_, asked, answered = found.blocks(9)
    assert isinstance(asked, Other) and isinstance(answered, Other)
    assert (asked.kind, answered.kind) == ("tool-approval-request", "tool-approval-response")
    done = [*made()["model_answered"], gives("c4")]
    after = document(done)
    assert after.paused is None and after.pairs[9, "c4"] == 10


def test_an_answer_to_no_request_is_a_message_of_its_own() -> None:
    lost = {"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "a9", "approved": True}]}
    found = document([asks("a"), lost])
    assert roles(found) == "uu" and not found.items[1].request


@pytest.mark.parametrize("form", ["list", "body", "lines"])
def test_every_form_holds_the_same_items(form: str) -> None:
    messages = [asks("a"), said(call("c1")), gives("c1")]
    whole = [item.id for item in document(messages).items]
    lines = b"\n".join(json.dumps(message).encode() for message in messages)
    body = {"system": "S", "messages": messages}
    found = loads(lines) if form == "lines" else document(body if form == "body" else messages)
    assert found.format == "ai-sdk" and [item.id for item in found.items][form == "body" :] == whole


def test_plain_texts_alone_may_be_anyone_s() -> None:
    assert document([asks("a"), said({"type": "text", "text": "b"})]).format == "openai-chat"


@pytest.mark.parametrize(
    ("output", "error", "text"),
    [
        ({"type": "text", "value": "t\r\n\0"}, False, "t\r\n\0"),
        ({"type": "json", "value": [1, {"a": None}]}, False, '[1,{"a":null}]'),
        ({"type": "error-text", "value": "no"}, True, "no"),
        ({"type": "error-json", "value": {"e": 1}}, True, '{"e":1}'),
        ({"type": "execution-denied", "reason": "not now"}, True, "not now"),
        ({"type": "execution-denied"}, True, None),
        ({"type": "content", "value": [{"type": "text", "text": "part"}]}, False, "part"),
    ],
)
def test_outputs_of_every_type(output: Json, error: bool, text: str | None) -> None:
    result = document([asks("a"), said(call("c")), gives("c", output)]).blocks(2)[0]
    assert isinstance(result, ToolResult) and result.error is error
    assert result.content == (() if text is None else (Text(text),))


def test_media_in_an_output_is_kept_and_an_unknown_part_is_counted() -> None:
    image = {"type": "media", "data": "AAAA", "mediaType": "image/png"}
    found = document(
        [asks("a"), said(call("c"), {"type": "odd", "x": 1}), gives("c", {"type": "content", "value": [image]})]
    )
    result = found.blocks(2)[0]
    assert isinstance(result, ToolResult) and isinstance(result.content[0], Other)
    assert {kind.name for kind in found.log.unknown_blocks} == {"odd"}


def test_what_the_provider_ran_stays_in_the_message() -> None:
    ran = said(call("s1", providerExecuted=True), *gives("s1")["content"], {"type": "text", "text": "b"})
    found = document([asks("a"), ran])
    assert roles(found) == "ua" and [type(block) for block in found.blocks(1)] == [Other, Other, Text]
    part = {"type": "tool-web_search", "toolCallId": "s1", "state": "output-available", "input": {}, "output": "x"}
    shown = document([ui({"type": "text", "text": "a"}, role="user"), ui({**part, "providerExecuted": True})])
    assert roles(shown) == "ua" and len(shown.blocks(1)) == 2 and not shown.log.unknown_blocks


def test_faults_name_their_parts() -> None:
    found = document([gives("c0"), asks("a"), said(call("c1"), call("c1")), gives("c1"), gives("c1"), gives("c1")])
    assert kinds(found) == [
        ("orphan-tool-result", "[0].content[0]"),
        ("duplicate-tool-call-id", "[2].content[1]"),
        ("duplicate-tool-result", "[5].content[0]"),
    ]
    open_call = document([asks("a"), said(call("c1")), asks("b")])
    assert kinds(open_call) == [("unanswered-tool-call", "[1].content[0]")]


def test_a_tool_part_that_waits_is_pending_or_left_behind() -> None:
    waits = {"type": "tool-x", "toolCallId": "c", "state": "input-available", "input": {}}
    found = document([ui({"type": "text", "text": "a"}, role="user"), ui({"type": "step-start"}, waits)])
    assert pending_calls(found) == ["c"] and not found.findings
    after = document([ui(waits), ui({"type": "text", "text": "b"}, role="user")])
    assert kinds(after) == [("unanswered-tool-call", "[0].parts[0]")]


def test_what_is_only_shown_is_no_block() -> None:
    shown: list[Json] = [
        {"type": "source-url", "sourceId": "s", "url": "https://x.example"},
        {"type": "data-weather", "data": {"t": 1}},
        {"type": "text", "text": "b"},
    ]
    assert document([ui({"type": "text", "text": "a"}, role="user"), ui(*shown)]).blocks(1) == (Text("b"),)


def test_messages_of_the_fourth_version() -> None:
    used = {"state": "result", "toolCallId": "c", "toolName": "read", "args": {"path": "/x"}, "result": {"n": 1}}
    thought = {"type": "reasoning", "reasoning": "why", "details": [{"type": "text", "text": "why", "signature": "s"}]}
    parts = [{"type": "step-start"}, thought, {"type": "tool-invocation", "toolInvocation": used}]
    messages = [
        {"role": "user", "content": "a", "createdAt": "2026-01-01T00:00:00Z", "parts": [{"type": "text", "text": "a"}]},
        {"role": "assistant", "content": "", "parts": [*parts, {"type": "step-start"}, {"type": "text", "text": "b"}]},
    ]
    found = document(messages)
    assert found.format == "ai-sdk" and roles(found) == "uata" and found.items[0].timestamp == "2026-01-01T00:00:00Z"
    assert found.blocks(1) == (Think("why", "s"), ToolCall("c", "read", '{"path":"/x"}'))
    assert found.blocks(2) == (ToolResult("c", "read", False, (Text('{"n":1}'),)),)
    core = [
        asks("a"),
        said({"type": "tool-call", "toolCallId": "c", "toolName": "read", "args": {"path": "/x"}}),
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "read", "result": {"n": 1}}],
        },
    ]
    assert [item.id for item in document(core).items[2:]] == [found.items[2].id]


def test_messages_of_the_interface_s_older_form_with_calls_beside_the_text() -> None:
    used = {"state": "result", "toolCallId": "c", "toolName": "read", "args": {}, "result": "r"}
    plain = {"role": "user", "content": "a"}
    found = document([plain, {"role": "assistant", "content": "b", "toolInvocations": [used]}])
    assert found.format == "ai-sdk"
    assert roles(found) == "uat" and found.blocks(1)[0] == Text("b")


@pytest.mark.parametrize("content", [None, [], "", 7, [None], [["x"]], {"type": "text"}])
@pytest.mark.parametrize("role", ["user", "assistant", "tool", "system"])
def test_odd_contents_load(role: str, content: Any) -> None:
    messages = [asks("a"), said(call("c")), gives("c"), {"role": role, "content": content}]
    assert isinstance(document(messages, from_="ai-sdk"), Transcript)
    assert isinstance(document([{"role": "user", "parts": content}, asks("a")], from_="ai-sdk"), Transcript)
