"""Recorded windows, by hand: what each kind of event takes out, puts in, and brings back."""

from __future__ import annotations

from dataclasses import replace

import tests.generated as generated
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.replay.checking import check_session
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

# positions: 0 ask, 1 call, 2 result, 3 call, 4 result, 5 ask, 6 call, 7 result; calls 1 to 3 at 1, 3, 6, the next at 8
MESSAGES = (
    asks("Check d1"), calls(1), gives(1, "x" * 100), calls(2), gives(2, "y" * 50),
    asks("And d2"), calls(3), gives(3, "z" * 30),
)  # fmt: skip


def run(*events: Event) -> tuple[Session, list[list[tuple[str, str, int | None]]]]:
    """Return the recorded session of these events, and (action, rule, position) of its lines by call."""
    transcript = replace(generated.loaded(session(*MESSAGES)), events=events)
    made = Session(transcript, counts(transcript, "chars:1"), Settings("recorded"))
    return made, [[(line.action, line.rule, line.at) for line in step.lines] for step in made.steps()]


def test_a_compaction_folds_what_stood_before_it_behind_the_harness_summary() -> None:
    event = Event("compaction", at=5, call=3, where="log:9", trigger="auto", pre_tokens=900, summary=(Text("So far."),))
    made, lines = run(event)
    rule = "recorded.compaction"
    assert lines == [[], [], [*(("fold", rule, at) for at in range(5)), ("insert", rule, None)], []]
    assert [(insert.slot, insert.stands, insert.text) for insert in made.fold.inserted()] == [(0, "summary", "So far.")]
    assert [at for at in range(8) if made.fold.form(at) is Form.FULL] == [5, 6, 7]


def test_the_summary_of_a_log_that_begins_with_a_compaction_stands_before_what_follows() -> None:
    made, lines = run(Event("compaction", at=0, call=1, where="log:1", summary=(Text("Before."),)))
    assert lines == [[("insert", "recorded.compaction", None)], [], [], []]
    assert [(insert.slot, insert.text) for insert in made.fold.inserted()] == [(0, "Before.")]
    assert not made.fold.others


def test_a_second_compaction_absorbs_the_first_summary_and_keeps_what_it_kept() -> None:
    first = Event("compaction", at=3, call=2, where="log:4", summary=(Text("One."),))
    second = Event("compaction", at=8, call=4, where="log:9", summary=(Text("Two."),), kept=(5,))
    made, _ = run(first, second)
    assert [(insert.slot, insert.text) for insert in made.fold.inserted()] == [(0, "Two.")]
    assert [at for at in range(8) if made.fold.form(at) is Form.FULL] == [5]


def test_a_compaction_without_a_summary_takes_the_standing_one_out() -> None:
    first = Event("compaction", at=3, call=2, where="log:4", summary=(Text("One."),))
    made, lines = run(first, Event("compaction", at=8, call=4, where="log:9"))
    assert ("retract", "recorded.compaction", None) in lines[3]
    assert not made.fold.inserted()


def test_a_microcompaction_clears_the_results_it_names_and_leaves_their_calls() -> None:
    made, lines = run(Event("microcompaction", at=5, call=3, where="log:7", cleared=(2,)))
    assert lines == [[], [], [("clear", "recorded.microcompaction", 2)], []]
    assert made.fold.form(2) is Form.CLEARED and made.fold.form(1) is Form.FULL


def test_a_true_request_may_lack_items_and_hold_them_again() -> None:
    made, lines = run(
        Event("window", at=5, call=3, where="log:3", left=(1, 2)),
        Event("window", at=8, call=4, where="log:4", back=(1, 2)),
    )
    rule = "recorded.window"
    assert lines[2:] == [[("trim", rule, 1), ("trim", rule, 2)], [("recall", rule, 1), ("recall", rule, 2)]]
    assert not made.fold.not_in_full()


def test_what_a_request_shows_in_another_form_is_counted_as_shown() -> None:
    made, lines = run(Event("clear", at=5, call=3, where="log:3", cleared=(2,), shown=((Text("gone"),),)))
    assert lines[2] == [("clear", "recorded.clear", 2)]
    assert made.fold.standing(2)[1] == "gone" and made.fold.size(2) == 4


def test_a_log_without_events_never_engages_and_the_kept_invariants_hold() -> None:
    _, lines = run()
    assert lines == [[], [], [], []]
    event = Event("compaction", at=5, call=3, where="log:9", summary=(Text("So far."),))
    transcript = replace(generated.loaded(session(*MESSAGES)), events=(event,))
    checked = check_session(transcript, counts(transcript, "chars:1"), Settings("recorded"))
    assert checked.ok
    assert {verdict.number for verdict in checked.verdicts if verdict.given_up} == {2, 4, 5, 7, 8}
