"""The stages of a re-plan one by one: who leaves, when and in which order, worked out by hand from spec/4.

With one character a token a round (call and result) of N characters is 15 + N tokens, the request "Go" is 2.
Request "Go" is turn 0 at position 0; round n is turn n with its result at position 2n.
"""

from __future__ import annotations

import hashlib

import pytest

from tests.sessions import Line, Ran, asks, calls, gives, policy, ran, round_of
from windowkeeper_cli.model.example import Message


def go(*sizes: int, request: str = "Go") -> list[Message]:
    """Return a request and rounds of these sizes."""
    return [asks(request), *(part for number, size in enumerate(sizes, 1) for part in round_of(number, size))]


def acts(found: Ran, action: str) -> list[tuple[int, int]]:
    """Return (call, position or slot) of every line with that action."""
    return [(call, at) for call, did, at in found.moves() if did == action]


# truncate


def test_truncate_stops_at_the_target() -> None:
    # Call 5 holds 2 + 4 x 515 = 2,062 > 2,000. Each cut frees 300 at least: 1,762, then 1,462 <= 1,500.
    found = ran(go(500, 500, 500, 500), policy(2_000, 1_500, toolResults={"maxTokensEach": 200}))
    assert found.moves() == [(5, "truncate", 2), (5, "truncate", 4)]
    assert found.steps[-1].meter.window <= 1_500
    assert all(line["tokensBefore"] == 500 and line["tokensAfter"] <= 200 for line in found.lines)


def test_without_stop_at_target_everything_eligible_is_cut() -> None:
    sections: dict[str, Line] = {"budget": {"stopAtTarget": False}, "toolResults": {"maxTokensEach": 200}}
    found = ran(go(500, 500, 500, 500), policy(2_000, 1_500, **sections))
    # Position 8 is inside the one recent turn.
    assert found.moves() == [(5, "truncate", 2), (5, "truncate", 4), (5, "truncate", 6)]


def test_a_result_at_the_cap_is_not_cut() -> None:
    found = ran(go(200, 201, 700, 1_500), policy(2_000, 0, toolResults={"maxTokensEach": 200}))
    assert acts(found, "truncate") == [(5, 4), (5, 6)]


# evict


def test_evict_by_age_in_turns() -> None:
    # Call 4: 1,547 > 1,400, newest turn 3, ages 2, 1, 0: only the first is older than 1. Call 5: the second.
    found = ran(go(500, 500, 500, 500), policy(1_400, 0, toolResults={"evictAfterTurns": 1}))
    assert found.moves() == [(4, "evict", 2), (5, "evict", 4)]
    assert [line["detail"] for line in found.lines] == ["age 2 > 1", "age 2 > 1"]


@pytest.mark.parametrize(("stop", "expected"), [(True, [(5, 2), (5, 4)]), (False, [(5, 2), (5, 4), (5, 6)])])
def test_evict_stops_at_the_target_if_told_to(stop: bool, expected: list[tuple[int, int]]) -> None:
    # 2,062: a stub has under 100 tokens, so two of them bring it under 1,500.
    made = policy(2_000, 1_500, budget={"stopAtTarget": stop}, toolResults={"evictAfterTurns": 0})
    assert acts(ran(go(500, 500, 500, 500), made), "evict") == expected


def test_cut_then_evicted_in_one_visit_is_one_line() -> None:
    made = policy(2_000, 0, toolResults={"evictAfterTurns": 2, "maxTokensEach": 200})
    found = ran(go(500, 500, 500, 500), made)
    # Newest turn 4: only turn 1 is older than 2. Lines stand in the order of the last decision on each item.
    assert found.moves()[:3] == [(5, "truncate", 4), (5, "truncate", 6), (5, "evict", 2)]
    evicted = found.lines[2]
    assert (evicted["tokensBefore"], evicted["rule"]) == (500, "toolResults.evictAfterTurns")
    assert "cut" not in evicted
    assert found.visits[-1]["new"] == 3


def test_nothing_leaves_at_the_limit() -> None:
    made = policy(2_062, 0, toolResults={"evictAfterTurns": 0})
    assert ran(go(500, 500, 500, 500), made).visits == []
    made["budget"]["max"] = 2_061
    assert acts(ran(go(500, 500, 500, 500), made), "evict") == [(5, 2), (5, 4), (5, 6)]


def test_between_two_replans_nothing_new_leaves() -> None:
    made = policy(2_000, 1_000, toolResults={"evictAfterTurns": 0})
    found = ran(go(500, 500, 500, 500, 10, 10, 10), made)
    assert {line["call"] for line in found.lines} == {5}
    assert [step.meter.broken for step in found.steps] == [False] * 4 + [True] + [False] * 3


# expire


def test_what_is_due_waits_for_the_next_replan_and_then_leaves_first() -> None:
    # Life of 0 turns: due from call 3 on, but the window is under the limit until call 5.
    messages = go(500, 500, 500, 500)
    messages[4] |= {"ttlTurns": 0}
    found = ran(messages, policy(2_000, 1_750, toolResults={"evictAfterTurns": 0}))
    assert found.said("call", "action", "at", "rule", "detail") == [(5, "expire", 4, "expire", "ttlTurns 0: age 2")]


