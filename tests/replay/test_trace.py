"""The life of one thing: small sessions worked out by hand (spec/7, trace)."""

from __future__ import annotations

from typing import Any

import pytest

import tests.generated as generated
from tests.sessions import asks, calls, gives, policy, ran, session
from windowkeeper_cli.formats.families import FAMILIES
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.example import Message
from windowkeeper_cli.model.settings import Settings, SlidingTokens
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.trace import BACK, CAME, LEFT, MOVED, NAMED, USED, Trace, trace_of
from windowkeeper_cli.replay.trace_names import SHORTEST
from windowkeeper_cli.replay.trace_target import (
    ID,
    PATH,
    Target,
    target_of_id,
    target_of_path,
    target_of_text,
)
from windowkeeper_cli.tokens.chars import count

PATHS = "src/a/one.py"
LINES = "def first_function(): pass\ndef second_function(): pass\n"
SLIDING = {"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": 600}}
NONE = {"strategy": "none"}


def read(number: int, path: str = PATHS, text: str = "x" * 400) -> list[Message]:
    """Return a read of a file and its content."""
    return [calls(number, "read_file", path=path), gives(number, text)]


def edit(number: int, path: str = PATHS, text: str = "ok") -> list[Message]:
    """Return an edit of a file and its result."""
    return [calls(number, "edit_file", path=path, old="a", new="b"), gives(number, text)]


def says(text: str) -> Message:
    """Return a message of the model."""
    return {"role": "assistant", "content": text}


def traced(messages: list[Message], what: str, rules: dict[str, Any] = NONE, call: int | None = None) -> Trace:
    """Return the life of a path, else of a text, one character a token."""
    transcript = generated.loaded(session(*messages))
    target = target_of_path(transcript, what) or target_of_text(transcript, what)
    assert target is not None
    made = Session(transcript, count(transcript, "1"), generated.settings(rules))
    return trace_of(made, made.steps(call), target)


def told(trace: Trace) -> list[tuple[int, str, int | None]]:
    """Return (call, event, position) of a life."""
    return [(event.call, event.event, event.at) for event in trace.events]


def target(messages: list[Message], what: str) -> Target | None:
    """Return what a path means."""
    return target_of_path(generated.loaded(session(*messages)), what)


def test_a_read_comes_with_the_next_call_and_leaves_by_its_rule() -> None:
    # Items: 0 request, 1 call, 2 result (400), 3 call, 4 result (400): call 3 meets over 600 and drops the oldest turn.
    trace = traced([asks("a"), *read(1), *read(2, "src/b/two.py")], "one.py", SLIDING)
    assert told(trace) == [(1, USED, 1), (2, CAME, 2), (3, LEFT, 2)]
    line = trace.events[-1].line
    assert line is not None and (line.rule, line.action) == ("slidingTokens.maxTokens", "trim")
    assert (trace.forms, trace.holding, trace.namers) == ({2: Form.OUT}, frozenset(), ())


def test_a_use_says_whether_its_source_stood_and_since_when_it_did_not() -> None:
    # As above; round 3 edits the file at call 3, at which it left, and round 4 reads it again at call 4.
    messages = [asks("a"), *read(1), *read(2, "src/b/two.py"), *edit(3), *read(4)]
    trace = traced(messages, "one.py", SLIDING)
    uses = [(event.call, event.kind, event.standing, event.away) for event in trace.events if event.event == USED]
    assert uses == [(1, "read", 0, None), (3, "edit", 0, 0), (4, "read", 0, 1)]
    again = [event for event in trace.events if event.event == CAME][-1]
    assert (again.call, again.away, again.standing) == (5, 2, 1)


def test_an_edit_while_the_read_stands_is_no_need() -> None:
    trace = traced([asks("a"), *read(1), *edit(2)], "one.py")
    used = trace.events[-1]
    assert (used.event, used.call, used.kind, used.standing, used.away) == (USED, 2, "edit", 1, None)


def test_a_truncated_result_moved_and_an_evicted_one_left() -> None:
    # Limit 900: a re-plan cuts the oldest read to 300 tokens; a later one finds it over two turns old and makes it a
    # stub, which names its id.
    tools = {"toolResults": {"maxTokensEach": 300, "evictAfterTurns": 2}}
    messages = [asks("a"), *read(1), *read(2, "b.py"), *read(3, "c.py"), *read(4, "d.py")]
    trace = traced(messages, "one.py", policy(900, 700, **tools))
    moves = [(event.event, event.line.action) for event in trace.events if event.line is not None]
    assert moves == [(MOVED, "truncate"), (LEFT, "evict")]
    assert trace.forms == {2: Form.STUB} and trace.holding == frozenset()
    assert [namer.by for namer in trace.namers] == ["stub", "call"]


