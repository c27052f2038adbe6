"""Bodies and logs of the generateContent API. Expected values follow `spec/2`, the notes and the API's reference."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from tests.formats.real import FOLDER, HERE, api_calls, loaded
from tests.formats.wire_logs import windows
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.transcript import Transcript

REAL = "gemini-api/adk-wire-requests.jsonl"
MAIN = [1, 3, 4, 6, 7]
"""Pairs of the main conversation, the planner's, read off the file by hand.

2 and 5 are its tool's own calls, 8 to 11 of other agents.
"""
Json = dict[str, Any]
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAUCAYAAAA="


def user(*parts: Any) -> Json:
    return {"role": "user", "parts": list(parts)}


def model(*parts: Any) -> Json:
    return {"role": "model", "parts": list(parts)}


def text(words: str, **more: Any) -> Json:
    return {"text": words, **more}


def asks(name: str = "read", ident: str | None = None, **args: Any) -> Json:
    return {"functionCall": {"name": name, "args": args} | ({"id": ident} if ident else {})}


def gives(response: Any, name: str = "read", ident: str | None = None) -> Json:
    return {"functionResponse": {"name": name, "response": response} | ({"id": ident} if ident else {})}


def test_a_body_becomes_items() -> None:
    body = {
        "systemInstruction": {"parts": [text("S")]},
        "contents": [
            user(text("read a")),
            model(text("hm", thought=True, thoughtSignature="T"), text(""), asks("read_file", "c1", path="a.py")),
            user(gives({"output": "text of a"}, "read_file", "c1"), text("and go on")),
            model(text("done")),
        ],
        "model": "gemini-x",
    }
    found = document(body)
    assert found.format == "gemini" and roles(found) == "suatua" and not found.findings
    assert found.blocks(2) == (Think("hm", "T"), ToolCall("c1", "read_file", '{"path":"a.py"}'))
    assert found.blocks(3) == (ToolResult("c1", "read_file", False, (Text("text of a"),)),)
    assert found.pairs == {(2, "c1"): 3} and found.items[3].resource == "a.py" and found.models == ("gemini-x",)
    assert [item.request for item in found.items if item.role == "user"] == [True, True]


@pytest.mark.parametrize(
    ("response", "error", "content"),
    [
        ({"output": "a"}, False, "a"),
        ({"result": "a"}, False, "a"),
        ({"error": "a"}, True, "a"),
        ({"output": {"n": 1}}, False, '{"output":{"n":1}}'),
        ({"output": "a", "error": "b"}, False, '{"output":"a","error":"b"}'),
        ({"files": ["x"]}, False, '{"files":["x"]}'),
        ("a", False, "a"),
    ],
)
def test_a_response_is_its_one_text_or_the_json_that_is_sent(response: Any, error: bool, content: str) -> None:
    found = document([user(text("go")), model(asks()), user(gives(response))])
    assert found.blocks(2) == (ToolResult("read-1", "read", error, (Text(content),)),)


def test_calls_without_an_id_are_answered_by_name_and_order() -> None:
    found = document(
        [
            user(text("go")),
            model(asks(path="never"), asks("list")),
            user(gives({"output": "l"}, "list")),
            model(asks(path="a"), asks(path="b"), asks("read", "read-2")),
            user(gives({"output": "A"}), gives({"output": "B"}), gives({"output": "C"}, ident="read-2")),
            user(gives({"output": "late"})),
            user(gives({"output": "?"}), gives({"output": "?"}, "unknown")),
        ]
    )
    asked = {ref.id: ref.resource for item in found.items for ref in item.calls}
    assert asked == {"read-1": "never", "list-1": None, "read-3": "a", "read-4": "b", "read-2": None}
    told = [(block.id, block.content) for item in found.items for block in found.blocks(item.at) if item.is_result]  # type: ignore[union-attr]
    assert told == [
        ("list-1", (Text("l"),)), ("read-3", (Text("A"),)), ("read-4", (Text("B"),)), ("read-2", (Text("C"),)),
        ("read-1", (Text("late"),)), ("read", (Text("?"),)), ("unknown", (Text("?"),)),
    ]  # fmt: skip
    assert [kind for kind, _ in kinds(found)] == ["late-tool-result", "orphan-tool-result", "orphan-tool-result"]


def test_the_sdks_way_of_writing_keys_is_the_same_body() -> None:
    camel = {
        "contents": [
            user(text("go"), {"inlineData": {"mimeType": "image/png", "data": PNG}}),
            model({"functionCall": {"name": "read", "args": {}}, "thoughtSignature": "T"}),
            user(gives({"output": "a"})),
        ],
        "config": {"systemInstruction": "S"},
    }
    snake = json.loads(
        json.dumps(camel)
        .replace("functionCall", "function_call")
        .replace("functionResponse", "function_response")
        .replace("systemInstruction", "system_instruction")
        .replace("thoughtSignature", "thought_signature")
    )
    first, second = document(camel), document(snake)
    assert [item.id for item in first.items] == [item.id for item in second.items] and roles(first) == "suat"
    assert first.blocks(2) == (Think("", "T"), ToolCall("read-1", "read", "{}"))
    image = first.blocks(1)[1]
    assert isinstance(image, Other) and (image.kind, image.size) == ("inlineData", (10, 20))


def test_a_list_lines_a_history_and_one_text_are_known() -> None:
    contents = [user(text("a")), model(text("b"))]
    whole = [item.id for item in document({"contents": contents}).items]
    lines = "\n".join(map(json.dumps, contents)).encode()
    for found in (document(contents), document({"history": contents}), loads(lines, "lines")):
        assert [item.id for item in found.items] == whole and found.format == "gemini"
    assert [item.id for item in document({"model": "m", "contents": "a"}).items] == whole[:1]
    assert document({"contents": [user()]}).format == "gemini"


def test_what_the_agent_kit_puts_in_for_another_agent_is_no_request() -> None:
    found = document([user(text("go")), user(text("For context:"), text("[planner] said: x")), model(text("b"))])
    assert [(item.request, item.authored_by) for item in found.items][:2] == [(True, "person"), (False, "harness")]


def test_hard_contents_are_named_and_the_rest_loads() -> None:
    contents = [
        user(text("go"), {"hologram": 1}, None, "plain"), None, 7, {"role": "oracle", "parts": []}, {"parts": None},
        model(), {"role": "model"}, model(asks(ident="c"), asks(ident="c")), user(gives(None, ident="c")),
        {"role": "function", "parts": [gives({"output": "x"}, ident="nobody")]}, user(text("on")), {},
    ]  # fmt: skip
    found = document({"contents": contents})
    assert roles(found) == "uuaaattu"
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "contents[7].parts[1]"), ("orphan-tool-result", "contents[9].parts[0]"),
        ("unanswered-tool-call", "contents[7].parts[0]"), ("unknown-block", "contents[0]"),
        ("unknown-block", "contents[0]"), ("unknown-record", "contents[11]"), ("unknown-record", "contents[1]"),
        ("unknown-record", "contents[2]"),
        ("unknown-record", "contents[3]"),
    ]  # fmt: skip


def pair(contents: list[Json], response: Any, **body: Any) -> Json:
    request = {"contents": contents, "systemInstruction": {"parts": [text("S")]}, **body}
    return {"request": request, "response": response, "error": None}


def whole(*parts: Any, prompt: int = 100, **usage: Any) -> Json:
    return {
        "candidates": [{"content": model(*parts), "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": prompt, "candidatesTokenCount": 5, **usage},
        "modelVersion": "gemini-x",
        "responseId": f"r{prompt}",
    }


def log(*pairs: Json) -> Transcript:
    return loads("\n".join(map(json.dumps, pairs)).encode(), "wire.jsonl")


def test_pairs_become_one_conversation_with_usage() -> None:
    one, two = [user(text("go"))], [user(text("go")), model(asks()), user(gives({"output": "a"}))]
    usage = {"cachedContentTokenCount": 60, "thoughtsTokenCount": 7}
    found = log(pair(one, whole(asks(), thoughtsTokenCount=2)), pair(two, whole(text("b"), prompt=200, **usage)))
    assert found.format == "gemini" and roles(found) == "suata" and not found.findings
    assert [call.usage for call in found.calls] == [Usage(100, 7), Usage(140, 12, 60)]
    assert (found.calls[1].message_id, found.calls[1].model) == ("r200", "gemini-x") and found.pairs == {
        (2, "read-1"): 3
    }


def test_a_streamed_reply_is_put_together() -> None:
    def chunk(*parts: Any, **more: Any) -> Json:
        return {"candidates": [{"content": model(*parts), **more}]}

    chunks = [chunk(text("h", thought=True)), chunk(text("m", thought=True)), chunk(text("o")), chunk(text("n"))]
    chunks += [chunk(asks(path="a")), chunk(finishReason="STOP") | {"usageMetadata": {"promptTokenCount": 9}}]
    lines = [f"data: {json.dumps(one)}" for one in chunks]
    for response in (chunks, {"sse_lines": lines}, "\n\n".join(lines)):
        found = log(pair([user(text("go"))], response))
        made = (Think("hm", None), Text("on"), ToolCall("read-1", "read", '{"path":"a"}'))
        assert found.blocks(2) == made and found.calls[0].usage == Usage(9, 0)
    cut = log(pair([user(text("go"))], chunks[:3]))
    assert cut.calls[0].usage is None and cut.blocks(2) == (Think("hm", None), Text("o"))


def test_what_a_request_lacks_or_holds_otherwise_is_an_event() -> None:
    long, short = user(gives({"output": "long"})), user(gives({"output": "[cleared]"}))
    first = [user(text("go")), model(asks()), long, model(asks(path="b")), user(gives({"output": "b"}))]
    second = [first[0], first[1], short, *first[3:], model(text("x")), user(text("on"))]
    found = log(
        pair(first[:1], whole(asks())),
        pair(first[:3], whole(asks(path="b"), prompt=200)),
        pair(first, whole(text("x"), prompt=300)),
        pair(second, whole(text("y"), prompt=250)),
        pair([*second[3:], model(text("y")), user(text("more"))], whole(text("z"), prompt=150)),
    )
    assert [(event.kind, event.call) for event in found.events] == [("clear", 4), ("window", 5)]
    assert found.events[0].shown == ((ToolResult("read-1", "read", False, (Text("[cleared]"),)),),)
    assert len(found.calls) == 5 and not found.findings


def test_a_response_without_a_message_is_no_call() -> None:
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "candidates": [{"finishReason": "SAFETY"}]}
    found = log(pair([user(text("go"))], whole(text("a"))), pair([user(text("bad"))], blocked))
    assert len(found.calls) == 1 and "1 without a message" in found.format_why


@pytest.mark.skipif(not HERE, reason="the shared sessions are not here")
class TestReal:
    """The Agent Development Kit's log: every pair is a call, and the true windows come out of items and events."""

    def test_calls_and_usage(self) -> None:
        found = loaded(REAL)
        pairs = [json.loads(line) for line in (FOLDER / REAL).read_bytes().splitlines()]
        assert len(found.calls) == len(MAIN) and len(found.calls) + found.log.side_calls == api_calls(REAL)
        for number, call in zip(MAIN, found.calls, strict=True):
            reported = pairs[number - 1]["response"]["usageMetadata"]
            output = reported["candidatesTokenCount"] + reported.get("thoughtsTokenCount", 0)
            assert call.usage == Usage(reported["promptTokenCount"], output) and not found.findings

    def test_true_windows(self) -> None:
        pairs = [json.loads(line) for line in (FOLDER / REAL).read_bytes().splitlines()]
        for number, window in zip(MAIN, windows(loaded(REAL)), strict=True):
            assert [part for part in window if part != ("thinking", "")] == list(truth(pairs[number - 1]["request"]))


def truth(body: Json) -> Any:
    """Yield what a request holds as plain values; a call is known by its name and number."""
    counts = {"call": 0, "result": 0}
    for content in (body["systemInstruction"], *body["contents"]):
        for part in content["parts"]:
            if "text" in part:
                yield part["text"]
            elif "functionCall" in part:
                counts["call"] += 1
                called = part["functionCall"]
                yield ("call", f"{called['name']}-{counts['call']}", called["name"], called["args"])
            else:
                counts["result"] += 1
                given = part["functionResponse"]
                yield ("result", f"{given['name']}-{counts['result']}")
                yield given["response"]["result"]
