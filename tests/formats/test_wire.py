"""Request/response logs made by hand; expected values follow `spec/2`, Formats, and the notes, section 8."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.formats.wire_logs import Json, asks, gives, lines, pair, says, truth, uses, whole, windows
from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.block import Text, Think, ToolCall
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.transcript import Transcript

U1, A1, R1, A2, U2, A3 = asks("one"), uses("c1"), gives("c1", "long " * 50), says("done"), asks("two"), says("bye")


def kinds(transcript: Transcript) -> list[tuple[str, int]]:
    return [(event.kind, event.call) for event in transcript.events]


def rebuilt(transcript: Transcript, *pairs: Json) -> None:
    """Hold the windows made of items and events against the requests themselves."""
    assert list(windows(transcript)) == [truth(one["request"]) for one in pairs]


def usual() -> list[Json]:
    return [
        pair([U1], whole(A1, 100)),
        pair([U1, A1, R1], whole(A2, 200, cache_read_input_tokens=90, cache_creation_input_tokens=7)),
        pair([U1, A1, R1, A2, U2], whole(A3, 300)),
    ]


def test_requests_that_only_grow_are_one_transcript_without_events() -> None:
    transcript = lines(*usual())
    assert [item.role for item in transcript.items] == [
        "system", "user", "assistant", "tool", "assistant", "user", "assistant",
    ]  # fmt: skip
    assert [call.at for call in transcript.calls] == [2, 4, 6]
    assert transcript.calls[1].usage == Usage(200, 5, 90, 7)
    assert (transcript.calls[1].message_id, transcript.calls[1].model) == ("m200", "big")
    assert transcript.calls[1].time == "2026-01-01T00:00Z"
    assert kinds(transcript) == [] and transcript.findings == ()
    assert transcript.format == "anthropic"
    assert transcript.format_why == (
        "request/response pairs with Messages API replies: 3 pairs, 3 calls in the main conversation"
    )
    rebuilt(transcript, *usual())


def test_a_list_of_pairs_and_wrapped_bodies_are_the_same_log() -> None:
    def wrapped(one: Json) -> Json:
        return {"request": {"url": "u", "body": one["request"]}, "response": {"status": 200, "body": one["response"]}}

    ids = [item.id for item in lines(*usual()).items]
    assert [item.id for item in loads(json.dumps(usual()).encode()).items] == ids
    assert [item.id for item in lines(*map(wrapped, usual())).items] == ids


def test_recorders_and_browsers_keep_the_bodies_as_texts() -> None:
    def recorded(one: Json) -> Json:
        body, answer = {"string": json.dumps(one["request"])}, {"string": json.dumps(one["response"])}
        return {"request": {"uri": "u", "body": body}, "response": {"status": {"code": 200}, "body": answer}}

    def browsed(one: Json) -> Json:
        asked, told = {"text": json.dumps(one["request"])}, {"text": json.dumps(one["response"])}
        return {"request": {"postData": asked}, "response": {"status": 200, "content": told}, "startedDateTime": "t"}

    ids = [item.id for item in lines(*usual()).items]
    for value in (
        {"version": 1, "interactions": [recorded(one) for one in usual()]},
        {"log": {"version": "1.2", "entries": [browsed(one) for one in usual()]}},
        [{"request": {"body": json.dumps(one["request"])}, "response": one["response"]} for one in usual()],
    ):
        found = loads(json.dumps(value).encode(), "f")
        assert found.format == "anthropic" and [item.id for item in found.items] == ids
    failed = recorded(usual()[0]) | {"response": {"status": {"code": 529}, "body": {"string": "busy"}}}
    assert "1 failed" in lines(failed, *usual()).format_why


def test_the_system_text_of_the_first_request_stands_for_all() -> None:
    pairs = usual()
    pairs[2]["request"]["system"] = "S, at noon"
    transcript = lines(*pairs)
    assert transcript.envelope == 1 and transcript.blocks(0) == (Text("S"),)
    assert "1 request with another system text than the first, which stands for all" in transcript.format_why
    assert kinds(transcript) == []


def stream(*events: Any) -> Json:
    written = [line for event in events for line in (f"event: {event['type']}", "data: " + json.dumps(event), "")]
    return {"stream": True, "sse_lines": written}


def streamed() -> list[Json]:
    return [
        {"type": "message_start", "message": {"id": "m1", "type": "message", "role": "assistant", "content": [],
         "model": "real", "usage": {"input_tokens": 70, "cache_read_input_tokens": 30, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm "}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "so"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "sig"}},
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "I read"}},
        {"type": "content_block_start", "index": 2,
         "content_block": {"type": "tool_use", "id": "c1", "name": "Read", "input": {}}},
        {"type": "content_block_delta", "index": 2,
         "delta": {"type": "input_json_delta", "partial_json": '{"n": 1234'}},
        {"type": "content_block_delta", "index": 2,
         "delta": {"type": "input_json_delta", "partial_json": '5678901234567890}'}},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"},
         "usage": {"input_tokens": 0, "output_tokens": 44}},
        {"type": "message_stop"},
    ]  # fmt: skip


def test_a_streamed_reply_is_put_together_with_its_last_usage() -> None:
    transcript = lines(pair([U1], stream(*streamed())))
    call = ToolCall("c1", "Read", '{"n":12345678901234567890}')
    assert transcript.blocks(2) == (Think("hm so", "sig"), Text("I read"), call)
    assert transcript.calls[0].usage == Usage(70, 44, 30, 0)
    assert (transcript.calls[0].model, transcript.calls[0].message_id) == ("real", "m1")


@pytest.mark.parametrize("form", ["text", "lines", "events"])
def test_a_stream_is_read_in_whatever_form_it_was_logged(form: str) -> None:
    written = stream(*streamed())["sse_lines"]
    forms = {"text": "\n".join(written), "lines": written, "events": streamed()}
    transcript = lines(pair([U1], forms[form]))
    assert transcript.items[2].id == lines(pair([U1], stream(*streamed()))).items[2].id


def test_a_stream_that_broke_off_has_no_last_output_figure() -> None:
    transcript = lines(pair([U1], stream(*streamed()[:8])))
    assert transcript.blocks(2) == (Think("hm so", "sig"), Text("I read"))
    assert transcript.calls[0].usage == Usage(70, 1, 30, 0, output_final=False)


def test_the_reply_stands_as_the_next_request_repeats_it() -> None:
    back = {"role": "assistant", "content": [{"type": "text", "text": "I read"}, *uses("c1")["content"]]}
    transcript = lines(pair([U1], stream(*streamed())), pair([U1, back, R1], whole(A2, 9)))
    assert transcript.blocks(2) == (Text("I read"), ToolCall("c1", "Read", '{"file_path":"/c1"}'))
    assert transcript.items[2].origins[0].line == 1
    assert len(transcript.calls) == 2 and kinds(transcript) == []


def test_errors_and_answers_without_a_message_are_no_calls() -> None:
    first, second, third = usual()
    failed = pair([U1, A1, R1], None, error="529 overloaded")
    refused = pair([U1, A1, R1], {"type": "error", "error": {"type": "overloaded_error"}})
    counting = pair([U1], {"input_tokens": 12}, tools=[])
    transcript = lines(first, failed, refused, counting, second, third)
    assert [call.at for call in transcript.calls] == [2, 4, 6]
    assert "1 failed, 2 without a message" in transcript.format_why
    rebuilt(transcript, first, second, third)


def test_a_reply_that_came_with_an_error_is_no_call() -> None:
    first, second, third = usual()
    broken = pair([U1, A1, R1], whole(says("hal"), 200), error="the stream broke off")
    transcript = lines(first, broken, second, third)
    assert len(transcript.calls) == 3 and transcript.log.side_calls == 0


def test_what_a_last_failed_request_added_is_what_the_next_call_holds() -> None:
    transcript = lines(*usual()[:2], pair([U1, A1, R1, A2, U2], None, error="timeout"))
    assert len(transcript.calls) == 2
    assert transcript.items[-1].role == "user" and transcript.next_call.at == len(transcript.items)


def test_a_retried_request_counts_once_and_the_reply_that_was_used_stands() -> None:
    first, second, third = usual()
    unused = pair([U1, A1, R1], whole(says("never used"), 201))
    for order in ([first, unused, second, third], [first, second, unused, third]):
        transcript = lines(*order)
        assert [call.message_id for call in transcript.calls] == ["m100", "m200", "m300"]
        assert transcript.log.side_calls == 1
        rebuilt(transcript, first, second, third)
    last = lines(first, unused, second)
    assert [call.message_id for call in last.calls] == ["m100", "m200"]


def test_helper_calls_in_between_are_counted_and_stand_aside() -> None:
    first, second, third = usual()
    title = pair([asks("Name this: one")], whole(says("A title"), 11), model="small", tools=[])
    guess = pair([U1, A1, R1, A2, asks("What will they type?")], whole(says("two"), 12))
    other = [pair([asks("search")], whole(uses("s1"), 13)), pair([asks("search"), uses("s1"), gives("s1", "x")],
             whole(says("found"), 14))]  # fmt: skip
    transcript = lines(title, first, other[0], second, guess, other[1], third)
    rebuilt(transcript, first, second, third)
    assert kinds(transcript) == []
    assert [(agent.id, agent.calls, agent.where) for agent in transcript.agents] == [
        ("pair-1", 1, "wire.jsonl:1"), ("pair-3", 2, "wire.jsonl:3"), ("pair-5", 1, "wire.jsonl:5"),
    ]  # fmt: skip
    assert (transcript.log.main_calls, transcript.log.side_calls) == (3, 4)
    assert transcript.log.side_usage == Usage(11 + 12 + 13 + 14, 20)


def test_another_conversation_is_chosen_by_name() -> None:
    other = [pair([asks("search")], whole(uses("s1"), 13)), pair([asks("b")], whole(A2, 14), tools=[])]
    data = json.dumps([*usual(), *other]).encode()
    assert loads(data, agent="pair-4").items[2].calls[0].id == "s1"
    with pytest.raises(UsageError, match="'pair-' begins 3 conversations"):
        loads(data, agent="pair-")
    with pytest.raises(UsageError, match="no conversation 'x'; conversations: pair-1, pair-4, pair-5"):
        loads(data, agent="x")


def test_of_two_conversations_of_one_length_the_first_is_the_main_one() -> None:
    transcript = lines(pair([asks("a")], whole(says("A"), 1)), pair([asks("b")], whole(says("B"), 2)))
    assert transcript.blocks(1) == (Text("a"),) and transcript.log.side_calls == 1


def test_oldest_messages_that_are_dropped_left_at_that_call() -> None:
    first, second, _ = usual()
    third = pair([A2, U2], whole(A3, 300))
    transcript = lines(first, second, third)
    assert kinds(transcript) == [("window", 3)]
    event = transcript.events[0]
    assert (event.left, event.back, event.at, event.line) == ((1, 2, 3), (), 5, 3)
    rebuilt(transcript, first, second, third)


def test_messages_that_are_sent_again_came_back() -> None:
    first, second, _ = usual()
    third = pair([A2, U2], whole(A3, 300))
    fourth = pair([U1, A1, R1, A2, U2, A3, asks("three")], whole(says("end"), 400))
    transcript = lines(first, second, third, fourth)
    assert kinds(transcript) == [("window", 3), ("window", 4)]
    assert transcript.events[1].back == (1, 2, 3)
    rebuilt(transcript, first, second, third, fourth)


def test_a_result_that_a_request_shows_cleared_is_a_change_of_form() -> None:
    first, second, _ = usual()
    third = pair([U1, A1, gives("c1", "[cleared]"), A2, U2], whole(A3, 300))
    fourth = pair([U1, A1, gives("c1", "[cleared]"), A2, U2, A3, asks("three")], whole(says("end"), 310))
    fifth = pair([U1, A1, R1, A2, U2, A3, asks("three"), says("end"), asks("4")], whole(says("e"), 510))
    transcript = lines(first, second, third, fourth, fifth)
    assert kinds(transcript) == [("clear", 3), ("window", 5)]
    event = transcript.events[0]
    assert event.cleared == (3,) and [block.content for block in event.shown[0]] == [(Text("[cleared]"),)]  # type: ignore[union-attr]
    assert transcript.events[1].back == (3,)
    assert "long" in transcript.blocks(3)[0].content[0].text  # type: ignore[union-attr]
    rebuilt(transcript, first, second, third, fourth, fifth)


def test_a_reply_that_the_harness_reworded_is_a_change_of_form() -> None:
    def thought(text: str) -> Json:
        return says(f"<think>hm</think>{text}")

    first, third = pair([U1], whole(A1, 100)), pair([U1, A1, R1, A2, U2], whole(thought("bye"), 300))
    second = pair([U1, A1, R1], whole(thought("done"), 200))
    fourth = pair([U1, A1, R1, A2, U2, A3, asks("three")], whole(says("end"), 400))
    transcript = lines(first, second, third, fourth)
    assert [(event.kind, event.call, event.cleared) for event in transcript.events] == [
        ("clear", 3, (4,)), ("clear", 4, (6,)),
    ]  # fmt: skip
    assert transcript.blocks(4) == (Text("<think>hm</think>done"),) and len(transcript.calls) == 4
    rebuilt(transcript, first, second, third, fourth)


def test_a_reply_that_is_not_sent_again_left() -> None:
    first = pair([U1], whole(A2, 100))
    second = pair([U1, U2], whole(A3, 120))
    transcript = lines(first, second)
    assert [(event.kind, event.left) for event in transcript.events] == [("window", (2,))]
    assert len(transcript.calls) == 2
    rebuilt(transcript, first, second)


def test_an_abandoned_turn_stands_aside() -> None:
    first, second, third = usual()
    other = pair([U1, A1, R1, A2, asks("two, better")], whole(says("better"), 301))
    transcript = lines(first, second, third, other)
    assert [call.message_id for call in transcript.calls] == ["m100", "m200", "m301"]
    assert [agent.id for agent in transcript.agents] == ["pair-3"] and kinds(transcript) == []


def test_a_message_in_another_wording_is_a_change_of_form() -> None:
    first, second, _ = usual()
    third = pair([asks("one, and it is Monday"), A1, R1, A2, U2], whole(A3, 300))
    transcript = lines(first, second, third)
    assert [(event.kind, event.cleared, event.shown) for event in transcript.events] == [
        ("clear", (1,), ((Text("one, and it is Monday"),),))
    ]
    rebuilt(transcript, first, second, third)


SUMMARY = "Summary of all that was said and done before: the file c1 was read, and it was long. Nothing is left open."


def test_a_summary_in_place_of_the_oldest_is_a_compaction() -> None:
    first, second, _ = usual()
    third = pair([asks(SUMMARY), A2, U2], whole(A3, 150))
    fourth = pair([asks(SUMMARY), A2, U2, A3, asks("three")], whole(says("end"), 160))
    transcript = lines(first, second, third, fourth)
    assert kinds(transcript) == [("compaction", 3)]
    event = transcript.events[0]
    assert (event.at, event.kept, event.summary, event.summary_line) == (5, (4,), (Text(SUMMARY),), 3)
    assert [item.role for item in transcript.items].count("user") == 3
    rebuilt(transcript, first, second, third, fourth)


@pytest.mark.parametrize("asked", [True, False], ids=["by the main model", "by another model"])
def test_a_request_that_begins_with_a_summary_that_was_asked_for_goes_on(asked: bool) -> None:
    first, second, _ = usual()
    if asked:
        wrote = pair([U1, A1, R1, A2, asks("Summarize.")], whole(says(SUMMARY), 250))
    else:
        wrote = pair([asks("Summarize: ...")], whole(says(SUMMARY), 250), model="small", tools=[])
    third = pair([asks(f"We go on.\n{SUMMARY}"), U2], whole(A3, 150))
    fourth = pair([asks(f"We go on.\n{SUMMARY}"), U2, A3, asks("three")], whole(says("end"), 160))
    transcript = lines(first, second, wrote, third, fourth)
    assert [call.message_id for call in transcript.calls] == ["m100", "m200", "m150", "m160"]
    assert kinds(transcript) == [("compaction", 3)] and transcript.log.side_calls == 1
    assert transcript.events[0].summary == (Text(f"We go on.\n{SUMMARY}"),)
    rebuilt(transcript, first, second, third, fourth)


def test_a_request_that_says_that_it_continues_goes_on_from_a_summary() -> None:
    first, second, _ = usual()
    text = "This session is being continued from a previous conversation that ran out of context. It was short."
    third = pair([asks(text), U2], whole(A3, 150))
    transcript = lines(first, second, third)
    assert kinds(transcript) == [("compaction", 3)]
    rebuilt(transcript, first, second, third)


def test_a_second_compaction_takes_the_first_summary_with_it() -> None:
    first, second, _ = usual()
    third = pair([asks(SUMMARY), A2, U2], whole(A3, 150))
    fourth = pair([asks("Second summary."), A3, asks("three")], whole(says("end"), 120))
    transcript = lines(first, second, third, fourth)
    assert kinds(transcript) == [("compaction", 3), ("compaction", 4)]
    assert transcript.events[1].kept == (6,)
    rebuilt(transcript, first, second, third, fourth)


def test_a_compaction_by_the_server_is_a_message_of_its_own() -> None:
    block = {"type": "compaction", "content": "what was said"}
    reply = {"role": "assistant", "content": [block, {"type": "text", "text": "hello"}]}
    rounds = [{"type": "compaction", "input_tokens": 900, "output_tokens": 30},
              {"type": "message", "input_tokens": 40, "output_tokens": 5}]  # fmt: skip
    first = pair([U1], whole(A1, 100))
    second = pair([U1, A1, R1], whole(reply, 40, iterations=rounds))
    third = pair([U1, A1, R1, reply, U2], whole(A3, 60))
    transcript = lines(first, second, third)
    assert [call.usage and call.usage.prompt for call in transcript.calls] == [100, 900, 60]
    assert transcript.calls[1].usage == Usage(900, 35)
    event = transcript.events[0]
    assert (event.kind, event.call, event.at, event.trigger, event.pre_tokens, event.summary) == (
        "compaction", 3, 4, "server", 900, (),
    )  # fmt: skip
    rebuilt(transcript, first, second, third)


def chat(messages: list[Json], reply: Json, **usage: Any) -> Json:
    response = {"id": "x", "model": "gpt", "choices": [{"message": reply, "finish_reason": "stop"}], "usage": usage}
    return {"request": {"model": "gpt", "messages": messages}, "response": response}


def called(ident: str) -> Json:
    call = {"id": ident, "type": "function", "function": {"name": "ls", "arguments": '{"p": 1}'}}
    return {"role": "assistant", "content": "", "tool_calls": [call]}


def told(ident: str) -> Json:
    return {"role": "tool", "tool_call_id": ident, "content": "a b"}


def test_chat_completions_count_cached_tokens_apart() -> None:
    system, done = {"role": "system", "content": "S"}, {"role": "assistant", "content": "done"}
    first = chat([system, U1], called("c"), prompt_tokens=50, completion_tokens=4)
    second = chat([system, U1, called("c"), told("c")], done, prompt_tokens=90, completion_tokens=3,
                  prompt_tokens_details={"cached_tokens": 48})  # fmt: skip
    third = chat([system, U1, done, U2], {"role": "assistant", "content": "bye"})
    transcript = lines(first, second, third)
    assert transcript.format == "openai-chat"
    assert transcript.calls[1].usage == Usage(42, 3, 48)
    assert transcript.events[0].left == (2, 3)
    rebuilt(transcript, first, second, third)


def test_streamed_chat_completions_are_put_together() -> None:
    def chunk(delta: Json, finish: str | None = None, **more: Any) -> str:
        return "data: " + json.dumps({"id": "x", "choices": [{"delta": delta, "finish_reason": finish}], **more})

    written = [
        chunk({"role": "assistant", "content": "I "}),
        chunk({"content": "look"}),
        chunk({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "ls", "arguments": '{"p"'}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}),
        chunk({}, "tool_calls"),
        "data: " + json.dumps({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}),
        "data: [DONE]",
    ]
    transcript = lines({"request": {"model": "gpt", "messages": [U1]}, "response": {"sse_lines": written}})
    assert transcript.blocks(1) == (Text("I look"), ToolCall("c", "ls", '{"p": 1}'))
    assert transcript.calls[0].usage == Usage(7, 2) and transcript.calls[0].model == "gpt"


def test_a_record_that_is_no_pair_is_counted_and_the_rest_loads() -> None:
    transcript = lines(usual()[0], {"type": "note"}, *usual()[1:])
    assert len(transcript.calls) == 3
    assert [(one.name, one.lines) for one in transcript.log.unknown_records] == [("note", (2,))]


def test_pairs_without_any_reply_are_the_last_request() -> None:
    transcript = lines(pair([U1], None, error="e"), pair([U1, A1, R1], None, error="e"))
    assert [item.role for item in transcript.items] == ["system", "user", "assistant", "tool"]
    assert "2 failed" in transcript.format_why


def test_pairs_without_messages_are_no_transcript() -> None:
    with pytest.raises(InputError, match="no message in it; read as anthropic"):
        lines(pair([], None, error="e", system=None))


@pytest.mark.parametrize("odd", ["\ud800", 10**40, 1e300, [[[["deep"]]]], None])
def test_tools_of_any_value_are_compared_as_they_are(odd: Any) -> None:
    """What calls of one conversation have in common are their tools: values that orjson does not write are no fault."""
    tools = [{"name": "bash", "description": odd}]
    first = pair([asks("a")], whole(says("b"), 11), tools=tools)
    other = pair([asks("a"), says("c"), asks("d")], whole(says("e"), 12), tools=[{"name": "bash"}])
    second = pair([asks("a"), says("b"), asks("c")], whole(says("d"), 13), tools=tools)
    found = lines(first, other, second)
    assert [item.role for item in found.items] == ["system", "user", "assistant", "user", "assistant"]
    assert [call.usage.prompt for call in found.calls if call.usage] == [11, 13]