@pytest.mark.parametrize(("turns", "leaves"), [(2, True), (3, False)])
def test_due_means_older_than_its_life(turns: int, leaves: bool) -> None:
    # At call 5 the newest turn is 4: the result of turn 1 is 3 turns old.
    messages = go(500, 500, 500, 500)
    messages[2] |= {"ttlTurns": turns}
    assert acts(ran(messages, policy(2_000, 0)), "expire") == ([(5, 2)] if leaves else [])


@pytest.mark.parametrize(
    ("flags", "detail"),
    [
        ({"ttlTurns": 2, "tags": ["log"]}, "ttlTurns 2: age 3"),
        ({"tags": ["log"]}, "expire.tools.read_log 1: age 3"),
        ({"ttlTurns": 9, "tags": ["log"]}, None),
    ],
)
def test_the_items_own_life_counts_before_its_tools(flags: Line, detail: str | None) -> None:
    messages = go(500, 500, 500, 500)
    messages[2] |= flags
    messages[4] |= {"ttlTurns": 99}
    messages[6] |= {"ttlTurns": 99}
    found = ran(messages, policy(2_000, 0, expire={"tools": {"read_log": 1}, "tags": {"log": 0}}))
    expired = [line["detail"] for line in found.lines if line["action"] == "expire"]
    assert expired == ([] if detail is None else [detail])


def test_of_several_tags_the_shortest_life_counts_and_messages_expire_too() -> None:
    messages = [asks("Go"), asks("n" * 500, tags=["log", "scratch"], injected=True), *go(500, 500, 500)[1:]]
    found = ran(messages, policy(2_000, 0, expire={"tags": {"log": 2, "scratch": 1}}))
    (line,) = [line for line in found.lines if line["action"] == "expire"]
    assert (line["at"], line["detail"]) == (1, "expire.tags.scratch 1: age 3")
    assert line["text"].startswith("[moved out: user message, 500 tokens;")


def test_expire_now_leaves_at_once() -> None:
    messages = go(500, 500, 10)
    messages[2] |= {"ttlTurns": 1}
    found = ran(messages, policy(9_000, 0, expire={"now": True}))
    assert found.moves() == [(4, "expire", 2)]
    assert [(visit["trigger"], visit["brokeAt"]) for visit in found.visits] == [("expire", 2)]


def test_without_stop_at_target_everything_due_expires() -> None:
    messages = go(500, 500, 500, 500)
    messages[2] |= {"ttlTurns": 0}
    messages[4] |= {"ttlTurns": 0}
    found = ran(messages, policy(2_000, 1_750, budget={"stopAtTarget": False}))
    assert acts(found, "expire") == [(5, 2), (5, 4)]


# trim


def test_trim_takes_whole_turns_oldest_first_with_the_notice_counted_in() -> None:
    # 2,062 - 1,600 = 462, and the notice on top: one turn of 515 is not enough, two are.
    found = ran(go(500, 500, 500, 500), policy(2_000, 1_600, trim={"enabled": True}))
    assert found.moves() == [(5, "trim", 1), (5, "trim", 2), (5, "trim", 3), (5, "trim", 4), (5, "insert", 2)]
    notice = found.lines[-1]
    first = found.session.transcript.items[0].id
    assert notice["item"] == hashlib.sha256(f"trim:{first}".encode()).hexdigest()[:12]
    assert (notice["stands"], notice["tokensBefore"]) == ("notice", 0)
    assert notice["tokensAfter"] == len(notice["text"])
    assert notice["text"].startswith("[dropped history")
    assert f'recall("{notice["item"]}")' in notice["text"]
    assert found.steps[-1].meter.window == 2_062 - 2 * 515 + notice["tokensAfter"]
    # The one turn that refused before it had enough: the current request.
    assert found.refusals() == [("current-request", "turn", 0)]
    ids = [found.session.transcript.items[at].id for at in (1, 2, 3, 4)]
    assert found.session.archive.list(notice["item"]) == tuple(ids)


def test_a_turn_that_refuses_stays_and_the_next_oldest_goes() -> None:
    messages = go(500, 500, 500, 500)
    messages[1] |= {"pinned": True}
    found = ran(messages, policy(2_000, 1_600, trim={"enabled": True}))
    assert acts(found, "trim") == [(5, 3), (5, 4), (5, 5), (5, 6)]
    assert acts(found, "insert") == [(5, 6)]
    assert found.refusals() == [("current-request", "turn", 0), ("pinned", "turn", 1)]


def test_a_request_that_is_no_longer_the_current_one_may_leave_and_the_notice_moves_to_it() -> None:
    # Call 5: as above, turns 1 and 2. Call 7: 1,203 + 25 + 4 + 915 > 2,000, and now turn 0 is the oldest to go.
    messages = [*go(500, 500, 500, 500, 10), asks("Next"), *round_of(6, 900)]
    found = ran(messages, policy(2_000, 1_600, trim={"enabled": True}))
    assert acts(found, "trim")[4:] == [(7, 0), (7, 5), (7, 6), (7, 7), (7, 8)]
    assert [move for move in found.moves() if move[1] in ("insert", "retract")] == [
        (5, "insert", 2),
        (7, "insert", 0),
        (7, "retract", 2),
    ]
    texts = {line["text"] for line in found.lines if line["action"] == "insert"}
    assert len(texts) == 1, "the notice is constant"


