"""Bodies of the Messages and chat-completions kinds and our own format; expected blocks by hand after `spec/2`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Paused


def test_results_of_one_user_message_are_items_of_their_own() -> None:
    transcript = document(
        [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "t", "signature": "s"},
                {"type": "text", "text": ""},
                {"type": "tool_use", "id": "x", "name": "Read", "input": {"file_path": "a.py"}},
                {"type": "tool_use", "id": "y", "name": "Bash", "input": {"command": "ls"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "x", "content": [{"type": "text", "text": "one"}, "two"]},
                {"type": "tool_result", "tool_use_id": "y", "is_error": True},
                {"type": "text", "text": "and this"},
            ]},
        ]
    )  # fmt: skip
    assert roles(transcript) == "uattu"
    assert transcript.blocks(1) == (
        Think("t", "s"),
        ToolCall("x", "Read", '{"file_path":"a.py"}'),
        ToolCall("y", "Bash", '{"command":"ls"}'),
    )
    assert transcript.blocks(2) == (ToolResult("x", "Read", False, (Text("one"), Text("two"))),)
    assert transcript.blocks(3) == (ToolResult("y", "Bash", True, ()),)
    assert [item.resource for item in transcript.items] == [None, None, "a.py", "ls", None]
    assert [item.request for item in transcript.items] == [True, False, False, False, True]
    assert transcript.items[3].is_error


@pytest.mark.parametrize(
    ("content", "blocks"),
    [
        ("", (Text(""),)),
        (None, ()),
        ([], ()),
        (["x", ["y", [{"type": "text", "text": "z"}]]], (Text("x"), Text("y"), Text("z"))),
        ([{"type": "new", "n": 1.50}], (Other("new", '{"type":"new","n":1.5}'),)),
    ],
)
def test_content_shapes(content: Any, blocks: tuple[Any, ...]) -> None:
    transcript = document({"system": "s", "messages": [{"role": "user", "content": content}]})
    assert transcript.blocks(1) == blocks


def test_a_missing_content_is_an_empty_list() -> None:
    assert document({"system": "s", "messages": [{"role": "user"}]}).blocks(1) == ()


def test_an_unknown_block_is_kept_and_counted() -> None:
    transcript = document({"system": "s", "messages": [{"role": "user", "content": [{"type": "new", "n": 1}]}]})
    assert kinds(transcript) == [("unknown-block", "messages[0]")]
    assert [(kind.name, kind.count) for kind in transcript.log.unknown_blocks] == [("new", 1)]


def test_a_message_of_an_unknown_role_is_counted() -> None:
    transcript = document({"system": "s", "messages": [{"role": "robot"}, {"role": "user", "content": "a"}]})
    assert kinds(transcript) == [("unknown-record", "messages[0]")]
    assert transcript.log.not_understood == 1


def test_an_integer_over_64_bits_in_arguments_keeps_its_digits() -> None:
    value = {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "n", "input": {"n": 10**25 + 1}}]}
    assert document([value]).blocks(0) == (ToolCall("x", "n", '{"n":10000000000000000000000001}'),)


@pytest.mark.parametrize("number", ["1e19", "1E400", "-9.5e18", "12345678901234567890.5", "1" + "0" * 5000])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_number_that_is_large_is_read_the_exact_way(number: str, indent: int | None) -> None:
    value = {"system": "s", "messages": [{"role": "user", "content": [{"type": "new", "n": "N"}]}]}
    data = json.dumps(value, indent=indent).replace('"N"', number)
    block = loads(data.encode()).blocks(1)[0]
    assert isinstance(block, Other) and block.json == f'{{"type":"new","n":{number}}}'


def test_chat_messages_keep_the_argument_text_as_it_is() -> None:
    args = '{ "path" : "a.py",\n"n": 1.0e2 }'
    transcript = document(
        [
            {"role": "developer", "content": "rules"},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "content": "", "reasoning_content": "why", "tool_calls": [
                {"id": "x", "type": "function", "function": {"name": "read_file", "arguments": args}},
                {"id": "y", "type": "custom", "custom": {"name": "apply_patch", "input": "*** a"}},
            ]},
            {"role": "tool", "tool_call_id": "x", "content": [{"type": "text", "text": "out"}]},
            {"role": "tool", "tool_call_id": "y", "content": None},
            {"role": "assistant", "content": None, "function_call": {"name": "old", "arguments": "{"}},
            {"role": "function", "name": "old", "content": "done"},
            {"role": "assistant", "content": None, "refusal": "no"},
        ]
    )  # fmt: skip
    assert roles(transcript) == "suattata"
    assert transcript.blocks(2) == (
        Think("why", None),
        ToolCall("x", "read_file", args),
        ToolCall("y", "apply_patch", "*** a"),
    )
    assert transcript.items[3].resource == "a.py"
    assert transcript.blocks(6) == (ToolResult("old", "old", False, (Text("done"),)),)
    assert transcript.blocks(7) == (Other("refusal", '{"type":"refusal","refusal":"no"}'),)
    assert transcript.findings == ()


def test_an_unanswered_call_is_named_by_its_place() -> None:
    calls = [{"id": name, "function": {"name": "n", "arguments": "{}"}} for name in "xy"]
    transcript = document(
        [
            {"role": "user", "content": "a"},
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": "x", "content": ""},
            {"role": "user", "content": "b"},
        ]
    )
    assert kinds(transcript) == [("unanswered-tool-call", "[1].tool_calls[1]")]


OURS: dict[str, Any] = {
    "format": "windowkeeper/1",
    "system": "You audit deployments.",
    "model": "m-1",
    "messages": [
        {"role": "user", "content": "Check d1", "task": True, "pinned": True, "tags": ["decision"], "ttlTurns": 3},
        {"role": "user", "content": "reminder", "injected": True},
        {
            "role": "assistant",
            "content": "",
            "toolCalls": [{"id": "c1", "name": "read_log", "args": {"id": "d1"}}],
            "usage": {"inputTokens": 812, "outputTokens": 40, "cacheReadTokens": 5, "cacheWriteTokens": 7},
        },
        {
            "role": "tool",
            "toolCallId": "c1",
            "toolName": "log",
            "content": "...",
            "isError": True,
            "effect": "irreversible",
            "stage": "tool-calls#1",
            "time": "2026-11-29T10:00:00Z",
        },
    ],
    "paused": {"toolCallId": "c9", "checkIn": True},
}


def test_our_own_format_holds_every_flag() -> None:
    transcript = document(OURS)
    system, first, injected, reply, result = transcript.items
    assert (system.turn, transcript.envelope) == (-1, 1)
    assert (first.task, first.pinned, first.tags, first.ttl_turns) == (True, True, ("decision",), 3)
    assert (injected.authored_by, injected.request) == ("harness", False)
    assert transcript.blocks(reply.at) == (ToolCall("c1", "read_log", '{"id":"d1"}'),)
    assert (result.tool_name, result.is_error, result.effect, result.stage) == (
        "log",
        True,
        "irreversible",
        "tool-calls#1",
    )
    assert (result.timestamp, result.resource) == ("2026-11-29T10:00:00Z", "d1")
    assert transcript.calls[0].usage == Usage(812, 40, 5, 7) and transcript.models == ("m-1",)
    assert transcript.paused == Paused("c9", True)


def test_a_version_to_come_is_refused() -> None:
    with pytest.raises(InputError, match=r"format 'windowkeeper/2' is not known; known: windowkeeper/1"):
        document({**OURS, "format": "windowkeeper/2"})


def test_strict_makes_the_first_line_not_understood_an_error() -> None:
    value = {"system": "s", "messages": [{"role": "robot"}, {"role": "user", "content": "a"}]}
    with pytest.raises(InputError, match=r"doc.json:messages\[0\]: .*leave --strict out"):
        document(value, strict=True)


def test_a_function_of_the_old_kind_may_be_called_again() -> None:
    """Those calls had no ids: the name pairs them, in order."""
    asks = {"role": "assistant", "content": None, "function_call": {"name": "tide", "arguments": "{}"}}
    low, high = ({"role": "function", "name": "tide", "content": words} for words in ("low", "high"))
    found = document([{"role": "user", "content": "a"}, asks, low, asks, high])
    assert found.pairs == {(1, "tide"): 2, (3, "tide"): 4} and not found.findings


def test_replies_kept_as_the_api_returned_them_say_what_they_cost() -> None:
    """Lines of a log that a program keeps of its own: what it sent, and the messages that came back."""
    told = {"input_tokens": 3, "cache_creation_input_tokens": 4, "cache_read_input_tokens": 5, "output_tokens": 2}
    reply: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "end_turn"}
    reply |= {"model": "claude-x"} | {"content": [{"type": "text", "text": "b"}], "usage": told}
    for value in (reply, [{"role": "user", "content": "a"}, reply]):
        found = document(value)
        assert found.format == "anthropic" and found.models == ("claude-x",)
        (call,) = found.calls
        assert (call.message_id, call.usage) == ("msg_1", Usage(3, 2, 5, 4))
    plain = {"role": "assistant", "content": "c"}
    body = document({"model": "claude-y", "messages": [{"role": "user", "content": "a"}, reply, plain]})
    assert body.models == ("claude-x", "claude-y") and [call.usage is None for call in body.calls] == [False, True]
