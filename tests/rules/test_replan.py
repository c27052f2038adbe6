"""When a re-plan runs, and what it says where it cannot reach the target; by hand from spec/4.

With one character a token a round (call and result) of N characters is 15 + N tokens, the request "Go" is 2.
"""

from __future__ import annotations

import pytest

from tests.sessions import Line, Ran, asks, calls, gives, policy, ran, round_of
from windowkeeper_cli.model.example import Message


def go(*sizes: int) -> list[Message]:
    """Return a request and rounds of these sizes."""
    return [asks("Go"), *(part for number, size in enumerate(sizes, 1) for part in round_of(number, size))]


def triggers(found: Ran) -> list[tuple[int, str]]:
    """Return (call, trigger) of every visit that engaged."""
    return [(visit["call"], visit["trigger"]) for visit in found.visits]


def over(found: Ran) -> list[tuple[int, Line]]:
    """Return (call, what holds) of every over-limit line."""
    return [(line["call"], line["holds"]) for line in found.lines if line["action"] == "over-limit"]


def test_over_the_limit_it_is_said_once_and_again_when_the_rules_change() -> None:
    # Call 2: the result is in the one recent turn. Call 3: it is not, but nothing takes whole turns. Call 4: no news.
    found = ran(go(1_000, 10, 10), policy(300, 150))
    assert over(found) == [
        (2, {"inside-keep-window": 1_015, "current-request": 2}),
        (3, {"trim.enabled": 1_015, "inside-keep-window": 25, "current-request": 2}),
    ]
    assert triggers(found) == [(2, "budget"), (3, "budget"), (4, "budget")]
    assert [visit["targetMissed"] for visit in found.visits][:2] == [holds for _, holds in over(found)]
    assert found.visits[2]["targetMissed"] == {"trim.enabled": 1_040, "inside-keep-window": 25, "current-request": 2}
    line = found.lines[0]
    assert (line["rule"], line["at"], line["tokensBefore"], line["tokensAfter"]) == ("budget.max", 2, 1_000, 1_000)
    items = found.session.transcript.items
    assert line["largest"] == [items[2].id, items[1].id, items[0].id]
    assert line["detail"].startswith("1,017 tokens, 717 over the limit; held by ")


def test_the_five_largest_items_are_named() -> None:
    found = ran([*go(70, 10, 60, 20, 50, 30)], policy(100, 0, budget={"backoff": 9}))
    sizes = [found.session.counts.tokens[at] for at in range(13)]
    ids = {item.id: item.at for item in found.session.transcript.items}
    (line,) = [line for line in found.lines if line["action"] == "over-limit"]
    held = 5
    named = [sizes[ids[name]] for name in line["largest"]]
    assert line["call"] == 3
    assert named == sorted(sizes[:held], reverse=True)


def test_a_new_stretch_speaks_anew() -> None:
    # The first result is evicted at call 3 (age 1 > 0); the next one too long comes at call 4.
    found = ran(go(1_000, 10, 1_000, 10), policy(300, 200, toolResults={"evictAfterTurns": 0}))
    assert [call for call, _ in over(found)] == [2, 4]
    assert [(call, action) for call, action, _ in found.moves() if action == "evict"] == [(3, "evict"), (5, "evict")]


def test_backoff_waits_until_the_window_has_grown() -> None:
    # Over at call 2 with 1,017; half of the limit is 150: the next re-plan is at 1,167 or more. A round brings 25.
    found = ran(go(1_000, *[10] * 8), policy(300, 150, budget={"backoff": 0.5}))
    assert triggers(found) == [
        (2, "budget"), *[(call, "waiting") for call in range(3, 8)], (8, "budget"), (9, "waiting"), (10, "waiting"),
    ]  # fmt: skip
    assert found.visits[6]["tokensBefore"] == 1_167
    waiting = found.visits[1]
    assert (waiting["refusals"], waiting["new"]) == ([], 0)
    assert "targetMissed" not in waiting


def test_with_no_backoff_it_replans_at_every_call() -> None:
    assert {trigger for _, trigger in triggers(ran(go(1_000, 10, 10), policy(300, 150)))} == {"budget"}


