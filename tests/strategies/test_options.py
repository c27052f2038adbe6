"""A strategy refuses wrong options when it is made, the first failing one by its policy key (spec/5, 11)."""

from __future__ import annotations

import pytest

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.settings import Pins, Settings, SlidingTokens, SlidingWindow, SummarizeOldest, TokenBudget
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.strategies.summarize_oldest import SummarizeOldest as Fold

WRONG = [
    (Settings("sliding-window"), "slidingWindow.keepRecentTurns"),
    (Settings("sliding-window", sliding_window=SlidingWindow(0)), "slidingWindow.keepRecentTurns"),
    (Settings("sliding-window", sliding_window=SlidingWindow(3), pins=Pins(-1)), "pins.keepLastToolResults"),
    (Settings("sliding-tokens"), "slidingTokens.maxTokens"),
    (Settings("sliding-tokens", sliding_tokens=SlidingTokens(0)), "slidingTokens.maxTokens"),
    (Settings("token-budget"), "tokenBudget.thresholdTokens"),
    (Settings("token-budget", token_budget=TokenBudget(0.0, 0)), "tokenBudget.thresholdTokens"),
    (Settings("token-budget", token_budget=TokenBudget(10.0, 0)), "tokenBudget.keepRecentTurns"),
    (Settings("summarize-oldest"), "summarizeOldest.thresholdTokens"),
    (Settings("summarize-oldest", summarize_oldest=SummarizeOldest(10.0, 0)), "summarizeOldest.keepRecentTurns"),
]


@pytest.mark.parametrize(("settings", "key"), WRONG, ids=[f"{one.strategy}-{key}" for one, key in WRONG])
def test_the_first_failing_option_is_named(settings: Settings, key: str) -> None:
    with pytest.raises(UsageError) as caught:
        STRATEGIES.module(settings.strategy).make(settings)
    assert key in str(caught.value)


@pytest.mark.parametrize(("wrong", "key"), [({"model": " "}, "model"), ({"retain": "all"}, "retain")])
def test_options_that_only_code_sets_are_checked_too(wrong: dict[str, str], key: str) -> None:
    settings = Settings("summarize-oldest", summarize_oldest=SummarizeOldest(10.0))
    with pytest.raises(UsageError, match=f"summarizeOldest.{key} is "):
        Fold(settings, **wrong)  # type: ignore[arg-type]


def test_pins_may_be_off() -> None:
    settings = Settings("sliding-window", sliding_window=SlidingWindow(3), pins=Pins(None))
    assert STRATEGIES.module("sliding-window").make(settings).pin_limit == 0
