"""What a session costs, by hand: cached, fresh, reuse, invalidations, cache lifetime, losses, steps (spec/7).

With one character a token a round (call and result) of N characters is 15 + N tokens, the request "Go" is 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from tests.generated import loaded, settings
from tests.sessions import asks, calls, gives, policy, round_of, session
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.settings import Prices
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.metering import CallCost, Costs, costs_by_call, costs_of, together
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens.chars import count

GO = [asks("Go"), *[part for number in range(1, 5) for part in round_of(number, 499 + number)]]
"""Windows of the four recorded calls: 2, 517, 1,033 and 1,550 tokens; 2,068 at the next one."""
NONE = {"strategy": "none"}


def metered(
    messages: Iterable[Any], chosen: dict[str, Any], ttl: float | None = None, prices: Prices | None = None
) -> tuple[list[CallCost], Costs]:
    """Return the series and the sums of a session of these messages."""
    return metered_of(loaded(session(*messages)), chosen, ttl, prices)


def metered_of(
    transcript: Transcript, chosen: dict[str, Any], ttl: float | None = None, prices: Prices | None = None
) -> tuple[list[CallCost], Costs]:
    """Return the series and the sums of a transcript."""
    made = Session(transcript, count(transcript, "1"), settings(chosen))
    series = list(costs_by_call(made, made.steps(), ttl))
    return series, costs_of(made, series, prices or Prices())


def test_without_decisions_each_request_begins_with_the_last_one() -> None:
    series, costs = metered(GO, NONE)
    assert [(one.window, one.prefix, one.cached, one.fresh) for one in series] == [
        (2, 0, 0, 2), (517, 2, 2, 515), (1_033, 517, 517, 516), (1_550, 1_033, 1_033, 517),
    ]  # fmt: skip
    assert (costs.calls, costs.window, costs.cached, costs.fresh) == (4, 3_102, 1_552, 1_550)
    assert (costs.peak, costs.invalidations, costs.items_lost, costs.observations_left) == (1_550, 0, 0, 0)


def test_the_next_call_is_not_metered() -> None:
    series, costs = metered(GO, NONE)
    assert [one.call for one in series] == [1, 2, 3, 4]
    assert costs.calls == 4


def test_reuse_leaves_out_the_first_call_and_cost_does_not() -> None:
    _, costs = metered(GO, NONE)
    assert costs.cache_reuse == 1_552 / (517 + 1_033 + 1_550)
    assert costs.cost_weighted == pytest.approx(155.2 + 1_550)


def test_cost_is_at_the_prices_of_the_policy() -> None:
    _, costs = metered(GO, NONE, prices=Prices(cache_read=0.25, cache_write=1.25))
    assert costs.cost_weighted == pytest.approx(1_552 * 0.25 + 1_550 * 1.25)


def test_a_session_of_one_call_has_no_reuse() -> None:
    _, costs = metered([asks("Go"), *round_of(1, 500)], NONE)
    assert (costs.calls, costs.cache_reuse, list(costs.steps)) == (1, None, [])


def test_steps_are_the_growth_from_call_to_call_and_shrinking_is_none() -> None:
    series, costs = metered(GO, NONE)
    assert [one.step for one in series] == [2, 515, 516, 517]
    assert list(costs.steps) == [515, 516, 517]
    # sliding-tokens at 1,040: call 4 loses round 1 (515) and gains round 3 (517).
    _, fewer = metered(GO, {"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": 1_040}})
    assert list(fewer.steps) == [515, 516, 2]
    # At 600 call 3 keeps round 2 alone: 518, one more than call 2; call 4 keeps round 3: 519.
    shrunk, few = metered(GO, {"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": 600}})
    assert [one.window for one in shrunk] == [2, 517, 518, 519]
    assert list(few.steps) == [515, 1, 1]


def test_a_window_that_shrank_is_no_step() -> None:
    # clear-tool-results at 1,100: call 4 (1,550) clears all results but the last one; it is smaller than call 3.
    chosen = {"strategy": "clear-tool-results", "clearToolResults": {"trigger": 1_100, "keep": 1}}
    series, costs = metered(GO, chosen)
    assert series[3].window < series[2].window and series[3].step < 0
    assert list(costs.steps) == [515, 516]


def test_an_invalidation_is_a_prefix_shorter_than_the_last_request() -> None:
    # Call 4 is over 1,500: position 2 becomes a stub; the request (2) and its call (15) are what is left of the prefix.
    series, costs = metered(GO, policy(1_500, 1_300, toolResults={"evictAfterTurns": 0}))
    assert [one.invalidation for one in series] == [False, False, False, True]
    assert (series[3].prefix, series[3].cached, series[3].replan) == (17, 17, True)
    assert series[3].fresh == series[3].window - 17
    assert (costs.invalidations, costs.replans, costs.over_limit) == (1, 1, 0)


def test_what_a_stub_names_is_not_lost_and_has_left() -> None:
    _, costs = metered(GO, policy(1_500, 1_300, toolResults={"evictAfterTurns": 0}))
    assert costs.observations_left >= 1
    assert costs.items_lost == 0


def test_items_lost_are_those_of_the_last_window_the_next_calls() -> None:
    # At 1,040 the next call keeps the request and rounds 3 and 4 (2 + 517 + 518): rounds 1 and 2 are lost.
    _, costs = metered(GO, {"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": 1_040}})
    assert costs.items_lost == 4
    assert costs.observations_left == 2


def test_an_item_that_stands_in_full_elsewhere_is_not_lost() -> None:
    same = [asks("Go"), *[part for _ in range(4) for part in round_of(1, 500)]]
    _, costs = metered(same, {"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": 1_040}})
    assert costs.observations_left > 0
    assert costs.items_lost == 0


def timed(*minutes: float) -> list[dict[str, Any]]:
    """Return GO's first three rounds, a result after each of these minutes from the call that asked for it."""
    messages: list[dict[str, Any]] = [{**asks("Go"), "time": "2026-11-03T09:00:00Z"}]
    for number, after in enumerate(minutes, 1):
        call, result = round_of(number, 499 + number)
        hour = f"2026-11-03T{9 + number:02}"
        messages.append({**call, "time": f"{hour}:00:00Z"})
        messages.append({**result, "time": f"{hour}:{int(after):02}:{round(after % 1 * 60):02}Z"})
    return messages


