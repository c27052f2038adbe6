"""Every request body that is written passes the lint of its provider: drawn sessions, every strategy, real logs.

The lint reads the body as it arrives, as a log of its own, strictly: nothing is left to a harness.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as drawing

from tests import generated_strategies
from tests.formats.logs import SHARED
from tests.generated import Case, by_seed, cases
from windowkeeper_cli.formats import load, loads
from windowkeeper_cli.formats.writers import WRITERS
from windowkeeper_cli.formats.writers.text import chunks
from windowkeeper_cli.formats.writers.written import requested
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.sent import Sent, Window
from windowkeeper_cli.model.settings import ClearToolResults, Handles, Settings, SlidingWindow
from windowkeeper_cli.replay.acceptance.lint import faults_of
from windowkeeper_cli.replay.acceptance.providers import PROVIDERS, provider_named
from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.window import window_of
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens import counts

TARGETS = tuple(name for name in WRITERS.names if name != "windowkeeper")
REAL = sorted(path for path in (SHARED / "sessions").rglob("*") if path.is_file()) if SHARED.is_dir() else []
NOTHING = "no message is left, and a request needs one"


def accepted(window: Window, target: str) -> None:
    """Fail where a provider would refuse the body of a window."""
    written = requested(window, target)
    if any(loss.name == NOTHING for loss in written.losses):
        return
    read = loads(b"".join(chunks(written.body)), "body", from_=target)
    sent = [Sent(item.at, item.role, read.blocks(item.at)) for item in read.items]
    provider = WRITERS.module(target).DEMANDS.provider
    assert faults_of(sent, provider_named(provider)) == [], target


def windows(session: Session, calls: set[int]) -> Iterator[Window]:
    """Yield the windows of a session at some calls, and at the next."""
    for step in session.steps():
        if step.call in calls or step.call == len(session.transcript.calls) + 1:
            yield window_of(session)


def tight(name: str, counted: Counts) -> Settings:
    """Return a policy under which a session is over its limit for most of its calls."""
    limit = max(sum(counted.tokens) // 3, 300)
    settings = Settings(name, sliding_window=SlidingWindow(keep_recent_turns=8), handles=Handles(over_tokens=200))
    settings = replace(settings, clear_tool_results=ClearToolResults(trigger=limit, clear_tool_inputs=True))
    return at_limit(settings, limit, counted.counter.label.unseen_prefix)


def test_every_target_stands_for_a_provider() -> None:
    assert {WRITERS.module(target).DEMANDS.provider for target in TARGETS} <= set(PROVIDERS)


@given(case=cases())
@drawing(max_examples=40, deadline=None)
def test_drawn_windows_are_accepted(case: Case) -> None:
    session = Session(case.transcript, case.counts, case.settings)
    for window in windows(session, {2, 5, 11}):
        for target in TARGETS:
            accepted(window, target)


@pytest.mark.parametrize("strategy", generated_strategies.DRAWN)
@pytest.mark.parametrize("seed", range(6))
def test_every_strategy_s_windows_are_accepted(strategy: str, seed: int) -> None:
    case = generated_strategies.by_seed(strategy, seed)
    for window in windows(Session(case.transcript, case.counts, case.settings), {3, 9}):
        for target in TARGETS:
            accepted(window, target)


@pytest.mark.parametrize("seed", range(20))
def test_parts_in_any_disorder_are_accepted(seed: int) -> None:
    """A window that no strategy of ours would make: half of its parts gone, whoever they are."""
    transcript, r = by_seed(seed).transcript, random.Random(seed)
    kept = [item for item in transcript.items if r.random() < 0.5]
    window = Window(transcript, tuple(Sent(item.at, item.role, transcript.blocks(item.at)) for item in kept))
    for target in TARGETS:
        accepted(window, target)


@pytest.mark.skipif(not REAL, reason="no shared logs here")
@pytest.mark.parametrize("number", range(len(REAL)), ids=[path.name for path in REAL])
def test_real_logs_are_accepted_under_two_strategies_each(number: int) -> None:
    try:
        transcript = load(str(REAL[number]))
    except WindowkeeperError:
        pytest.skip("not a log that loads alone")
    counted = counts(transcript, "estimate")
    for name in (STRATEGIES.names[number % 10], STRATEGIES.names[(number + 5) % 10]):
        session = Session(transcript, counted, tight(name, counted))
        for window in windows(session, {len(transcript.calls) // 2}):
            for target in TARGETS:
                accepted(window, target)
