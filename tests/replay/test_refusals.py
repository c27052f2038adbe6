"""What refused to leave, and how it ended: small sessions worked out by hand (spec/5, 4 to 6; spec/8)."""

from __future__ import annotations

from tests.generated import loaded, settings
from tests.sessions import Ran, asks, calls, gives, policy, ran, round_of, session, sliding
from windowkeeper_cli.model.decision import Refusal
from windowkeeper_cli.model.ledger import Meter, Step, VisitLine
from windowkeeper_cli.replay.refusals import HOLDS, LEFT, RELEASED, RefusalRow, Refusals, Wedge, refusals_of
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts


def rows_of(found: Ran) -> list[RefusalRow]:
    """Return the rows of a session that has run."""
    return refusals_of(found.steps).finish(found.session)


def brief(rows: list[RefusalRow]) -> list[tuple[str, int, int, int, int, str]]:
    """Return (reason, turn, first call, last call, visits, ended) of each row."""
    return [(row.reason, row.turn, row.first_call, row.last_call, row.visits, row.ended) for row in rows]


def test_a_sliding_window_refuses_its_keep_window_and_the_request() -> None:
    # Turns: the request 0, rounds 1 to 3. Call 3 has turns 0 to 2, of which only 0 is a candidate, and it refuses.
    # At call 4 turn 1 is one too, and leaves: it had been refused once, inside the keep window.
    found = ran([asks("Check d1"), *round_of(1, 900), *round_of(2, 900), *round_of(3, 900)], sliding(2))
    assert brief(rows_of(found)) == [
        ("current-request", 0, 3, 4, 2, HOLDS),
        ("inside-keep-window", 1, 3, 3, 1, LEFT),
        ("inside-keep-window", 2, 3, 4, 2, HOLDS),
        ("inside-keep-window", 3, 4, 4, 1, HOLDS),
    ]


def test_a_visit_that_removed_nothing_has_all_its_reasons() -> None:
    found = refusals_of(
        ran([asks("Check d1"), *round_of(1, 900), *round_of(2, 900), *round_of(3, 900)], sliding(2)).steps
    )
    assert [(visit.call, visit.trigger, dict(visit.reasons)) for visit in found.empty] == [
        (3, "turns", {"current-request": 1, "inside-keep-window": 2})
    ]
    assert (found.engaged, found.refusing) == (2, 2)
    assert found.by_reason == {"current-request": 2, "inside-keep-window": 2}


def test_a_row_holds_the_tokens_of_its_whole_turn() -> None:
    found = ran([asks("Check d1"), *round_of(1, 900), *round_of(2, 900), *round_of(3, 900)], sliding(2))
    sizes = found.session.counts.tokens
    assert [row.tokens for row in rows_of(found)] == [
        sizes[0], sizes[1] + sizes[2], sizes[3] + sizes[4], sizes[5] + sizes[6],
    ]  # fmt: skip


ONE_REQUEST = [asks("a"), *round_of(1, 500), *round_of(2, 500), *round_of(3, 10)]
TWO_REQUESTS = [*ONE_REQUEST, asks("b"), *round_of(4, 10)]


def test_what_is_kept_no_longer_is_released_though_nothing_asked_again() -> None:
    # Limit 900, target 800: at call 3 the window passes 1,000, request `a` refuses, round 1 leaves, and that is
    # enough, so nothing else is asked. From `b` on, `a` is no current request any more, and stays all the same.
    found = ran(TWO_REQUESTS, policy(900, 800, trim={"enabled": True}))
    assert [(call, action) for call, action, _ in found.moves()] == [(3, "trim"), (3, "trim"), (3, "insert")]
    assert brief(rows_of(found)) == [("current-request", 0, 3, 3, 1, RELEASED)]


def test_what_a_guard_still_keeps_holds_though_nothing_asked_again() -> None:
    found = ran([*ONE_REQUEST, *round_of(4, 10)], policy(900, 800, trim={"enabled": True}))
    assert found.steps[-1].call == 5
    assert brief(rows_of(found)) == [("current-request", 0, 3, 3, 1, HOLDS)]


def test_the_ending_is_that_of_the_call_asked_for() -> None:
    transcript = loaded(session(*TWO_REQUESTS))
    made = Session(transcript, counts(transcript, "chars:1"), settings(policy(900, 800, trim={"enabled": True})))
    assert brief(refusals_of(made.steps(3)).finish(made)) == [("current-request", 0, 3, 3, 1, HOLDS)]


def test_an_item_that_is_no_longer_in_full_has_left() -> None:
    # Evicting starts at 1 turn; the error of round 1 is kept for 2 turns, so call 3 refuses it (age 1); once it is
    # 3 turns old, at call 5, it becomes a stub.
    rounds = [*round_of(1, 400, isError=True), *round_of(2, 400), *round_of(3, 400), *round_of(4, 400)]
    sections = {"toolResults": {"evictAfterTurns": 0, "keepErrors": True, "keepErrorsTurns": 2}}
    found = ran([asks("a"), *rounds], policy(700, 0, **sections))
    kept = [row for row in rows_of(found) if row.reason == "keep-error"]
    assert [(row.scope, row.at, row.first_call, row.ended) for row in kept] == [("item", 2, 3, LEFT)]
    assert found.session.fold.form(2).name == "STUB"


