"""Message histories of Pydantic AI.

Histories are made by the library itself where it is installed (extra `formats`); `made/pydantic_ai.json` is what it
made of the conversation below, so that the shape is held without it. Inputs of older versions are by hand and say so.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult, texts_of
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Transcript

Json = dict[str, Any]
MADE = Path(__file__).parent / "made" / "pydantic_ai.json"
TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def library() -> Any:
    return pytest.importorskip("pydantic_ai.messages", reason="the library is not installed (extra `formats`)")


def dumped() -> bytes:
    """Return a conversation with a bit of everything, as the installed library dumps it."""
    own = library()
    usage = import_module("pydantic_ai.usage").RequestUsage
    spent = usage(input_tokens=100, cache_read_tokens=60, cache_write_tokens=10, output_tokens=5)
    spent.details = {"reasoning_tokens": 2}
    image = own.BinaryContent(data=import_module("base64").b64decode(DOT), media_type="image/png")
    at = {"timestamp": TIME}
    asked = ["Compare the two.", own.ImageUrl(url="https://example.com/a.png"), image, own.CachePoint()]
    first = [
        own.ThinkingPart("Load both.", signature="s", provider_name="p"),
        own.TextPart("I load them."),
        own.ToolCallPart("load", {"path": "/a"}, "c1"),
        own.ToolCallPart("load", '{"path": "/b"}', "c2"),
    ]
    given = [
        own.ToolReturnPart("load", {"total": 40.5, "name": "é"}, "c1", **at),
        own.RetryPromptPart("no such file", tool_name="load", tool_call_id="c2", **at),
    ]
    messages = [
        own.ModelRequest(
            [own.SystemPromptPart("You compare.", **at), own.UserPromptPart(asked, **at)], instructions="Be brief."
        ),
        own.ModelResponse(first, usage=spent, model_name="m-1", provider_response_id="r1", **at),
        own.ModelRequest(given, instructions="Be brief."),
        own.ModelResponse([own.TextPart("Only one is there.")], **at),
    ]
    found: bytes = own.ModelMessagesTypeAdapter.dump_json(messages)
    return found


def request(*parts: Json, **more: Any) -> Json:
    return {"kind": "request", "parts": list(parts), **more}


def response(*parts: Json, **more: Any) -> Json:
    return {"kind": "response", "parts": list(parts), **more}


def part(kind: str, content: Any = None, **more: Any) -> Json:
    return {"part_kind": kind, "content": content, **more}


def asks(words: Any = "go") -> Json:
    return request(part("user-prompt", words))


def calls(ident: Any, args: Any = None, **more: Any) -> Json:
    return {"part_kind": "tool-call", "tool_name": "load", "args": args or {}, "tool_call_id": ident, **more}


def returns(ident: str, content: Any = "r", **more: Any) -> Json:
    return part("tool-return", content, tool_name="load", tool_call_id=ident, **more)


def check(found: Transcript) -> None:
    """Assert what the conversation is, read off its parts."""
    assert found.format == "pydantic-ai" and roles(found) == "ssuatta" and not found.findings
    assert texts_of(found.blocks(0)) == ("You compare.",) and texts_of(found.blocks(1)) == ("Be brief.",)
    text, address, image = found.blocks(2)
    assert text == Text("Compare the two.") and found.items[2].request
    assert isinstance(address, Other) and address.kind == "image_url"
    assert isinstance(image, Other) and (image.kind, image.size) == ("image", (1, 1))
    assert found.blocks(3) == (
        Think("Load both.", "s"), Text("I load them."), ToolCall("c1", "load", '{"path":"/a"}'),
        ToolCall("c2", "load", '{"path": "/b"}'),
    )  # fmt: skip
    assert [ref.resource for ref in found.items[3].calls] == ["/a", "/b"] and len(found.pairs) == 2
    assert found.blocks(4) == (ToolResult("c1", "load", False, (Text('{"total":40.5,"name":"é"}'),)),)
    result = found.blocks(5)[0]
    assert isinstance(result, ToolResult) and result.error and texts_of((result,))[0].startswith("no such file")
    assert [call.usage for call in found.calls] == [Usage(30, 5, 60, 10, reasoning=2), None]
    assert (found.calls[0].model, found.calls[0].message_id) == ("m-1", "r1")
    assert str(found.calls[0].time).startswith("2026-01-02T03:04:05")


def test_what_the_library_dumped() -> None:
    check(loads(MADE.read_bytes(), "made.json"))


@pytest.mark.filterwarnings("ignore")
def test_what_the_installed_library_dumps() -> None:
    data = dumped()
    check(loads(data, "dumped.json"))
    own = library()
    assert len(own.ModelMessagesTypeAdapter.validate_json(MADE.read_bytes())) == 4


@pytest.mark.filterwarnings("ignore")
def test_a_run_of_the_installed_library() -> None:
    own = library()
    replies = [
        own.ModelResponse(
            [own.ToolCallPart("load", {"path": "/a"}, "c1"), own.ToolCallPart("load", {"path": 7}, "c2")]
        ),
        own.ModelResponse([own.TextPart("done")]),
    ]
    model = import_module("pydantic_ai.models.function").FunctionModel(lambda _messages, _info: replies.pop(0))
    agent = import_module("pydantic_ai").Agent(model, instructions="Be brief.", retries=2)

    def load(path: str) -> list[str]:
        return [path]

    agent.tool_plain(load)
    found = loads(agent.run_sync("go").all_messages_json(), "run.json")
    assert found.format == "pydantic-ai" and roles(found) == "suatta" and not found.findings
    # The second call's argument is no text: the library's validation says so to the model.
    assert [item.is_error for item in found.items if item.is_result] == [False, True]
    assert texts_of(found.blocks(3)) == ('["/a"]',) and "string_type" in "".join(texts_of(found.blocks(4)))


def test_lines_lists_and_keys_hold_the_same_history() -> None:
    messages = json.loads(MADE.read_bytes())
    ids = [item.id for item in document(messages).items]
    lines = b"\n".join(json.dumps(message).encode() for message in messages)
    # Each run's all_messages repeats those of the runs before it.
    runs = b"\n".join(json.dumps(messages[:n]).encode() for n in (2, 4))
    for data in (
        lines,
        runs,
        json.dumps({"messages": messages}).encode(),
        json.dumps({"all_messages": messages}).encode(),
    ):
        assert [item.id for item in loads(data).items] == ids


def test_other_instructions_later_on_are_counted() -> None:
    first, second = asks() | {"instructions": "A"}, asks("on") | {"instructions": "B"}
    found = document([first, response(part("text", "a")), second, response(part("text", "b"))])
    assert roles(found) == "suaua" and texts_of(found.blocks(0)) == ("A",)
    assert "1 other text of instructions later on" in found.format_why


def test_what_asks_to_try_again_is_no_persons() -> None:
    errors = [{"type": "missing", "loc": ["x"], "msg": "Field required", "ctx": {"error": 1}}]
    found = document(
        [
            asks(), response(part("text", "a")), request(part("retry-prompt", "no", tool_name=None)),
            response(calls("c1")), request(part("retry-prompt", errors, tool_name="load", tool_call_id="c1")),
            response(part("text", "b")), request(part("retry-feedback", "wrong")),
        ]
    )  # fmt: skip
    assert roles(found) == "uauatau" and [item.request for item in found.items] == [True] + [False] * 6
    assert texts_of(found.blocks(2)) == ("Validation feedback:\nno\n\nFix the errors and try again.",)
    told = texts_of(found.blocks(4))[0]
    assert told.startswith("1 validation error:\n```json\n[") and "ctx" not in told
    assert texts_of(found.blocks(6)) == ("wrong",)


def test_parts_that_no_model_is_sent_and_those_of_its_own() -> None:
    silent = [part(kind) for kind in ("instruction-baseline", "tool-availability-delta", "model-settings-delta")]
    found = document(
        [
            request(part("user-prompt", "go"), *silent, part("instruction-delta", "new"), part("compaction", "short")),
            response(
                part("speech", transcript="hey"), part("builtin-tool-call", args={}), part("text", ""), calls("c1"),
                part("file", {"kind": "binary", "media_type": "application/pdf", "data": "YQ=="}), part("new-thing"),
            ),
            request(
                returns("c1", ["a", {"kind": "image-url", "url": "u"}, 7], outcome="failed"),
                part("speech", transcript="x"),
            ),
        ]
    )  # fmt: skip
    assert roles(found) == "usuatu" and [item.request for item in found.items if item.role == "user"] == [
        True,
        False,
        True,
    ]
    assert [type(block) for block in found.blocks(3)] == [Text, Other, ToolCall, Other, Other]
    result = found.blocks(4)[0]
    assert (
        isinstance(result, ToolResult) and result.error and [type(one) for one in result.content] == [Text, Other, Text]
    )
    assert [kind for kind, _ in kinds(found)] == ["unknown-block"]


def test_a_compaction_of_the_providers_is_a_recorded_event() -> None:
    spent = {"input_tokens": 9, "output_tokens": 1}
    found = document(
        [
            asks() | {"instructions": "A"}, response(part("text", "a")), asks("on"),
            response(part("compaction", "short", provider_name="anthropic"), part("text", "b"), usage=spent),
            asks("more"),
        ]
    )  # fmt: skip
    assert [(event.kind, event.at, event.call, event.trigger) for event in found.events] == [
        ("compaction", 4, 3, "server")
    ]
    assert found.blocks(4)[0].kind == "compaction" and found.blocks(4)[1] == Text("b")  # type: ignore[union-attr]


def test_usage_of_versions_before_1() -> None:
    told = {"requests": 1, "request_tokens": 50, "response_tokens": 4, "total_tokens": 54, "details": None}
    found = document(
        [asks(), response(part("text", "b"), usage=told, model_name="m"), response(part("text", "c"), usage={})]
    )
    assert [call.usage for call in found.calls] == [Usage(50, 4), None]


def test_hard_messages_are_named_and_the_rest_loads() -> None:
    found = document(
        [
            asks(None), response(calls("c1"), calls("c1", "{broken")),
            request(returns("c1", None)), request(returns("c1")),
            request(returns("c1")), request(returns("c9")), response(calls(None)), asks([["a"], {"kind": "new"}, {}]),
            {"kind": "request", "parts": "?"}, None, response(),
        ]
    )  # fmt: skip
    assert roles(found) == "uattttaua" and found.blocks(0) == () and found.blocks(8) == ()
    assert sorted(kinds(found)) == [
        ("duplicate-tool-call-id", "[1].parts[1]"), ("duplicate-tool-result", "[4].parts[0]"),
        ("orphan-tool-result", "[5].parts[0]"), ("unanswered-tool-call", "[6].parts[0]"),
        ("unknown-block", "[7].parts[0]"), ("unknown-block", "[7].parts[0]"), ("unknown-record", "[8]"),
        ("unknown-record", "[9]"),
    ]  # fmt: skip


def test_nothing_to_read_is_an_error() -> None:
    with pytest.raises(InputError, match="no message in it; read as pydantic-ai"):
        document([request()])


def test_a_cut_history_is_damage() -> None:
    whole = json.dumps(json.loads(MADE.read_bytes()), indent=1).encode()
    with pytest.raises(InputError, match=r"h:[0-9]+:[0-9]+: the JSON is damaged"):
        loads(whole[: len(whole) // 2], "h")
