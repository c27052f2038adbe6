"""The Responses API: bodies, items, chains and compactions.

Expected values follow `spec/2` and the API's reference: an output item belongs to the reply it came in, a
`function_call_output` answers the call with its `call_id`, `previous_response_id` puts all that it names in the window.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens import counts

Json = dict[str, Any]


def asks(text: str) -> Json:
    return {"role": "user", "content": text}


def says(text: str, **more: Any) -> Json:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "role": "assistant", "content": [part], **more}


def thinks(ident: str, *summaries: str, sealed: str | None = None) -> Json:
    summary = [{"type": "summary_text", "text": text} for text in summaries]
    return {"type": "reasoning", "id": ident, "summary": summary, "encrypted_content": sealed}


def calls(ident: str, name: str = "read_file", **args: Any) -> Json:
    return {"type": "function_call", "call_id": ident, "name": name, "arguments": json.dumps(args)}


def gives(ident: str, output: Any = "done") -> Json:
    return {"type": "function_call_output", "call_id": ident, "output": output}


def compaction(sealed: str) -> Json:
    return {"type": "compaction", "id": f"cmp_{sealed}", "encrypted_content": sealed}


def answered(ident: str, *output: Json, tokens: int = 10, cached: int = 0) -> Json:
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": 3,
        "output_tokens_details": {"reasoning_tokens": 1},
    }
    return {"object": "response", "id": ident, "model": "gpt-5", "output": list(output), "usage": usage}


def compacted(ident: str, *output: Json) -> Json:
    return {"object": "response.compaction", "id": ident, "output": list(output)}


def pair(response: Any, *asked: Json, **body: Any) -> Json:
    return {"request": {"model": "gpt-5", "input": list(asked), **body}, "response": response}


def body(*items: Json, **more: Any) -> Transcript:
    return document({"model": "gpt-5", "input": list(items), **more})


def pairs(*found: Json) -> Transcript:
    return document(list(found))


def removals(transcript: Transcript) -> list[tuple[str, int, int, tuple[int, ...]]]:
    return [(event.kind, event.at, event.call, event.kept) for event in transcript.events]


def test_what_the_model_gave_side_by_side_is_one_message() -> None:
    found = body(asks("a"), thinks("r1", "why"), says("I look"), calls("c1", path="/x"), gives("c1"), says("b"))
    assert found.format == "openai-responses" and roles(found) == "uata"
    thought, text, call = found.blocks(1)
    assert thought == Think("why", None) and text == Text("I look")
    assert call == ToolCall("c1", "read_file", '{"path": "/x"}')
    assert found.items[1].calls[0].resource == "/x" == found.items[2].resource
    assert found.pairs == {(1, "c1"): 2} and not found.findings
    assert [item.request for item in found.items] == [True, False, False, False]


def test_instructions_lead_and_developers_are_system_text() -> None:
    found = body({"role": "developer", "content": "d"}, asks("a"), instructions="be kind")
    assert roles(found) == "ssu" and found.envelope == 2
    assert found.blocks(0) == (Text("be kind"),)
    listed = body(asks("a"), instructions=[{"role": "developer", "content": "be kind"}])
    assert [item.id for item in listed.items] == [found.items[0].id, found.items[2].id]


@pytest.mark.parametrize("form", ["body", "list", "lines", "text"])
def test_every_form_holds_the_same_items(form: str) -> None:
    items = [asks("a"), thinks("r", "t"), says("b")]
    whole = [item.id for item in body(*items).items]
    if form == "text":
        text = document({"model": "gpt-5", "input": "a"})
        assert [item.id for item in text.items] == whole[:1] and text.items[0].request
        return
    value: Any = {"body": {"input": items}, "list": items}.get(form)
    lines = b"\n".join(json.dumps(item).encode() for item in items)
    found = loads(lines, "x.jsonl") if form == "lines" else document(value)
    assert found.format == "openai-responses" and [item.id for item in found.items] == whole


def test_messages_with_its_parts_are_no_chat_completions() -> None:
    told = [{"role": "developer", "content": [{"type": "input_text", "text": "d"}]}, asks("a")]
    assert document(told).format == "openai-responses"
    assert document([{"type": "message", **message} for message in told]).format == "openai-responses"


def test_a_response_alone_is_a_reply_with_its_usage() -> None:
    found = document(answered("resp_1", thinks("r", "t"), says("b"), tokens=50, cached=20))
    call = found.calls[0]
    assert roles(found) == "a" and call.message_id == "resp_1" and call.model == "gpt-5"
    assert call.usage is not None
    assert (call.usage.input, call.usage.cache_read, call.usage.prompt, call.usage.output) == (30, 20, 50, 3)


def test_encrypted_reasoning_is_hidden_and_counts_nothing() -> None:
    found = body(asks("a"), thinks("r", sealed="g" * 4000), says("b"))
    assert found.blocks(1)[0] == Think("", "g" * 4000)
    counted = counts(found, "estimate")
    assert counted.hidden_thinking == 1 and counted.tokens[1] < 10


def test_reasoning_in_plain_text_is_taken_before_its_summary() -> None:
    thought = {**thinks("r", "short"), "content": [{"type": "reasoning_text", "text": "all of it"}]}
    assert body(asks("a"), thought, says("b")).blocks(1)[0] == Think("all of it", None)


def test_reasoning_without_its_output_dangles_at_its_own_place() -> None:
    found = body(asks("a"), thinks("r1"), asks("b"), thinks("r2"), says("c"), asks("d"), thinks("r3"))
    assert kinds(found) == [("dangling-reasoning", "input[1]"), ("dangling-reasoning", "input[6]")]
    assert [finding.id for finding in found.findings] == ["r1", "r3"]


def test_faults_name_their_items() -> None:
    found = body(gives("c0"), asks("a"), calls("c1"), calls("c1"), gives("c1"), gives("c1"), gives("c1"), asks("b"))
    assert kinds(found) == [
        ("orphan-tool-result", "input[0]"),
        ("duplicate-tool-call-id", "input[3]"),
        ("duplicate-tool-result", "input[6]"),
    ]
    open_call = body(asks("a"), calls("c1"), asks("b"))
    assert kinds(open_call) == [("unanswered-tool-call", "input[1]")]
    late = body(asks("a"), calls("c1"), asks("b"), gives("c1"))
    assert kinds(late) == [("late-tool-result", "input[3]")]


def test_a_raw_input_is_kept_code_point_for_code_point_and_a_patch_is_about_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: a/b.py\n@@\r\n-x\n+\u2028y\n*** Add File: c.md\n+z\n*** End Patch"
    custom = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": patch}
    answer = {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"}
    found = body(asks("a"), custom, answer)
    assert found.blocks(1) == (ToolCall("c", "apply_patch", patch),)
    assert found.items[1].calls[0].resource == "a/b.py c.md"
    assert found.blocks(2) == (ToolResult("c", "apply_patch", False, (Text("ok"),)),)


@pytest.mark.parametrize("kind", ["local_shell_call", "shell_call", "apply_patch_call", "computer_call"])
def test_calls_of_built_in_tools_pair_with_their_outputs(kind: str) -> None:
    call = {"type": kind, "call_id": "c", "id": "i", "action": {"command": ["ls"]}, "operation": {"path": "/x"}}
    found = body(asks("a"), call, {"type": f"{kind}_output", "call_id": "c", "output": "o"}, says("b"))
    assert roles(found) == "uata" and found.pairs == {(1, "c"): 2} and not found.findings
    assert found.items[1].calls[0].name == kind.removesuffix("_call")


def test_what_the_provider_did_itself_is_kept_in_the_reply() -> None:
    searched = {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"query": "q"}}
    found = body(asks("a"), thinks("r"), searched, says("b"))
    assert roles(found) == "ua" and [type(block) for block in found.blocks(1)] == [Think, Other, Text]
    assert not found.findings and not found.log.unknown_blocks


def test_an_output_of_parts_keeps_its_texts_and_images() -> None:
    image = {"type": "input_image", "image_url": "https://x.example/y.png"}
    found = body(asks("a"), calls("c"), gives("c", [{"type": "input_text", "text": "t"}, image]))
    result = found.blocks(2)[0]
    assert isinstance(result, ToolResult) and result.content[0] == Text("t")
    assert isinstance(result.content[1], Other) and result.content[1].kind == "input_image"
    assert not found.log.unknown_blocks


@pytest.mark.parametrize("content", [None, [], "", [["deep", ["er"]]], [{"type": "odd", "x": 1}], 7])
def test_odd_contents_load(content: Any) -> None:
    found = body({"role": "user", "content": content}, says("b"))
    assert roles(found) == "ua"
    odd = {kind.name for kind in found.log.unknown_blocks}
    assert odd == ({"odd"} if isinstance(content, list) and content and isinstance(content[0], dict) else odd)


def test_an_unknown_item_is_kept_and_counted_and_an_unknown_role_is_a_record() -> None:
    odd: list[Any] = [{"type": "brand_new_call", "z": 1}, {"role": "critic", "content": "x"}, 5]
    found = body(asks("a"), *odd, says("b"))
    assert {kind.name for kind in found.log.unknown_blocks} == {"brand_new_call"}
    assert {kind.name for kind in found.log.unknown_records} == {"role critic", "number"}
    assert [finding.kind for finding in found.findings if finding.is_fault] == []


def test_a_compaction_stands_for_all_before_it() -> None:
    found = body(asks("a"), says("b"), compaction("k"), asks("c"))
    assert roles(found) == "uauu" and removals(found) == [("compaction", 2, 2, ())]
    assert [item.request for item in found.items] == [True, False, False, True]
    assert counts(found, "estimate").hidden_thinking == 1


def test_a_compaction_behind_what_users_said_folds_nothing_more() -> None:
    # What POST /responses/compact returns: the users' messages, and one item for the rest.
    found = body(asks("a"), asks("b"), compaction("k"), asks("c"))
    assert roles(found) == "uuuu" and not found.events


def test_a_chain_of_responses_is_one_transcript_and_nothing_left() -> None:
    found = pairs(
        pair(answered("r1", calls("c1"), tokens=5), asks("a"), instructions="S"),
        pair(answered("r2", says("b"), tokens=9), gives("c1"), previous_response_id="r1", instructions="S"),
        pair(answered("r3", says("d"), tokens=14), asks("c"), previous_response_id="r2", instructions="S"),
    )
    assert found.format == "openai-responses" and roles(found) == "suataua" and not found.events
    assert [call.at for call in found.calls] == [2, 4, 6]
    assert [call.usage.prompt for call in found.calls if call.usage] == [5, 9, 14]
    assert found.log.main_calls == 3 and not found.agents


def test_a_chain_that_branches_follows_the_longer_way() -> None:
    found = pairs(
        pair(answered("r1", says("1")), asks("a")),
        pair(answered("r2", says("2")), asks("b"), previous_response_id="r1"),
        pair(answered("r3", says("3")), asks("c"), previous_response_id="r1"),
        pair(answered("r4", says("4")), asks("d"), previous_response_id="r3"),
    )
    assert [call.message_id for call in found.calls] == ["r1", "r3", "r4"]
    assert [agent.calls for agent in found.agents] == [1]


def test_two_chains_are_two_conversations() -> None:
    found = pairs(
        pair(answered("r1", says("1")), asks("a")),
        pair(answered("x1", says("x")), asks("other")),
        pair(answered("r2", says("2")), asks("b"), previous_response_id="r1"),
    )
    assert [call.message_id for call in found.calls] == ["r1", "r2"] and len(found.agents) == 1


def test_a_chain_whose_beginning_is_not_in_the_log_begins_where_it_does() -> None:
    found = pairs(pair(answered("r9", says("1")), asks("a"), previous_response_id="r8"))
    assert roles(found) == "ua"


def test_a_request_continues_what_came_before_it_and_never_itself() -> None:
    alone = pairs(pair(answered("r1", says("1")), asks("a"), previous_response_id="r1"))
    assert roles(alone) == "ua" and not alone.agents
    # A proxy that gives every response one id.
    again = pairs(
        pair(answered("r1", says("1")), asks("a")),
        pair(answered("r1", says("2")), asks("b"), previous_response_id="r1"),
    )
    assert roles(again) == "uaua" and not again.agents
    # The compaction that a request was given comes back in its response.
    made = {"object": "response.compaction", "id": "k1", "output": [asks("a"), compaction("k")]}
    echoed = pairs(
        pair(answered("r1", says("1")), asks("a")),
        pair(made, previous_response_id="r1"),
        pair(answered("r2", compaction("k"), says("2")), asks("a"), compaction("k"), asks("b")),
        pair(answered("r3", says("3")), asks("a"), compaction("k"), asks("b"), says("2"), asks("c")),
    )
    assert [call.message_id for call in echoed.calls] == ["r1", "r2", "r3"] and not echoed.agents


def test_a_reference_is_the_item_that_it_names() -> None:
    said = says("b", id="msg_1")
    found = pairs(
        pair(answered("r1", said), asks("a")),
        pair(answered("r2", says("d")), asks("a"), {"type": "item_reference", "id": "msg_1"}, asks("c")),
    )
    assert roles(found) == "uaua" and not found.events


def test_a_compaction_by_the_server_drops_what_was_before() -> None:
    found = pairs(
        pair(answered("r1", says("1"), compaction("k")), asks("a")),
        pair(answered("r2", says("2")), asks("a"), says("1"), compaction("k"), asks("b")),
        pair(answered("r3", says("3")), asks("a"), says("1"), compaction("k"), asks("b"), says("2"), asks("c")),
    )
    assert roles(found) == "uauuaua" and removals(found) == [("compaction", 2, 2, ())]
    assert isinstance(found.blocks(2)[0], Other)


def test_a_compaction_in_a_chain_is_not_lost() -> None:
    found = pairs(
        pair(answered("r1", says("1"), compaction("k")), asks("a")),
        pair(answered("r2", says("2")), asks("b"), previous_response_id="r1"),
    )
    assert roles(found) == "uauua" and removals(found) == [("compaction", 2, 2, ())]


@pytest.mark.parametrize("users", [False, True])
def test_a_compaction_that_was_asked_for_goes_on_from_its_own_conversation(users: bool) -> None:
    kept = [asks("a")] if users else []
    found = pairs(
        pair(answered("r1", says("1")), asks("a")),
        pair(compacted("k1", asks("a"), compaction("k")), previous_response_id="r1"),
        pair(answered("r2", says("2")), *kept, compaction("k"), asks("b")),
    )
    assert roles(found) == "uauua" and [call.message_id for call in found.calls] == ["r1", "r2"]
    assert removals(found) == [("compaction", 2, 2, (0,) if users else ())]
    assert "1 without a message" in found.format_why


def test_a_stream_is_read_as_the_response_it_ends_with() -> None:
    whole = answered("r1", thinks("t", "why"), says("b"), tokens=7)
    events = [
        {"type": "response.created", "response": {**whole, "output": [], "usage": None}},
        {"type": "response.output_item.done", "output_index": 0, "item": whole["output"][0]},
        {"type": "response.output_item.done", "output_index": 1, "item": whole["output"][1]},
        {"type": "response.completed", "response": whole},
    ]
    lines = [f"data: {json.dumps(event)}" for event in events]
    ended = pairs(pair({"sse_lines": lines}, asks("a")))
    assert roles(ended) == "ua" and ended.calls[0].usage is not None and ended.calls[0].usage.prompt == 7
    cut = pairs(pair({"sse_lines": lines[:3]}, asks("a")))
    assert [item.id for item in cut.items] == [item.id for item in ended.items]
    assert cut.calls[0].usage is None


def test_a_failed_request_is_no_call() -> None:
    found = pairs(
        {"request": {"model": "m", "input": "a"}, "response": None, "error": "timeout"},
        pair(answered("r1", says("1")), asks("a")),
    )
    assert len(found.calls) == 1 and "1 failed" in found.format_why


def test_times_come_from_the_response() -> None:
    found = pairs(pair({**answered("r1", says("1")), "created_at": 1_767_225_600}, asks("a")))
    assert found.calls[0].time == "2026-01-01T00:00:00+00:00"


def test_the_same_conversation_has_the_same_ids_as_in_chat_completions() -> None:
    chat = document(
        [
            asks("a"),
            {
                "role": "assistant",
                "content": "I look",
                "tool_calls": [{"id": "c1", "function": {"name": "read_file", "arguments": '{"path": "/x"}'}}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "done"},
        ]
    )
    found = body(asks("a"), says("I look"), calls("c1", path="/x"), gives("c1"))
    assert [item.id for item in found.items] == [item.id for item in chat.items]


def test_bodies_and_responses_side_by_side_are_known_by_the_first() -> None:
    lines = [{**answered("r1", says("1")), "input": "a"}, {**answered("r2", says("2")), "previous_response_id": "r1"}]
    found = loads(b"\n".join(json.dumps(line).encode() for line in lines))
    assert found.format == "openai-responses" and roles(found) == "uaa" and len(found.calls) == 2
    bodies = [{"model": "gpt-5", "input": [asks("a")]}, {"model": "gpt-5", "input": [says("b"), asks("c")]}]
    assert roles(loads(b"\n".join(json.dumps(line).encode() for line in bodies))) == "uau"