def test_a_stub_that_goes_too_moved_and_the_item_left_before() -> None:
    # The case of tests/replay/test_dropped.py: the result of round 1 is evicted, and its turn trimmed at a later call.
    rules = policy(700, 650, trim={"enabled": True}, toolResults={"evictAfterTurns": 0})
    trace = traced([asks("a"), *read(1), *read(2, "b.py"), *read(3, "c.py")], "one.py", rules)
    moves = [(event.event, event.line.action) for event in trace.events if event.line and event.at is not None]
    assert moves == [(LEFT, "evict"), (MOVED, "trim")]
    assert trace.forms == {2: Form.OUT}


def test_a_message_that_uses_it_is_no_mention_beside_its_use() -> None:
    # Its prose names the file as well; it is one event, and stands in the window as a message that names it.
    both = {**calls(1, "read_file", path=PATHS), "content": "I read one.py first"}
    trace = traced([asks("a"), both, gives(1, "x" * 400), *read(2, "b.py", "y" * 590)], "one.py", SLIDING)
    assert [event.event for event in trace.events if event.at == 1] == [USED]
    kept = traced([asks("a"), both, gives(1, "x" * 40)], "one.py")
    assert [(namer.by, namer.at) for namer in kept.namers] == [("model", 1)]


def test_the_answer_to_an_edit_is_no_mention_beside_its_use() -> None:
    trace = traced([asks("a"), *read(1), *edit(2, text=f"{PATHS} has been updated")], "one.py")
    assert [event.event for event in trace.events if event.at in (3, 4)] == [USED]
    assert [(namer.by, namer.at) for namer in trace.namers] == [("call", 1), ("call", 3), ("result", 4)]


def test_what_is_truncated_is_in_the_window() -> None:
    tools = {"toolResults": {"maxTokensEach": 100}}
    trace = traced([asks("a"), *read(1), *read(2, "b.py", "y" * 90)], "one.py", policy(450, 440, **tools))
    moves = [(event.event, event.line.action) for event in trace.events if event.line is not None]
    assert moves == [(MOVED, "truncate")]
    assert trace.forms == {2: Form.TRUNCATED} and trace.holding == {2}
    assert [namer.by for namer in trace.namers] == ["marker", "call"]


def test_what_is_recalled_came_back() -> None:
    # The case of tests/report/test_dropped.py: the second request names the log, so it is recalled at the next call.
    reads = [asks("a"), calls(1, "read_log", path="logs/d1.log"), gives(1, "line " * 100)]
    rest = [part for n in (2, 3) for part in (calls(n), gives(n, "x" * 1400))]
    messages = [*reads, *rest, calls(4), gives(4, "ok"), says("done"), asks("Look at logs/d1.log again"), says("ok")]
    trace = traced(messages, "d1.log", policy(3000, 1500, trim={"enabled": True}))
    events = [event.event for event in trace.events if event.event in (LEFT, BACK)]
    assert events == [LEFT, BACK]
    assert trace.forms[2] is Form.FULL


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("mend src/a/one.py", True),
        ("mend a/one.py", True),
        ("mend one.py now", True),
        ("mend one.pyc", False),
        ("mend someone.py", False),
        ("mend one.py/x", False),
    ],
)
def test_a_path_is_named_with_boundaries(text: str, names: bool) -> None:
    trace = traced([asks(text), *read(1)], PATHS)
    assert [event.at for event in trace.events if event.event == NAMED] == ([0] if names else [])


def test_a_file_name_that_two_files_share_names_neither() -> None:
    both = [*read(1), *read(2, "src/b/one.py")]
    trace = traced([asks("mend one.py"), *both], "src/a/one.py")
    assert NAMED not in {event.event for event in trace.events}
    assert NAMED in {event.event for event in traced([asks("mend one.py"), *both], "one.py").events}


def test_a_path_is_found_by_its_last_segments_alone() -> None:
    messages = [asks("a"), *read(1), *read(2, "other/src/a/one.py"), *read(3, "src/xa/one.py"), *read(4, "one.pyc")]
    assert [found.resources for what in ("a/one.py", "src/a/one.py") if (found := target(messages, what))] == [
        ("src/a/one.py", "other/src/a/one.py"),
        ("src/a/one.py", "other/src/a/one.py"),
    ]
    assert target(messages, "ne.py") is None and target(messages, "a") is None
    assert target(messages, "./src/xa/one.py") == target_with(messages, "src/xa/one.py", "./src/xa/one.py")
    found = target(messages, "xa/one.py:10-20")
    assert found is not None and found.resources == ("src/xa/one.py",)
    absolute = target(messages, "/home/me/other/src/a/one.py")
    assert absolute is not None and absolute.resources == ("src/a/one.py", "other/src/a/one.py")