def test_nothing_is_trimmed_for_less_than_the_notice_takes() -> None:
    # One removable turn of 15 + 20 tokens against a notice of well over 100.
    found = ran(go(20, 500), policy(500, 0, trim={"enabled": True}))
    assert found.moves() == [(3, "over-limit", 4)]


LATE = [asks("Go"), calls(1), calls(2), gives(2, "x" * 300), gives(1, "y" * 300)]
"""Turn 1 is a call whose result came in turn 2."""


def test_a_call_and_its_late_result_leave_together() -> None:
    # 2 + 15 + 615 + 515 = 1,147 > 1,000; turn 1 alone (15) would not do, turns 1 and 2 leave as one.
    found = ran([*LATE, *round_of(3, 500)], policy(1_000, 900, trim={"enabled": True}))
    assert acts(found, "trim") == [(4, 1), (4, 2), (4, 3), (4, 4)]


def test_a_call_whose_late_result_must_stay_stays_too() -> None:
    found = ran([*LATE, *round_of(3, 500)], policy(1_000, 0, trim={"enabled": True}, protect={"recentTurns": 2}))
    assert acts(found, "trim") == []
    assert ("split-pair", "turn", 1) in found.refusals()
    assert ("inside-keep-window", "turn", 2) in found.refusals()


def test_a_call_without_a_result_is_never_trimmed() -> None:
    messages = [asks("Go"), calls(9), *go(500, 500, 500)[1:]]
    found = ran(messages, policy(1_200, 0, trim={"enabled": True}))
    assert 1 not in [at for _, at in acts(found, "trim")]
    assert ("unresolved-tool-call", "turn", 1) in found.refusals()


def test_a_reused_id_does_not_answer_the_later_call() -> None:
    # spec/4: turns with an unanswered tool call are never trimmed. The second c1 is answered only in the last turn.
    second = {"role": "assistant", "toolCalls": [{"id": "c1", "name": "read_log", "args": {"n": 2}}]}
    messages = [*go(500), second, *round_of(3, 500), *round_of(4, 500), gives(1, "late")]
    found = ran(messages, policy(1_000, 0, trim={"enabled": True}))
    assert 3 not in [at for _, at in acts(found, "trim")]


# truncateRecent


def recent(**flags: Line) -> Ran:
    """Three results of 300, 900 and 600 in the newest turns; the limit is 1,000, the cap 200."""
    messages = go(300, 900, 600)
    for name, given in flags.items():
        messages[int(name[1:])] |= given
    made = policy(1_000, 0, toolResults={"maxTokensEach": 200, "truncateRecent": True}, protect={"recentTurns": 3})
    made["budget"] |= {"target": 760}
    return ran(messages, made)


def test_recent_results_are_cut_largest_first_until_the_target_is_met() -> None:
    # Call 3: 2 + 315 + 915 = 1,232: the 900 is cut to 200 or less, 532 left. Call 4: 532 + 615 = 1,147: the 600 next.
    found = recent()
    assert found.moves() == [(3, "truncate", 4), (4, "truncate", 6)]
    assert {line["rule"] for line in found.lines} == {"toolResults.truncateRecent"}


def test_what_an_author_flagged_is_not_cut_even_then() -> None:
    found = recent(_4={"pinned": True})
    assert (3, "truncate", 2) in found.moves()
    assert 4 not in [at for _, at in acts(found, "truncate")]
    assert ("pinned", "item", 4) in found.refusals()


def test_an_error_among_the_newest_is_cut() -> None:
    assert recent(_4={"isError": True}).moves() == [(3, "truncate", 4), (4, "truncate", 6)]


def test_recent_results_are_left_alone_under_the_limit_and_never_evicted() -> None:
    made = policy(1_232, 0, toolResults={"maxTokensEach": 200, "truncateRecent": True, "evictAfterTurns": 0})
    made["protect"] = {"recentTurns": 3}
    assert ran(go(300, 900), made).moves() == []
    made["budget"]["max"] = 1_231
    assert ran(go(300, 900), made).moves() == [(3, "truncate", 4), (3, "truncate", 2)]


def test_a_turn_bound_to_one_with_an_open_call_stays() -> None:
    # Turn 1 calls c5, answered in turn 3; turn 3 calls c1 once more, which is answered only at the end.
    first = {"role": "assistant", "toolCalls": [{"id": "c5", "name": "read_log", "args": {}}]}
    again = {"role": "assistant", "toolCalls": [{"id": "c1", "name": "read_log", "args": {"n": 2}}]}
    messages = [*go(500), first, again, gives(5, "x" * 300), *round_of(6, 500), *round_of(7, 500), gives(1, "late")]
    found = ran(messages, policy(1_000, 0, trim={"enabled": True}))
    assert 4 not in [at for _, at in acts(found, "trim")]