def test_a_pin_stands_down_after_two_blocked_visits() -> None:
    # Keep 1. Call 2 has no candidate but the request. At calls 3 and 4 the pins of tools a and b hold all the rest;
    # at call 5 they stand down, and turns 1 to 3 leave together.
    messages = [asks("Check d1")]
    for number, tool in enumerate("abcd", start=1):
        messages += round_of(number, 900, tool)
    found = ran(messages, sliding(1, 3))
    refusals = refusals_of(found.steps)
    assert refusals.stand_downs == [5]
    pins = [row for row in brief(refusals.finish(found.session)) if row[0] == "last-tool-result"]
    assert pins == [("last-tool-result", 1, 3, 4, 2, LEFT), ("last-tool-result", 2, 4, 4, 1, LEFT)]


def test_over_the_limit_with_nothing_to_take_then_waiting() -> None:
    # The one result is recent, so the re-plan of call 2 moves nothing; the next waits until the window has grown by
    # the limit, so call 3 asks nothing at all.
    budget = {"backoff": 1.0}
    found = refusals_of(
        ran(
            [asks("a"), *round_of(1, 700), *round_of(2, 20)], policy(500, 0, budget=budget, trim={"enabled": True})
        ).steps
    )
    assert [(visit.call, visit.trigger, dict(visit.reasons)) for visit in found.empty] == [
        (2, "budget", {"current-request": 1, "inside-keep-window": 1}),
        (3, "waiting", {}),
    ]


def visit(call: int, trigger: str, *refusals: Refusal, **facts: object) -> Step:
    """Return a step without a decision, made by hand."""
    line = VisitLine(call, 1, call, trigger, 100, 100, None, None, 0, 0, 0, refusals=refusals, facts=facts)
    return Step(call, line, (), Meter(100, 100, False))


def test_a_visit_that_wanted_no_room_is_not_one_that_removed_nothing() -> None:
    assert refusals_of([visit(1, "resurface"), visit(2, "expire+resurface")]).empty == []
    assert [one.call for one in refusals_of([visit(1, "budget+resurface")]).empty] == [1]


def test_a_text_of_ours_that_left_is_a_removal() -> None:
    # spec/5, 7.4: replacing a notice alone counts as removing 1, though no item of the transcript moves.
    assert refusals_of([visit(1, "turns", removedMessageCount=1)]).empty == []
    assert len(refusals_of([visit(1, "turns", removedMessageCount=0)]).empty) == 1


LONE = Refusal("only-existing-summary", -1, 4, 60)


def test_a_wedge_is_two_visits_in_a_row_that_could_only_refuse_the_summary() -> None:
    found = refusals_of(
        [visit(1, "tokens", LONE), visit(2, "tokens"), visit(3, "tokens", LONE), visit(6, "tokens", LONE)]
    )
    assert found.wedges == [Wedge("only-existing-summary", 3, 6)]


def test_calls_that_did_not_engage_do_not_end_a_wedge() -> None:
    idle = visit(2, "tokens")._replace(visit=None)
    found = refusals_of([visit(1, "tokens", LONE), idle, visit(3, "tokens", LONE)])
    assert found.wedges == [Wedge("only-existing-summary", 1, 3)]


def test_the_same_refusal_twice_in_a_visit_is_one_visit() -> None:
    same = Refusal("current-request", 0, 0, 5)
    found = refusals_of([visit(1, "budget", same, same), visit(2, "budget", same)])
    assert [(row.visits, row.first_call, row.last_call) for row in found.rows.values()] == [(2, 1, 2)]
    assert found.by_reason == {"current-request": 2}


def test_a_refused_summary_of_ours_is_named_by_its_id() -> None:
    # Everything before request `b` is folded at call 4. At call 5 the span is the summary alone, up to `b`.
    messages = [asks("a"), *round_of(1, 2000), *round_of(2, 300), asks("b"), *round_of(3, 300), *round_of(4, 300)]
    own = {
        "strategy": "summarize-oldest",
        "summarizeOldest": {"thresholdTokens": 500, "keepRecentTurns": 1, "summaryTokens": 100},
        "pins": {"keepLastToolResults": False},
    }
    found = ran(messages, own)
    ours = [row for row in rows_of(found) if row.turn < 0]
    inserted = [line["item"] for line in found.lines if line["action"] == "insert"]
    assert [(row.reason, row.ours, row.stands, row.first_call, row.ended) for row in ours] == [
        ("only-existing-summary", inserted[0], "summary", 5, HOLDS)
    ]


def test_an_abandoned_removal_holds_its_whole_span() -> None:
    # Call 4 is triggered by the 942 tokens of call 3, and turn 1 may leave; the frame alone is longer than it.
    messages = [asks("Check d1"), calls(1), gives(1, "fine"), *round_of(2, 900), *round_of(3, 900)]
    own = {
        "strategy": "summarize-oldest",
        "summarizeOldest": {"thresholdTokens": 900, "keepRecentTurns": 2},
        "pins": {"keepLastToolResults": False},
    }
    found = ran(messages, own)
    row = next(row for row in rows_of(found) if row.reason == "replacement-not-smaller")
    sizes = found.session.counts.tokens
    assert (row.turn, row.at, row.tokens, row.ended) == (1, 1, sizes[1] + sizes[2], HOLDS)


def test_nothing_engaged_is_nothing_refused() -> None:
    found = refusals_of(ran([asks("a"), *round_of(1, 30)], {"strategy": "none"}).steps)
    assert (found.rows, found.empty, found.engaged) == ({}, [], 0)
    assert Refusals().wedges == []
