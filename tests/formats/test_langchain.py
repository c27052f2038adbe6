"""LangChain messages and LangGraph states.

Dumps are made by `langchain_core` itself where it is installed (extra `formats`); `made/langchain.json` is what it made
of the conversation below, so that the shapes are held without it. Inputs of older versions are by hand and say so.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.report.info import pending_calls

Json = dict[str, Any]
MADE = Path(__file__).parent / "made" / "langchain.json"
SHAPES = ("messages_to_dict", "dumpd", "model_dump")
USAGE = {
    "input_tokens": 100,
    "output_tokens": 5,
    "total_tokens": 105,
    "input_token_details": {"cache_read": 60, "cache_creation": 10},
    "output_token_details": {"reasoning": 2},
}
DATA: list[Json] = [
    {"type": "system", "content": "You compare invoices."},
    {"type": "human", "content": "Compare the two.", "id": "h1"},
    {
        "type": "ai",
        "content": [
            {"type": "thinking", "thinking": "Load both.", "signature": "s"},
            {"type": "text", "text": "I load them."},
            {"type": "tool_use", "id": "c1", "name": "load", "input": {"path": "/a"}},
        ],
        "tool_calls": [{"name": "load", "args": {"path": "/a"}, "id": "c1"}],
        "id": "run-1",
        "usage_metadata": USAGE,
        "response_metadata": {"model_name": "claude-x"},
    },
    {"type": "tool", "content": "40.00", "tool_call_id": "c1", "name": "load"},
    {"type": "ai", "content": "", "tool_calls": [{"name": "load", "args": {"path": "/b"}, "id": "c2"}]},
    {"type": "tool", "content": [{"type": "text", "text": "gone"}], "tool_call_id": "c2", "status": "error"},
    {"type": "ai", "content": "Only one is there."},
]


def made() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(MADE.read_bytes())
    return found


def dumps() -> dict[str, Any]:
    """Return the conversation in every shape, as the installed library dumps it."""
    library = import_module("langchain_core.messages")
    dumpd = import_module("langchain_core.load").dumpd
    classes = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    messages = [
        getattr(library, classes[data["type"]])(**{key: value for key, value in data.items() if key != "type"})
        for data in DATA
    ]
    return {
        "messages_to_dict": library.messages_to_dict(messages),
        "dumpd": dumpd(messages),
        "model_dump": [message.model_dump() for message in messages],
        "chunk": library.messages_to_dict([library.AIMessageChunk(content="b", id="run-2")]),
    }


def human(text: Any, **more: Any) -> Json:
    return {"type": "human", "data": {"content": text, "type": "human", **more}}


def ai(content: Any = "", *asked: Json, **more: Any) -> Json:
    return {"type": "ai", "data": {"content": content, "type": "ai", "tool_calls": list(asked), **more}}


def asked(ident: str, name: str = "load", **args: Any) -> Json:
    return {"name": name, "args": args, "id": ident, "type": "tool_call"}


def tool(ident: str, content: Any = "r", **more: Any) -> Json:
    return {"type": "tool", "data": {"content": content, "type": "tool", "tool_call_id": ident, **more}}


def test_the_library_dumps_the_same_still() -> None:
    pytest.importorskip("langchain_core")
    fresh = json.loads(json.dumps(dumps()))
    for shape in SHAPES:
        whole = [item.id for item in document(made()[shape]).items]
        assert [item.id for item in document(fresh[shape]).items] == whole


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_known_and_holds_the_same(shape: str) -> None:
    found = document(made()[shape])
    assert found.format == "langchain" and shape in found.format_why and roles(found) == "suatata"
    assert not found.findings and not found.log.unknown_blocks and not found.log.unknown_records
    assert found.blocks(2) == (Think("Load both.", "s"), Text("I load them."), ToolCall("c1", "load", '{"path":"/a"}'))
    assert found.blocks(4) == (ToolCall("c2", "load", '{"path":"/b"}'),)
    assert found.blocks(5) == (ToolResult("c2", "load", True, (Text("gone"),)),)
    assert found.items[2].calls[0].resource == "/a" and found.items[1].request and found.items[1].task
    call = found.calls[0]
    assert call.message_id == "run-1" and call.model == "claude-x" and call.usage is not None
    usage = call.usage
    assert (usage.input, usage.cache_read, usage.cache_write, usage.prompt, usage.output) == (30, 60, 10, 100, 5)
    assert usage.reasoning == 2
    assert [call.usage is None for call in found.calls] == [False, True, True]


def test_a_chunk_is_a_message() -> None:
    found = document([*made()["messages_to_dict"][:2], *made()["chunk"]])
    assert roles(found) == "sua"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "around",
    [
        lambda m: {"messages": m},
        lambda m: {"values": {"messages": m, "next": []}, "next": [], "checkpoint": {"thread_id": "t"}},
        lambda m: {"v": 1, "channel_values": {"messages": m, "__start__": {}}},
        lambda m: {"checkpoint": {"id": "x", "channel_values": {"messages": m}}, "metadata": {}},
        lambda m: {"lc": 1, "type": "constructor", "id": ["langchain", "ChatPromptValue"], "kwargs": {"messages": m}},
        lambda m: {"inputs": {"messages": [m]}, "outputs": {}},
    ],
)
def test_states_and_runs_hold_their_messages(shape: str, around: Any) -> None:
    whole = document(made()[shape])
    found = document(around(made()[shape]))
    assert found.format == "langchain" and [item.id for item in found.items] == [item.id for item in whole.items]


@pytest.mark.parametrize("shape", SHAPES)
def test_one_message_a_line_is_the_same(shape: str) -> None:
    lines = b"\n".join(json.dumps(message).encode() for message in made()[shape])
    found = loads(lines)
    assert found.format == "langchain"
    assert [item.id for item in found.items] == [item.id for item in document(made()[shape]).items]


def test_a_stream_of_updates_or_of_states_holds_each_message_once() -> None:
    first, second, third = human("a", id="1"), ai("", asked("c"), id="2"), tool("c", id="3")
    whole = [item.id for item in document([first, second, third]).items]
    updates = [{"agent": {"messages": [first, second]}}, {"tools": {"messages": [third]}}]
    states = [{"messages": [first]}, {"messages": [first, second]}, {"messages": [first, second, third]}]
    for lines in (updates, states):
        found = loads(b"\n".join(json.dumps(line).encode() for line in lines))
        assert found.format == "langchain" and [item.id for item in found.items] == whole
    assert roles(document([human("a", id="1"), human("a", id="1"), ai("b")])) == "uua"


def test_the_argument_text_is_kept_where_the_message_has_it() -> None:
    raw = {"id": "c1", "type": "function", "function": {"name": "load", "arguments": '{"path":  "/a"}'}}
    found = document([human("a"), ai("", asked("c1", path="/a"), additional_kwargs={"tool_calls": [raw]}), tool("c1")])
    assert found.blocks(1) == (ToolCall("c1", "load", '{"path":  "/a"}'),)
    chat = document([{"role": "user", "content": "a"}, {"role": "assistant", "content": None, "tool_calls": [raw]}])
    assert found.items[1].id == chat.items[1].id
    # Before 0.1.36 the calls were there alone.
    old = document([human("a"), ai("", additional_kwargs={"tool_calls": [raw]})])
    assert old.items[1].id == found.items[1].id


def test_a_call_that_could_not_be_parsed_is_a_call_with_its_text() -> None:
    bad = {"type": "invalid_tool_call", "id": "c2", "name": "load", "args": "{oops", "error": "x"}
    found = document([human("a"), ai("", asked("c1"), invalid_tool_calls=[bad]), tool("c1"), tool("c2")])
    assert found.blocks(1) == (ToolCall("c1", "load", "{}"), ToolCall("c2", "load", "{oops"))
    assert len(found.pairs) == 2 and not found.findings


def test_calls_stand_where_the_content_has_them_and_once() -> None:
    content = [
        {"type": "tool_use", "id": "c2", "name": "load", "input": {}},
        {"type": "text", "text": "and"},
        {"type": "tool_call", "id": "c9", "name": "other", "args": {"n": 1}},
        {"type": "input_json_delta", "partial_json": "{"},
    ]
    found = document([human("a"), ai(content, asked("c1"), asked("c2"))])
    assert [block.id if isinstance(block, ToolCall) else "" for block in found.blocks(1)] == ["c2", "", "c9", "c1"]
    assert [ref.id for ref in found.items[1].calls] == ["c2", "c9", "c1"] and pending_calls(found) == ["c2", "c9", "c1"]


def test_reasoning_in_every_place_that_packages_keep_it() -> None:
    beside = ai("b", additional_kwargs={"reasoning_content": "deep"})
    standard = ai(
        [{"type": "reasoning", "reasoning": "why", "extras": {"signature": "s"}}, {"type": "text", "text": "b"}]
    )
    sealed = {
        "type": "reasoning",
        "id": "rs",
        "summary": [{"type": "summary_text", "text": "sum"}],
        "encrypted_content": "e",
    }
    found = document([human("a"), beside, standard, ai([sealed, {"type": "text", "text": "b"}])])
    assert [found.blocks(at)[0] for at in (1, 2, 3)] == [Think("deep", None), Think("why", "s"), Think("sum", "e")]


def test_faults_name_their_messages() -> None:
    twice = ai("", asked("c1"), asked("c1"))
    messages = [tool("c0"), human("a"), twice, tool("c1"), tool("c1"), tool("c1"), ai("b", asked("c9")), human("c")]
    found = document(messages)
    assert kinds(found) == [
        ("orphan-tool-result", "[0]"),
        ("duplicate-tool-call-id", "[2].data.tool_calls[1]"),
        ("duplicate-tool-result", "[5]"),
        ("unanswered-tool-call", "[6].data.tool_calls[0]"),
    ]


def test_what_a_middleware_wrote_is_no_request() -> None:
    summary = human("Here is a summary of the conversation to date:", additional_kwargs={"lc_source": "summarization"})
    found = document([summary, human("a"), ai("b")])
    assert [item.request for item in found.items] == [False, True, False]


def test_what_a_program_removed_is_recorded() -> None:
    remove = {"type": "remove", "data": {"content": "", "type": "remove", "id": "h1"}}
    found = document([human("a", id="h1"), ai("b"), remove, human("c"), ai("d")])
    assert roles(found) == "uaua"
    assert [(event.kind, event.at, event.call, event.left) for event in found.events] == [("window", 2, 2, (0,))]
    every = {"type": "remove", "data": {"content": "", "type": "remove", "id": "__remove_all__"}}
    assert document([human("a"), ai("b"), every, human("c")]).events[0].left == (0, 1)


def test_usage_that_only_the_provider_s_figures_tell() -> None:
    told = {
        "token_usage": {"prompt_tokens": 50, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 20}}
    }
    call = document([human("a"), ai("b", response_metadata=told)]).calls[0]
    assert call.usage is not None and (call.usage.input, call.usage.cache_read, call.usage.output) == (30, 20, 4)


def test_chat_and_function_messages_by_hand() -> None:
    chat = {"type": "chat", "data": {"content": "x", "type": "chat", "role": "assistant"}}
    odd = {"type": "chat", "data": {"content": "x", "type": "chat", "role": "critic"}}
    function = {"type": "function", "data": {"content": "r", "type": "function", "name": "load"}}
    found = document([human("a"), chat, odd, function])
    assert roles(found) == "uat" and {kind.name for kind in found.log.unknown_records} == {"chat of the role critic"}
    assert found.items[2].tool_name == "load"


def test_the_old_function_call_is_a_call_that_a_function_message_answers() -> None:
    asks = {"function_call": {"name": "load", "arguments": '{"n": 1}'}}
    function = {"type": "function", "data": {"content": "r", "type": "function", "name": "load"}}
    found = document([human("a"), ai("", additional_kwargs=asks), function])
    assert found.blocks(1) == (ToolCall("load", "load", '{"n": 1}'),)
    assert found.pairs == {(1, "load"): 2} and not found.findings
    both = document([human("a"), ai("", asked("c1"), additional_kwargs=asks)])
    assert [ref.id for ref in both.items[1].calls] == ["c1"]


@pytest.mark.parametrize("content", [None, [], "", 7, [None], [["x"]], {"a": 1}, [{"type": "odd"}]])
def test_odd_contents_load(content: Any) -> None:
    found = document(
        [human(content), ai(content, asked("c")), tool("c", content), {"type": "system", "data": {"content": content}}]
    )
    assert roles(found) == "uats"
    assert isinstance(found.blocks(0), tuple)


@pytest.mark.parametrize("calls", [None, 3, {}, [None], [{"id": None}], [{"name": 1, "args": [], "id": 2}]])
def test_odd_calls_load(calls: Any) -> None:
    found = document(
        [human("a"), {"type": "ai", "data": {"content": "b", "tool_calls": calls, "additional_kwargs": 3}}]
    )
    assert roles(found) == "ua"


def test_images_are_kept() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://x.example/y.png"}}
    found = document([human([{"type": "text", "text": "a"}, image]), ai("b")])
    assert isinstance(found.blocks(0)[1], Other) and not found.log.unknown_blocks


def piece(content: Any = "", **more: Any) -> Json:
    data = {"content": content, "type": "AIMessageChunk", "id": "run-1", "tool_calls": [], **more}
    return {"type": "AIMessageChunk", "data": data}


def test_the_chunks_of_one_reply_are_one_message() -> None:
    """As `AIMessageChunk.__add__` joins them: texts and arguments run on, figures add up."""
    asks = [
        {"name": "load", "args": '{"n"', "id": "c1", "index": 0},
        {"name": None, "args": ": 1}", "id": None, "index": 0},
        {"name": "load", "args": "{}", "id": "c2", "index": 1},
    ]
    first, last = ({"input_tokens": n, "output_tokens": 2, "input_token_details": {"cache_read": n}} for n in (30, 0))
    chunks = [
        piece("Mil", usage_metadata=first), piece("led", tool_call_chunks=asks[:1]), piece(tool_call_chunks=asks[1:]),
        piece("", usage_metadata=last),
    ]  # fmt: skip
    for found in (
        document([human("a"), *chunks, tool("c1"), tool("c2")]),
        loads(b"\n".join(json.dumps(one).encode() for one in [human("a"), *chunks, tool("c1"), tool("c2")])),
    ):
        assert roles(found) == "uatt" and not found.findings
        assert found.blocks(1) == (
            Text("Milled"), ToolCall("c1", "load", '{"n": 1}'), ToolCall("c2", "load", "{}"),
        )  # fmt: skip
        (call,) = found.calls
        assert call.usage is not None and (call.usage.prompt, call.usage.cache_read, call.usage.output) == (30, 30, 4)
    parts = [{"type": "text", "text": words, "index": 0} for words in ("one ", "two")]
    found = document([human("a"), *(piece([part]) for part in parts), piece([{**parts[0], "index": 1}])])
    assert found.blocks(1) == (Text("one two"), Text("one "))


def test_chunks_of_other_replies_and_whole_messages_stay_apart() -> None:
    found = document([human("a"), piece("1"), piece("2", id="run-2"), piece("3", id=None), piece("4", id=None)])
    assert roles(found) == "uaaaa"
    assert roles(document([human("a"), ai("1", id="run-1"), human("b"), piece("2")])) == "uaua"