def timed(*minutes: int, size: int = 400) -> list[Message]:
    """Return rounds whose result comes that many minutes after its call, each a minute after the last."""
    clock, made = 0, [asks("Go", time="2026-11-29T10:00:00Z")]
    for number, pause in enumerate(minutes, 1):
        calling, result = round_of(number, size)
        made.append(calling | {"time": f"2026-11-29T{10 + clock // 60}:{clock % 60:02}:00Z"})
        clock += pause
        made.append(result | {"time": f"2026-11-29T{10 + clock // 60}:{clock % 60:02}:00Z"})
        clock += 1
    return made


IDLE: dict[str, Line] = {"toolResults": {"evictAfterTurns": 0}}


def test_an_idle_replan_under_the_limit() -> None:
    # Call 4: 2 + 3 x 415 = 1,247 under the limit of 2,000, over the target of 1,000, after a pause of 5 minutes.
    found = ran(timed(0, 0, 5, 0), policy(2_000, 1_000, budget={"idleSeconds": 300}, **IDLE))
    assert triggers(found) == [(4, "idle")]
    assert [(call, action, at) for call, action, at in found.moves()] == [(4, "evict", 2)]
    assert found.visits[0]["brokeAt"] == 2


@pytest.mark.parametrize(("seconds", "acts"), [(300, True), (301, False), (None, False)])
def test_a_pause_is_that_long_or_longer(seconds: int | None, acts: bool) -> None:
    found = ran(timed(0, 0, 5, 0), policy(2_000, 1_000, budget={"idleSeconds": seconds}, **IDLE))
    assert bool(found.visits) is acts


def test_no_idle_replan_at_or_under_the_target_and_none_that_does_nothing() -> None:
    made = policy(2_000, 1_247, budget={"idleSeconds": 300}, **IDLE)
    assert ran(timed(0, 0, 5, 0), made).visits == []
    assert ran(timed(0, 0, 5, 0), policy(2_000, 1_000, budget={"idleSeconds": 300})).visits == []


def test_a_long_pause_ends_the_waiting() -> None:
    # Over the limit at call 2 with 1,017, waiting at call 3; a pause before call 4 makes it plan again.
    messages = timed(0, 0, 5, size=10)
    messages[2]["content"] = "x" * 1_000
    found = ran(messages, policy(300, 150, budget={"idleSeconds": 300, "backoff": 9}))
    assert triggers(found) == [(2, "budget"), (3, "waiting"), (4, "budget+idle")]


def test_the_target_is_half_of_the_limit_unless_it_is_given() -> None:
    made = policy(300, 0)
    made["budget"]["target"] = None
    made["budget"]["reserve"] = 40
    (visit,) = ran(go(400), made).visits
    assert (visit["limit"], visit["target"]) == (260, 130)


def test_stages_come_in_order() -> None:
    # Call 6 holds 2,277 > 2,200 and everything is taken that can be: due first, then too long, then too old.
    messages = [asks("Go"), *round_of(1, 500), *round_of(2, 600), *round_of(3, 500, ttlTurns=0), *round_of(4, 500)]
    tools = {"maxTokensEach": 550, "evictAfterTurns": 3}
    found = ran([*messages, *round_of(5, 100)], policy(2_200, 0, toolResults=tools))
    assert found.moves() == [(6, "expire", 6), (6, "truncate", 4), (6, "evict", 2)]


def test_a_call_with_no_time_has_no_pause() -> None:
    messages = timed(0, 0, 5, 0)
    del messages[5]["time"]
    assert ran(messages, policy(2_000, 1_000, budget={"idleSeconds": 300}, **IDLE)).visits == []


def test_an_empty_call_changes_nothing() -> None:
    # The first message is the assistant's: call 1 is sent with nothing at all.
    found = ran([calls(1), gives(1, "x"), calls(2), gives(2, "x")], policy(300))
    assert [step.meter.window for step in found.steps] == [0, 16, 32]
    assert found.lines == []
