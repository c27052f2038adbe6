"""`--limit`: one number for every strategy's own budget (spec/7), by hand."""

from __future__ import annotations

import pytest

from windowkeeper_cli.model.settings import (
    Budget,
    ClearToolResults,
    Settings,
    SlidingWindow,
    SummarizeOldest,
    Tiered,
    TokenBudget,
)
from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.strategies import STRATEGIES

N = 60_000


def test_windowkeeper_has_no_reserve_and_half_of_it_as_target() -> None:
    budget = at_limit(Settings(), N, 0).budget
    assert (budget.max, budget.reserve, budget.target, budget.limit) == (60_000, 0, 30_000, 60_000)


@pytest.mark.parametrize(("own", "target"), [(20_000, 20_000), (59_999, 59_999), (60_000, 30_000), (72_000, 30_000)])
def test_a_policy_files_own_target_is_kept_below_the_limit(own: int, target: int) -> None:
    settings = Settings(budget=Budget(max=160_000, target=own, reserve=16_000))
    assert at_limit(settings, N, 0).budget.target == target


def test_the_unseen_prefix_comes_on_top_of_limit_and_target() -> None:
    budget = at_limit(Settings(budget=Budget(target=20_000)), N, 42_383).budget
    assert (budget.limit, budget.target) == (102_383, 62_383)


def test_other_keys_of_the_budget_stay() -> None:
    budget = at_limit(Settings(budget=Budget(backoff=0.5, idle_seconds=300, stop_at_target=False)), N, 0).budget
    assert (budget.backoff, budget.idle_seconds, budget.stop_at_target) == (0.5, 300, False)


@pytest.mark.parametrize(
    ("strategy", "section", "key"),
    [
        ("sliding-tokens", "sliding_tokens", "max_tokens"),
        ("clear-tool-results", "clear_tool_results", "trigger"),
        ("token-budget", "token_budget", "threshold_tokens"),
        ("summarize-oldest", "summarize_oldest", "threshold_tokens"),
    ],
)
def test_each_strategys_own_key_is_the_limit_and_the_prefix(strategy: str, section: str, key: str) -> None:
    own = Settings(
        strategy=strategy,
        clear_tool_results=ClearToolResults(trigger=9),
        token_budget=TokenBudget(threshold_tokens=9),
        summarize_oldest=SummarizeOldest(threshold_tokens=9),
    )
    made = at_limit(own, N, 1_000)
    assert getattr(getattr(made, section), key) == 61_000
    assert made.budget == own.budget


@pytest.mark.parametrize("share", [0.65, 0.5, 0.9, 1.0])
def test_tiered_acts_at_the_limit_whatever_its_share(share: float) -> None:
    made = at_limit(Settings(strategy="tiered", tiered=Tiered(target_share=share)), N, 7)
    assert STRATEGIES.module("tiered").make(made).limit == 60_007


def test_a_strategy_without_a_budget_is_as_it_was() -> None:
    own = Settings(strategy="sliding-window", sliding_window=SlidingWindow(4))
    assert at_limit(own, N, 0) is own
    recorded = Settings(strategy="recorded")
    assert at_limit(recorded, N, 0) is recorded


def test_none_counts_its_calls_over_the_same_limit() -> None:
    assert STRATEGIES.module("none").make(at_limit(Settings(strategy="none"), N, 5)).limit == 60_005
