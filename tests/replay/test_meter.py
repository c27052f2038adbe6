"""What a call costs, by hand: prefix, invalidation, and where the ledger says the prefix broke (spec/7).

With one character a token a round (call and result) of N characters is 15 + N tokens, the request "Go" is 2.
"""

from __future__ import annotations

from dataclasses import replace

from tests.generated import loaded, settings
from tests.sessions import asks, calls, gives, policy, ran, round_of, session
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens.chars import count, counter

GO = [asks("Go"), *[part for number in range(1, 5) for part in round_of(number, 500)]]


def test_without_decisions_the_prefix_is_the_previous_window() -> None:
    found = ran(GO, policy(9_000))
    assert [(step.meter.window, step.meter.prefix) for step in found.steps] == [
        (2, 0), (517, 2), (1_032, 517), (1_547, 1_032), (2_062, 1_547),
    ]  # fmt: skip
    assert not any(step.meter.broken or step.meter.over_limit or step.meter.replanned for step in found.steps)


def test_the_prefix_ends_before_the_first_item_that_moved() -> None:
    # Call 5: position 2 becomes a stub, so the request (2) and its call (15) are what is left of the prefix.
    found = ran(GO, policy(2_000, 1_750, toolResults={"evictAfterTurns": 0}))
    meter = found.steps[-1].meter
    assert (meter.prefix, meter.broken, meter.replanned, meter.over_limit) == (17, True, True, False)
    assert found.visits[-1]["brokeAt"] == 2


def test_the_prefix_ends_before_a_notice() -> None:
    found = ran(GO, policy(2_000, 1_600, trim={"enabled": True}))
    assert (found.steps[-1].meter.prefix, found.visits[-1]["brokeAt"]) == (2, 1)


def test_a_move_behind_the_previous_request_breaks_nothing() -> None:
    # The large result came after request 1; request 2 cuts it before any provider has seen it.
    made = policy(500, 400, toolResults={"maxTokensEach": 200, "truncateRecent": True})
    found = ran([asks("Go"), *round_of(1, 900), *round_of(2, 5)], made)
    assert found.moves() == [(2, "truncate", 2)]
    assert [step.meter.broken for step in found.steps] == [False, False, False]
    assert found.steps[1].meter.prefix == 2
    assert "brokeAt" not in found.visits[0]


def test_what_comes_back_behind_the_end_of_the_previous_window_breaks_nothing() -> None:
    # Call 3 is sent with the request and the notice, turns 1 and 2 being out; turn 2 comes back behind both.
    messages = [asks("Look"), *round_of(1, 1_300), calls(2, "read_file", path="src/a.ts"), gives(2, "x" * 300)]
    after = [*round_of(3, 5), asks("Fix src/a.ts")]
    found = ran([*messages, *after], policy(1_500, 0, trim={"enabled": True}, protect={"recentTurns": 0}))
    assert found.moves()[-2:] == [(4, "recall", 3), (4, "recall", 4)]
    assert found.steps[3].meter.prefix == found.steps[2].meter.window
    assert not found.steps[3].meter.broken


def test_the_unseen_prefix_is_always_sent_and_counts_from_the_second_call_on() -> None:
    transcript = loaded(session(*GO))
    one = counter("1")
    seen = Counts(count(transcript, "1").tokens, replace(one, label=replace(one.label, unseen_prefix=1_000)))
    steps = list(Session(transcript, seen, settings(policy(9_000))).steps())
    assert [(step.meter.window, step.meter.prefix) for step in steps][:2] == [(1_002, 0), (1_517, 1_002)]
    limited = Session(transcript, seen, settings(policy(3_000, 2_700, toolResults={"evictAfterTurns": 0})))
    last = list(limited.steps())[-1]
    assert last.meter.prefix == 1_017
    assert last.visit is not None
    assert last.visit.tokens_before == 3_062


def test_a_cold_session_visits_the_last_call_alone() -> None:
    transcript = loaded(session(*GO))
    made = settings(policy(2_000, 1_600, trim={"enabled": True}))
    cold = Session(transcript, count(transcript, "1"), made, cold=True)
    (step,) = cold.steps(5)
    assert (step.call, step.meter.prefix) == (5, 0)
    assert [line.at for line in step.lines if line.action == "trim"] == [1, 2, 3, 4]


def test_steps_stop_where_they_are_told_to() -> None:
    transcript = loaded(session(*GO))
    made = Session(transcript, count(transcript, "1"), settings(policy(9_000)))
    assert [step.call for step in made.steps(3)] == [1, 2, 3]