def target_with(messages: list[Message], wanted: str, what: str) -> Target:
    """Return the target of `wanted` as if `what` had been typed."""
    found = target(messages, wanted)
    assert found is not None
    return Target(what, found.kind, found.items, found.names, found.plain, found.resources, found.uses)


def test_a_command_is_known_by_the_whole_of_it_only() -> None:
    messages = [asks("a"), calls(1, "bash", command="cat src/a/one.py"), gives(1)]
    assert target(messages, "a/one.py") is None
    found = target(messages, "cat src/a/one.py")
    assert found is not None and found.items == (2,)


def test_a_file_written_whole_is_given_by_the_message_that_wrote_it() -> None:
    messages = [asks("a"), calls(1, "write_file", path="new.py", content="print(1)"), gives(1, "ok")]
    trace = traced(messages, "new.py")
    assert [(event.call, event.event, event.at, event.kind) for event in trace.events] == [(2, CAME, 1, "write")]


def test_a_file_only_edited_is_given_by_its_edits() -> None:
    trace = traced([asks("a"), *edit(1), *edit(2)], "one.py")
    assert trace.target.items == (1, 3)
    assert told(trace) == [(2, CAME, 1), (3, CAME, 3)]


def test_all_copies_of_an_id_are_one_thing() -> None:
    messages = [asks("same"), says("ok"), asks("same"), says("fine")]
    transcript = generated.loaded(session(*messages))
    found = target_of_id(transcript, "x", 2)
    assert (found.kind, found.items) == (ID, (0, 2))


def test_an_item_by_id_has_the_later_uses_of_its_resource() -> None:
    transcript = generated.loaded(session(asks("a"), *read(1), *edit(2)))
    found = target_of_id(transcript, transcript.items[2].id, 2)
    assert (found.items, found.resources) == ((2,), (PATHS,))
    assert [(use.at, use.family, use.answer) for use in found.uses] == [(1, "read", 2), (3, "edit", 4)]
    assert {use.family for use in found.uses} <= {family.name for family in FAMILIES}


def test_a_text_is_given_by_results_and_people_and_named_by_the_model() -> None:
    messages = [asks("find the needle"), says("no needle yet"), asks("b"), *read(1, text="hay needle hay")]
    trace = traced(messages, "needle")
    assert trace.target.items == (0, 4)
    assert told(trace) == [(1, CAME, 0), (1, NAMED, 1), (3, CAME, 4)]


def test_a_text_of_the_model_alone_is_given_by_the_model() -> None:
    trace = traced([asks("a"), says("a haystack"), asks("b")], "haystack")
    assert told(trace) == [(2, CAME, 1)]


@pytest.mark.parametrize(
    ("what", "found"), [("max_retry", False), ("max_retry_count", True), ("ax_retry_coun", False), ("try count", True)]
)
def test_an_identifier_has_boundaries_and_other_text_none(what: str, found: bool) -> None:
    transcript = generated.loaded(session(asks("set max_retry_count, the retry counter")))
    assert (target_of_text(transcript, what) is not None) is found


@pytest.mark.parametrize("what", [".*", "(", "[a-z]+", "\\d", "a|b", "$", "x{1,9}"])
def test_no_text_is_a_pattern(what: str) -> None:
    assert target_of_text(generated.loaded(session(asks("plain words 123"))), what) is None
    transcript = generated.loaded(session(asks(f"plain {what} words")))
    found = target_of_text(transcript, what)
    assert found is not None and found.items == (0,)


def test_text_beyond_ascii_is_found_in_texts_and_in_escaped_arguments() -> None:
    messages = [asks("見て データ/表.csv を"), calls(1, "read_file", path="src/データ/表.csv"), gives(1, "値段は百円")]
    assert traced(messages, "値段は百").target.items == (2,)
    trace = traced([*messages, calls(2, "bash", command="wc src/データ/表.csv"), gives(2, "3")], "表.csv")
    assert trace.target.kind == PATH
    assert [(event.event, event.at) for event in trace.events if event.event == NAMED] == [(NAMED, 0), (NAMED, 3)]
    escaped: Message = {
        "role": "assistant",
        "content": "",
        "toolCalls": [{"id": "z", "name": "bash", "args": {"c": "百円\n"}}],
    }
    transcript = generated.loaded(session(asks("a"), escaped))
    assert target_of_text(transcript, "百円") is not None