def test_a_pause_longer_than_the_lifetime_empties_the_cache_and_is_no_invalidation() -> None:
    # Call 2 is sent 6 minutes after reply 1, call 3 exactly 5 minutes after reply 2.
    series, costs = metered(timed(6, 5, 1), NONE, ttl=300)
    assert [(one.cached, one.prefix, one.expired) for one in series] == [(0, 0, False), (0, 2, True), (517, 517, False)]
    assert (costs.expired, costs.invalidations, costs.cached) == (1, 0, 517)


def test_a_longer_lifetime_and_none_keep_the_cache() -> None:
    assert metered(timed(6, 5, 1), NONE, ttl=3_600)[1].expired == 0
    assert metered(timed(6, 5, 1), NONE)[1].cached == 519


def test_a_log_without_times_never_expires() -> None:
    assert metered(GO, NONE, ttl=300)[1].expired == 0


def test_calls_over_the_limit_are_counted() -> None:
    # `none` keeps no budget: calls 3 and 4 are over a limit of 1,000.
    _, costs = metered(GO, {"strategy": "none", "budget": {"max": 1_000, "reserve": 0}})
    assert costs.over_limit == 2


def test_a_target_that_was_missed_is_counted() -> None:
    # Nothing may be evicted but by age 99, and nothing trimmed: call 4 is over 1,500 and stays so.
    _, costs = metered(GO, policy(1_500, 100))
    assert (costs.target_missed, costs.over_limit) == (1, 1)


def test_a_request_that_left_is_lost_at_every_call_without_it() -> None:
    # The harness compacted before call 3: the request and round 1 are out at calls 3 and 4.
    event = Event("compaction", 3, 3, "made.json:4", summary=(Text("It went on."),))
    series, costs = metered_of(replace(loaded(session(*GO)), events=(event,)), {"strategy": "recorded"})
    assert [one.call for one in series if one.request_lost] == [3, 4]
    assert (costs.request_lost, costs.replans, costs.invalidations) == (2, 1, 1)
    assert metered(GO, NONE)[1].request_lost == 0


def test_recalls_are_counted() -> None:
    messages = [asks("Look"), *round_of(1, 1_300), calls(2, "read_file", path="src/a.ts"), gives(2, "x" * 300)]
    after = [*round_of(3, 5), asks("Fix src/a.ts"), *round_of(4, 5)]
    chosen = policy(1_500, 0, trim={"enabled": True}, protect={"recentTurns": 0})
    _, costs = metered([*messages, *after], chosen)
    assert costs.recalls == 2


def reported(*usages: tuple[int, int]) -> Transcript:
    """Return GO with (prompt, cache read) as the provider reported them for its calls; 0 for none."""
    transcript = loaded(session(*GO))
    made = tuple(
        replace(call, usage=Usage(prompt - read, 1, cache_read=read) if prompt else None)
        for call, (prompt, read) in zip(transcript.calls, usages, strict=True)
    )
    return replace(transcript, calls=made)


def test_recorded_has_the_providers_figures_where_there_are_any() -> None:
    transcript = reported((1_000, 900), (1_600, 950), (0, 0), (3_000, 1_500))
    series, costs = metered_of(transcript, {"strategy": "recorded"})
    assert [(one.window, one.cached, one.reported) for one in series] == [
        (1_000, 900, True), (1_600, 950, True), (1_033, 517, False), (3_000, 1_500, True),
    ]  # fmt: skip
    assert costs.reported == 3
    assert costs.cost_weighted == pytest.approx(0.1 * 3_867 + (6_633 - 3_867))


def test_reuse_of_reported_figures_leaves_out_the_first_calls_cache_too() -> None:
    _, costs = metered_of(
        reported((1_000, 1_000), (1_100, 1_000), (1_200, 1_100), (1_300, 1_200)), {"strategy": "recorded"}
    )
    assert costs.cache_reuse == 3_300 / 3_600


def test_another_strategy_never_takes_reported_figures() -> None:
    series, costs = metered_of(reported((9_000, 0), (9_100, 0), (9_200, 0), (9_300, 0)), NONE)
    assert [one.window for one in series] == [2, 517, 1_033, 1_550]
    assert costs.reported == 0


def test_sessions_together_are_sums_but_the_largest_peak() -> None:
    _, one = metered(GO, NONE)
    _, other = metered(GO[:5], policy(1_500))
    both = together([one, other])
    assert (both.calls, both.window, both.cached) == (6, one.window + other.window, one.cached + other.cached)
    assert both.peak == one.peak
    assert list(both.steps) == [515, 516, 517, 515]
    assert both.cache_reuse == (1_552 + 2) / (3_100 + 517)
    assert both.cost_weighted == one.cost_weighted + other.cost_weighted
