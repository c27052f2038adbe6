"""The shared rules: turns, ids, pairs, runs, anchors. Values by hand, after `spec/1`, `spec/2` and `spec/5`, 2, 3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.logs import document, kinds, roles
from windowkeeper_cli.formats import identity
from windowkeeper_cli.formats.identity import fast_payload, identified, short_ids
from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolCall, ToolResult, units_in
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.model.transcript import Transcript

TEXTS = st.text(st.characters() | st.characters(categories=["Cs"]), max_size=20)
PARTS = st.builds(Text, TEXTS) | st.builds(lambda: Other("image", '{"type":"image"}'))
BLOCKS: st.SearchStrategy[Block] = (
    PARTS
    | st.builds(Think, TEXTS, st.none() | TEXTS)
    | st.builds(ToolCall, TEXTS, TEXTS, TEXTS)
    | st.builds(ToolResult, TEXTS, st.none() | TEXTS, st.booleans(), st.lists(PARTS).map(tuple))
)


def ask(*idents: str, words: str = "") -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": words,
        "toolCalls": [{"id": ident, "name": f"tool_{ident}", "args": {"path": f"{ident}.py"}} for ident in idents],
    }


def answer(ident: str, words: str = "out") -> dict[str, Any]:
    return {"role": "tool", "toolCallId": ident, "content": words}


def person(words: str, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": words, **more}


def ours(*messages: dict[str, Any], **top: Any) -> Transcript:
    return document({"format": "windowkeeper/1", "messages": list(messages), **top})


@given(st.sampled_from(("user", "tool")), st.lists(BLOCKS, max_size=4).map(tuple))
def test_the_fast_payload_is_the_payload(role: str, blocks: tuple[Block, ...]) -> None:
    assert fast_payload(role, blocks) == payload(role, blocks)
    digest, units = identified(role, blocks)
    assert digest[:12] == item_id(payload(role, blocks)) and units == units_in(blocks)


def test_an_id_by_hand() -> None:
    """`printf '{"role":"user","blocks":[{"t":"text","text":"hi"}]}' | sha256sum`"""
    assert ours(person("hi")).items[0].id == "85161d250d84"


def test_two_payloads_with_one_short_id_get_sixteen_digits() -> None:
    digests = ["a" * 12 + "1" * 52, "b" * 64, "a" * 12 + "2" * 52, "a" * 12 + "1" * 52]
    ids, clashes = short_ids(digests)
    assert ids == ["a" * 12 + "1111", "b" * 12, "a" * 12 + "2222", "a" * 12 + "1111"]
    assert clashes == [(0, 2)]


def test_a_clash_is_a_finding_that_names_both_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "ID_DIGITS", 0)
    transcript = ours(person("a"), person("b"), person("a"))
    assert kinds(transcript) == [("id-clash", "messages[1]")]
    assert "doc.json:messages[0]" in transcript.findings[0].text
    assert [len(item.id) for item in transcript.items] == [16, 16, 16]
    assert transcript.items[0].id == transcript.items[2].id


def test_turns_are_positional_and_leading_system_text_is_none() -> None:
    transcript = ours(
        {"role": "system", "content": "late"}, person("a"), ask("x"), answer("x"), answer("y"),
        {"role": "system", "content": "in the middle"}, answer("z"), system="S",
    )  # fmt: skip
    assert [item.turn for item in transcript.items] == [-1, -1, 0, 1, 1, 1, 2, 2]
    assert transcript.envelope == 2


def test_a_leading_result_opens_a_turn_and_further_ones_join_it() -> None:
    assert [item.turn for item in ours(answer("x"), answer("y"), person("a")).items] == [0, 0, 1]


def test_a_result_answers_the_nearest_preceding_open_call() -> None:
    transcript = ours(person("a"), ask("x"), ask("x"), answer("x"), answer("x"), answer("x"))
    assert [item.answers for item in transcript.items] == [-1, -1, -1, 2, 1, -1]
    assert transcript.pairs == {(2, "x"): 3, (1, "x"): 4}
    assert [kind for kind, _ in kinds(transcript)] == [
        "duplicate-tool-call-id",
        "late-tool-result",
        "duplicate-tool-result",
    ]


def test_a_result_before_its_call_is_an_orphan_and_the_call_is_unanswered() -> None:
    transcript = ours(person("a"), answer("x"), ask("x"), person("b"))
    assert kinds(transcript) == [
        ("orphan-tool-result", "messages[1]"),
        ("unanswered-tool-call", "messages[2]"),
    ]


def test_a_late_result_names_both_places() -> None:
    transcript = ours(person("a"), ask("x"), person("b"), answer("x"))
    finding = transcript.findings[0]
    assert (finding.kind, finding.where) == ("late-tool-result", "doc.json:messages[3]")
    assert "doc.json:messages[1]" in finding.text
    assert transcript.items[3].answers == 1


@pytest.mark.parametrize(("behind", "expected"), [([], []), ([person("b")], [("unanswered-tool-call", "messages[1]")])])
def test_a_call_waits_at_the_end_and_is_unanswered_before_it(
    behind: list[dict[str, Any]], expected: list[tuple[str, str]]
) -> None:
    assert kinds(ours(person("a"), ask("x", "y"), answer("y"), *behind)) == expected


def test_a_result_takes_name_and_resource_of_its_call() -> None:
    transcript = ours(person("a"), ask("x"), answer("x"), answer("q"))
    result, orphan = transcript.items[2:]
    assert (result.tool_name, result.resource) == ("tool_x", "x.py")
    assert (orphan.tool_name, orphan.resource) == (None, None)
    assert transcript.blocks(2)[0] == ToolResult("x", "tool_x", False, (Text("out"),))


def test_the_first_request_is_the_task_unless_one_is_flagged() -> None:
    assert [item.task for item in ours(person("n", injected=True), person("a"), person("b")).items] == [
        False,
        True,
        False,
    ]
    assert [item.task for item in ours(person("a"), person("b", task=True)).items] == [False, True]


def test_messages_of_a_window_strategy_are_no_requests() -> None:
    transcript = ours(person("[dropped history: 3"), person("[compacted history: x"), person(" [dropped history"))
    assert [item.request for item in transcript.items] == [False, False, True]
    assert transcript.items[0].authored_by == "harness"


def calls_of(transcript: Transcript) -> list[tuple[int, int, int]]:
    return [(call.run, call.iteration, call.anchor) for call in transcript.all_calls()]


def test_a_run_starts_at_a_call_whose_new_items_hold_a_request() -> None:
    transcript = ours(person("a"), ask("x"), answer("x"), ask(words="done"), person("b"), ask(words="ok"))
    assert calls_of(transcript) == [(1, 1, 0), (1, 2, 0), (2, 1, 4), (2, 2, 4)]


def test_a_request_while_a_call_is_unanswered_starts_no_run() -> None:
    transcript = ours(person("a"), ask("x"), person("b"), answer("x"), ask(words="ok"))
    assert calls_of(transcript) == [(1, 1, 0), (1, 2, 0), (1, 3, 0)]


def test_the_anchor_moves_to_a_later_request_with_the_same_text() -> None:
    transcript = ours(person("a"), ask("x"), person("a"), answer("x"), ask(words="ok"))
    assert calls_of(transcript) == [(1, 1, 0), (1, 2, 2), (1, 3, 2)]


def test_without_a_request_there_is_no_anchor() -> None:
    assert calls_of(ours(person("n", injected=True), ask(words="ok"))) == [(1, 1, -1), (1, 2, -1)]


def test_the_named_request_starts_the_last_run_and_later_ones_start_none() -> None:
    transcript = ours(
        person("a"), ask(words="1"), person("b"), ask(words="2"), person("c"), ask(words="3"), request="b"
    )
    assert calls_of(transcript) == [(1, 1, 0), (2, 1, 2), (2, 2, 2), (2, 3, 2)]


def test_a_named_request_that_is_not_there_leaves_the_latest_one() -> None:
    transcript = ours(person("a"), ask(words="1"), person("b"), ask(words="2"), request="gone")
    assert calls_of(transcript)[-1] == (2, 2, 2)


def test_the_next_call_stands_behind_the_last_item() -> None:
    transcript = ours(person("a"), ask("x"), answer("x"))
    assert (transcript.next_call.number, transcript.next_call.at) == (2, 3)
    assert roles(transcript) == "uat"


def test_the_same_content_has_the_same_id_in_every_format() -> None:
    ids = []
    ids.append([i.id for i in ours(person("a"), ask("x"), answer("x"), system="S").items])
    anthropic = {
        "system": "S",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": ""},
                    {"type": "tool_use", "id": "x", "name": "tool_x", "input": {"path": "x.py"}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "out"}]},
        ],
    }
    ids.append([i.id for i in document(anthropic).items])
    function = {"name": "tool_x", "arguments": '{"path":"x.py"}'}
    openai = [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "x", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "x", "content": "out"},
    ]
    ids.append([i.id for i in document(openai).items])
    assert ids[0] == ids[1] == ids[2]