def test_it_had_not_come_yet() -> None:
    trace = traced([asks("read src/a/one.py"), says("first"), *read(1)], "one.py", call=2)
    assert (trace.forms, trace.later, trace.first) == ({}, (3,), 3)
    assert [(namer.by, namer.at) for namer in trace.namers] == [("request", 0)]


def test_a_life_ends_with_what_the_reply_of_the_call_did() -> None:
    messages = [asks("a"), *read(1), *edit(2), *edit(3)]
    assert told(traced(messages, "one.py", call=2)) == [(1, USED, 1), (2, CAME, 2), (2, USED, 3)]


def test_lines_of_what_left_are_counted_in_what_names_it() -> None:
    # The request quotes one of two long lines; the read has line numbers, which are no part of the lines.
    numbered = "     1\u2192def first_function(): pass\n     2\u2192def second_function(): pass\n     3\u2192x = 1\n"
    request = asks("In src/a/one.py:\n  def second_function(): pass\nis wrong")
    assert len("x = 1") < SHORTEST <= len("def first_function(): pass")
    trace = traced([request, *read(1, text=numbered + "y" * 400), *read(2, "b.py")], "one.py", SLIDING)
    assert trace.forms == {2: Form.OUT}
    assert trace.lines == 3
    held = frozenset({"def second_function(): pass"})
    assert [(namer.by, namer.held) for namer in trace.namers] == [("request", held)]


def test_what_a_harness_adds_is_no_line_of_the_file() -> None:
    text = LINES + "<system-reminder>\nconsider whether this is malware\n</system-reminder>" + "z" * 400
    trace = traced([asks("see one.py"), *read(1, text=text), *read(2, "b.py")], "one.py", SLIDING)
    assert trace.lines == 2


def test_a_text_in_the_part_that_was_cut_is_not_in_the_window() -> None:
    text = "start " + "x" * 200 + " needle " + "x" * 200 + " the end"
    tools = {"toolResults": {"maxTokensEach": 100}}
    messages = [asks("a"), *read(1, text=text), *read(2, "b.py", "y" * 90)]
    cut = traced(messages, "needle", policy(470, 460, **tools))
    assert cut.forms == {2: Form.TRUNCATED} and cut.holding == frozenset()
    kept = traced(messages, "start x", policy(470, 460, **tools))
    assert kept.forms == {2: Form.TRUNCATED} and kept.holding == {2}


def test_a_stub_that_says_a_text_is_not_the_text() -> None:
    # A stub names the tool and quotes the first line; the result that held the text is gone all the same.
    tools = {"toolResults": {"evictAfterTurns": 1}}
    messages = [asks("a"), *read(1, text="def read_file(): " + "x" * 400), *read(2, "b.py"), *read(3, "c.py")]
    trace = traced(messages, "read_file(", policy(900, 300, **tools))
    assert trace.forms == {2: Form.STUB} and trace.holding == frozenset()


def test_a_notice_is_no_mention_by_its_own_id() -> None:
    # A plain text of two hex digits stands in many ids; the notice's own id is left out.
    rules = policy(1200, 300, trim={"enabled": True})
    messages = [asks("q9"), *[part for n in range(1, 5) for part in (calls(n), gives(n, "x" * 400))]]
    found = ran(messages, rules)
    own = next(iter(found.session.fold.inserted())).item
    digits = own[:3]
    messages[0] = asks(f"q9 {digits}")
    trace = traced(messages, digits, rules)
    assert all(namer.at is not None for namer in trace.namers)


def test_present_is_what_stands_at_the_call() -> None:
    trace = traced([asks("see one.py"), *read(1), *read(2, "b.py")], "one.py", SLIDING)
    assert trace.present == {0}


def test_the_cost_of_a_life_is_linear() -> None:
    # Each item is read once for its name whatever the number of calls: the source is asked at most three times each,
    # and at most three times more by what looks for gaps.
    messages = [asks("see one.py"), *[part for n in range(1, 200) for part in read(n, f"f{n % 7}.py")]]
    transcript = generated.loaded(session(*messages))
    asked: list[int] = []
    blocks = transcript.source.blocks

    class Counting:
        def blocks(self, at: int) -> Any:
            asked.append(at)
            return blocks(at)

        def raw(self, at: int) -> bytes:
            return transcript.source.raw(at)

        def measured(self, at: int, measure: object) -> None:  # noqa: ARG002
            return None

    import dataclasses

    counted = dataclasses.replace(transcript, source=Counting())
    found = target_of_path(counted, "f3.py")
    assert found is not None
    settings = Settings(strategy="sliding-tokens", sliding_tokens=SlidingTokens(3_000))
    made = Session(counted, count(transcript, "1"), settings)
    before = len(asked)
    trace_of(made, made.steps(), found)
    assert len(asked) - before <= 6 * len(transcript.items)
