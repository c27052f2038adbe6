"""What is written where a window as it is would be refused: by hand, from the rules of `replay/acceptance`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from windowkeeper_cli.formats import loads
from windowkeeper_cli.formats.writers.accepted import BEFORE, NO_RESULT
from windowkeeper_cli.formats.writers.losses import Written
from windowkeeper_cli.formats.writers.written import requested
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.example import asks, calls, gives
from windowkeeper_cli.model.sent import Sent, Window, whole

ORPHAN = "[result of a tool, whose call is not here or was answered before; id c9]"
PNG = "iVBORw0KGgo="


def sent(*messages: Any, to: str = "anthropic", **top: Any) -> Written:
    """Return these messages of our own format as a request."""
    body = {"format": "windowkeeper/1", "messages": list(messages), **top}
    return requested(whole(loads(json.dumps(body).encode(), "made.json")), to)


def told(written: Written) -> dict[str, int]:
    """Return what was changed, with its number."""
    return {loss.name.split(",")[0]: loss.times for loss in written.losses}


def result(number: int, text: str = "fine", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"c{number}", "content": text, **more}


def test_a_result_without_its_call_is_the_users_text() -> None:
    made = sent(asks("Go"), gives(9, "lost"), {"role": "assistant", "content": "ok"}, asks("On"))
    assert made.body["messages"][1] == {
        "role": "user",
        "content": [{"type": "text", "text": ORPHAN}, {"type": "text", "text": "lost"}],
    }
    assert told(made) == {"results whose call is not there or was answered before": 1}


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    made = sent(asks("Go"), calls(1), asks("Forget it"))
    assert made.body["messages"][2] == {"role": "user", "content": [result(1, NO_RESULT, is_error=True)]}
    assert told(made) == {"calls without a result": 1}


def test_a_call_at_the_end_waits() -> None:
    made = sent(asks("Go"), calls(1))
    assert made.body["messages"][-1]["content"][0]["id"] == "c1"
    assert told(made) == {"calls at the end that wait: give their results before this is sent": 1}


def test_half_a_batch_at_the_end_is_completed() -> None:
    both = {
        "role": "assistant",
        "content": "",
        "toolCalls": [{"id": f"c{n}", "name": "look", "args": {}} for n in (1, 2)],
    }
    made = sent(asks("Go"), both, gives(2, "fine"))
    assert made.body["messages"][-1]["content"] == [result(2), result(1, NO_RESULT, is_error=True)]


def test_a_late_result_moves_up_to_its_call() -> None:
    made = sent(asks("Go"), calls(1), asks("Well?"), gives(1, "fine"), asks("So?"))
    assert [message["content"] for message in made.body["messages"][2:]] == [[result(1)], "Well?", "So?"]
    assert told(made) == {"results that came later": 1}


def test_the_responses_api_takes_it_where_it_is() -> None:
    made = sent(asks("Go"), calls(1), asks("Well?"), gives(1, "fine"), to="openai-responses")
    assert [item["type"] for item in made.body["input"]] == [
        "message", "function_call", "message", "function_call_output",
    ]  # fmt: skip
    assert made.losses == ()


def test_a_second_answer_is_the_users_text() -> None:
    made = sent(asks("Go"), calls(1), gives(1, "fine"), gives(1, "again"))
    assert made.body["messages"][2]["content"] == [result(1)]
    assert made.body["messages"][3]["content"][1] == {"type": "text", "text": "again"}


def test_one_id_for_two_calls_is_told_apart() -> None:
    messages = (asks("Go"), calls(1), gives(1, "a"), calls(1), gives(1, "b"))
    made = sent(*messages)
    assert [message["content"][0].get("id", message["content"][0].get("tool_use_id")) for message in
            made.body["messages"][1:]] == ["c1", "c1", "c1-2", "c1-2"]  # fmt: skip
    assert told(made) == {"ids that name two tool calls": 1}
    chat = sent(*messages, to="openai-chat")
    assert [message["tool_call_id"] for message in chat.body["messages"] if message["role"] == "tool"] == ["c1", "c1"]


def test_ids_are_written_in_letters_that_the_provider_takes() -> None:
    call = {
        "role": "assistant",
        "content": "",
        "toolCalls": [{"id": "functions.look:0|" + "x" * 60, "name": "look", "args": {}}],
    }
    answer = {"role": "tool", "toolCallId": call["toolCalls"][0]["id"], "content": "fine"}  # type: ignore[index]
    made = sent(asks("Go"), call, answer)
    assert made.body["messages"][1]["content"][0]["id"] == "functions_look_0_" + "x" * 60
    assert made.body["messages"][2]["content"][0]["tool_use_id"] == "functions_look_0_" + "x" * 60
    chat = sent(asks("Go"), call, answer, to="openai-chat").body["messages"]
    assert chat[1]["tool_calls"][0]["id"] == chat[2]["tool_call_id"] == ("functions.look:0|" + "x" * 60)[:40]


@pytest.mark.parametrize("target", ["anthropic", "gemini"])
def test_a_users_message_comes_first(target: str) -> None:
    made = sent(calls(1), gives(1, "fine"), to=target)
    first = made.body["messages" if target == "anthropic" else "contents"][0]
    assert first["role"] == "user" and BEFORE in str(first)


def test_empty_messages_and_blank_texts_are_left_out() -> None:
    made = sent(asks("Go"), {"role": "assistant", "content": "\n "}, asks(""), asks("On"))
    assert [message["content"] for message in made.body["messages"]] == ["Go", "On"]
    assert told(made) == {"texts without a visible character": 2, "messages without content": 2}


def test_system_texts_in_the_middle_are_the_users_where_they_have_no_place() -> None:
    messages = (
        {"role": "system", "content": "Be kind."},
        asks("Go"),
        {"role": "system", "content": "Hurry."},
        asks("On"),
    )
    made = sent(*messages)
    assert made.body["system"] == "Be kind."
    assert [message["role"] for message in made.body["messages"]] == ["user", "user", "user"]
    assert [message["role"] for message in sent(*messages, to="openai-chat").body["messages"]] == [
        "system", "user", "system", "user",
    ]  # fmt: skip


SEALED = {"role": "assistant", "model": "claude-x", "content": [
    {"type": "thinking", "thinking": "Hm.", "signature": "sealed"}, {"type": "text", "text": "Yes"},
]}  # fmt: skip


def test_reasoning_goes_back_to_who_sealed_it_unchanged() -> None:
    made = sent(asks("Go"), SEALED, asks("On"))
    assert made.body["messages"][1]["content"][0] == SEALED["content"][0]
    for target in ("openai-chat", "openai-responses", "gemini"):
        body = sent(asks("Go"), SEALED, asks("On"), to=target)
        assert "Hm." not in str(body.body) and any("reasoning" in name for name in told(body))
    sdk = sent(asks("Go"), SEALED, asks("On"), to="ai-sdk").body["messages"][1]["content"][0]
    assert sdk["providerOptions"] == {"anthropic": {"signature": "sealed"}}


def test_a_blank_text_stays_beside_another_text() -> None:
    parts = [{"type": "text", "text": text} for text in ("\n", "Yes", "")]
    made = sent(asks("Go"), {"role": "assistant", "content": parts})
    assert made.body["messages"][1]["content"] == parts[:2]
    call = {"role": "assistant", "content": "\n\n", "toolCalls": [{"id": "c1", "name": "look", "args": {}}]}
    assert len(sent(asks("Go"), call, gives(1)).body["messages"][1]["content"]) == 1


def test_the_model_s_last_message_does_not_end_with_its_reasoning() -> None:
    alone = {**SEALED, "content": [{"type": "thinking", "thinking": "Hm.", "signature": "sealed"}]}
    made = sent(asks("Go"), alone)
    assert [message["role"] for message in made.body["messages"]] == ["user"]
    assert told(made) == {"reasoning that nothing follows": 1}
    assert sent(asks("Go"), alone, asks("On")).body["messages"][1]["content"] == alone["content"]


def test_the_responses_api_wants_something_behind_all_reasoning() -> None:
    sealed = {"role": "assistant", "model": "gpt-x", "content": SEALED["content"][:1]}
    made = sent(asks("Go"), sealed, asks("On"), to="openai-responses")
    assert [item["type"] for item in made.body["input"]] == ["message", "message"]
    assert told(made) == {"reasoning that nothing follows": 1}


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}


@pytest.mark.parametrize(
    ("target", "shape"),
    [
        ("anthropic", IMAGE),
        ("openai-chat", {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}),
        ("openai-responses", {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}),
        ("gemini", {"inlineData": {"mimeType": "image/png", "data": PNG}}),
        ("ai-sdk", {"type": "file", "data": PNG, "mediaType": "image/png"}),
    ],
)
def test_images_are_written_as_the_provider_has_them(target: str, shape: dict[str, Any]) -> None:
    made = sent({"role": "user", "content": [{"type": "text", "text": "See"}, IMAGE]}, to=target)
    first = made.body[{"gemini": "contents", "openai-responses": "input"}.get(target, "messages")][0]
    assert first["parts" if target == "gemini" else "content"][1] == shape


def test_an_image_in_a_result_is_named_where_results_are_text_alone() -> None:
    made = sent(asks("Go"), calls(1), {**gives(1), "content": [IMAGE]}, to="openai-chat")
    assert made.body["messages"][2]["content"] == "[image left out: image/png]"


def test_arguments_that_are_no_object_stand_under_a_key() -> None:
    call = {"role": "assistant", "content": "", "toolCalls": [{"id": "c1", "name": "patch", "args": "*** Begin Patch"}]}
    made = sent(asks("Go"), call, gives(1, "done"))
    assert made.body["messages"][1]["content"][0]["input"] == {"input": "*** Begin Patch"}
    kept = sent(asks("Go"), call, gives(1, "done"), to="openai-responses").body["input"]
    assert kept[1] == {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "*** Begin Patch"}
    assert kept[2]["type"] == "custom_tool_call_output"


def test_texts_of_ours_stand_where_they_replace_and_results_first_in_their_message() -> None:
    transcript = loads(
        json.dumps({"format": "windowkeeper/1", "messages": [asks("Go"), calls(1), gives(1, "fine")]}).encode()
    )
    parts = whole(transcript).parts
    window = Window(transcript, (Sent(None, "user", (Text("[dropped history: x]"),)), *parts[1:]))
    made = requested(window, "anthropic")
    assert [message["content"] for message in made.body["messages"]][::2] == ["[dropped history: x]", [result(1)]]
    assert made.losses == ()


def test_nothing_at_all_is_named() -> None:
    assert told(sent({"role": "system", "content": "Be kind."})) == {"no message is left": 1}


URL = "https://example.com/a.png"
DATA = f"data:image/png;base64,{PNG}"
PDF = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ({"type": "image_url", "image_url": {"url": DATA}}, IMAGE),
        ({"type": "input_image", "image_url": DATA}, IMAGE),
        ({"inlineData": {"mimeType": "image/png", "data": PNG}}, IMAGE),
        ({"type": "image", "data": PNG, "mimeType": "image/png"}, IMAGE),
        ({"type": "file", "mediaType": "image/png", "data": PNG}, IMAGE),
        ({"type": "image_url", "image_url": {"url": URL}}, {"type": "image", "source": {"type": "url", "url": URL}}),
        ({"type": "file", "mediaType": "application/pdf", "data": "JVBERi0="}, PDF),
        ({"type": "file", "mime": "application/zip", "url": "data:application/zip;base64,UEs="},
         {"type": "text", "text": "[file left out: application/zip]"}),
        ({"type": "image_url", "image_url": {"url": "data:,odd"}},
         {"type": "text", "text": '{"type":"image_url","image_url":{"url":"data:,odd"}}'}),
        ({"type": "input_image", "image_url": "no address"},
         {"type": "text", "text": '{"type":"input_image","image_url":"no address"}'}),
        ({"type": "odd", "n": [1, 2]}, {"type": "text", "text": '{"type":"odd","n":[1,2]}'}),
        ({"type": "odd", "n": "x" * 5_000},
         {"type": "text", "text": '{"type":"odd","n":"' + "x" * 1_981 + "… (5,021 characters)"}),
        (7, {"type": "text", "text": "7"}),
    ],
)  # fmt: skip
def test_blocks_of_every_format_find_a_place(block: Any, expected: Any) -> None:
    made = sent({"role": "user", "content": [{"type": "text", "text": "See"}, block]})
    assert made.body["messages"][0]["content"][1] == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("openai-chat", {"type": "file", "file": {
            "filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}}),
        ("openai-responses", {
            "type": "input_file", "filename": "document.pdf", "file_data": "data:application/pdf;base64,JVBERi0="}),
        ("gemini", {"inlineData": {"mimeType": "application/pdf", "data": "JVBERi0="}}),
        ("anthropic", PDF),
    ],
)  # fmt: skip
def test_documents_are_written_as_the_provider_has_them(target: str, expected: dict[str, Any]) -> None:
    made = sent({"role": "user", "content": [{"type": "text", "text": "See"}, PDF]}, to=target)
    first = made.body[{"gemini": "contents", "openai-responses": "input"}.get(target, "messages")][0]
    assert first["parts" if target == "gemini" else "content"][1] == expected


def test_addresses_are_kept_where_an_image_is_one() -> None:
    image = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": URL}}]}
    assert sent(image, to="gemini").body["contents"][0]["parts"] == [
        {"fileData": {"mimeType": "image/png", "fileUri": URL}}
    ]
    shown = sent(asks("Go"), calls(1), {**gives(1), "content": image["content"]}, to="ai-sdk").body["messages"][2]
    assert shown["content"][0]["output"] == {"type": "content", "value": [{"type": "image-url", "url": URL}]}
    assert sent({**image, "role": "assistant"}, to="openai-chat").body["messages"][0]["content"] == (
        "[image left out: image/png]"
    )


def test_reasoning_that_nobody_may_read_goes_to_its_own_provider_alone() -> None:
    hidden = {"type": "redacted_thinking", "data": "sealed"}
    message = {"role": "assistant", "model": "claude-x", "content": [hidden, {"type": "text", "text": "Yes"}]}
    assert sent(asks("Go"), message, asks("On")).body["messages"][1]["content"][0] == hidden
    other = {**message, "model": "gpt-x"}
    assert sent(asks("Go"), other, asks("On")).body["messages"][1]["content"] == "Yes"


def test_results_inside_other_messages_answer_nothing() -> None:
    """Our format lets a result stand in a user's message; it has no item of its own, so no call is answered by it."""
    made = sent(asks("Go"), calls(1), {"role": "user", "content": [result(1), {"type": "text", "text": "See?"}]})
    roles = [message["role"] for message in made.body["messages"]]
    assert roles == ["user", "assistant", "user", "user", "user"]
    assert made.body["messages"][2]["content"] == [result(1, NO_RESULT, is_error=True)]
    assert made.body["messages"][3]["content"][1] == {"type": "text", "text": "fine"}
