"""A session leaves nothing behind: no cycle waits for the garbage collector, which rests over a replay (spec/10, 5)."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

from tests.generated import loaded, settings
from tests.replay.test_growth import SHAPE, steady
from tests.sessions import Line, session
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens.chars import count

OWN: dict[str, Line] = {
    "sliding-tokens": {"slidingTokens": {"maxTokens": 6_000}},
    "sliding-window": {"slidingWindow": {"keepRecentTurns": 6}},
    "token-budget": {"tokenBudget": {"thresholdTokens": 6_000}},
    "summarize-oldest": {"summarizeOldest": {"thresholdTokens": 6_000}},
    "windowkeeper": SHAPE,
}
"""What a strategy lacks to act, and a limit that makes it act."""


@pytest.mark.parametrize("strategy", STRATEGIES.names)
def test_a_session_is_gone_with_its_last_reference(strategy: str) -> None:
    transcript = loaded(session(*steady(60)))
    counted = replace(count(transcript, "4"), explicit=True)
    gc.disable()
    try:
        run = Session(transcript, counted, settings({"strategy": strategy, **OWN.get(strategy, {})}))
        steps = list(run.steps())
        assert steps
        left = weakref.ref(run.fold)
        del run, steps
        assert left() is None
    finally:
        gc.enable()
