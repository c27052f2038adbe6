"""The laws for every strategy on generated sessions: invariants, ledgers that rebuild the window, the same bytes twice.

A reference strategy may only break an invariant by a fault that has a name, and only by those that are its own.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest

from tests.generated import Case
from tests.generated_strategies import DRAWN, OTHERS, REFERENCE, by_seed
from tests.replay.test_laws import stands
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.replay.checking import Checked, check_session
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies import STRATEGIES

SEEDS = range(1_000, 1_030)
FAULTS = {
    "sliding-window": {"call-split", "notice-lost", "current-request-lost"},
    "token-budget": {"call-split", "notice-lost", "current-request-lost"},
    "summarize-oldest": {"call-split", "lone-summary-wedge", "current-request-lost"},
}


def test_a_strategy_says_itself_which_faults_its_definition_has() -> None:
    drawn = {name: STRATEGIES.module(name).make(by_seed(name, 0).settings).known_faults for name in DRAWN}
    assert {name: set(known) for name, known in drawn.items() if known} == FAULTS


@cache
def measurable(strategy: str) -> list[Case]:
    """Return the cases of the seeds in which no call is reported as 0 and 0, which ends a session."""
    found = []
    for seed in SEEDS:
        case = by_seed(strategy, seed)
        try:
            for _ in Session(case.transcript, case.counts, case.settings).steps():
                pass
        except CompactionUnmeasurableError:
            continue
        found.append(case)
    assert len(found) > len(SEEDS) // 2
    return found


def faults_of(checked: Checked) -> set[str]:
    """Return the names of the faults; what fails without one, where nothing is given up, under the invariant's."""
    failed = [(verdict, failure) for verdict in checked.verdicts for failure in verdict.failures]
    return {failure.fault or verdict.name for verdict, failure in failed if not verdict.given_up}


@pytest.mark.parametrize("strategy", OTHERS)
def test_all_holds_but_what_the_strategy_gives_up(strategy: str) -> None:
    for case in measurable(strategy):
        assert faults_of(check_session(case.transcript, case.counts, case.settings)) == set(), case.policy


@pytest.mark.parametrize("strategy", REFERENCE)
def test_a_reference_strategy_fails_only_by_its_known_faults(strategy: str) -> None:
    seen: set[str] = set()
    for case in measurable(strategy):
        pins = replace(case.settings.pins, strict_pairs=False)
        seen |= faults_of(check_session(case.transcript, case.counts, replace(case.settings, pins=pins)))
    assert seen == FAULTS[strategy]


@pytest.mark.parametrize("strategy", REFERENCE)
def test_strict_pairs_never_split_a_call_from_its_result(strategy: str) -> None:
    for case in measurable(strategy):
        pins = replace(case.settings.pins, strict_pairs=True)
        faults = faults_of(check_session(case.transcript, case.counts, replace(case.settings, pins=pins)))
        assert faults <= FAULTS[strategy] - {"call-split"}, case.policy


@pytest.mark.parametrize("strategy", DRAWN)
def test_the_ledgers_bytes_rebuild_the_window_and_are_the_same_twice(strategy: str) -> None:
    for case in measurable(strategy):
        session, rebuilt = Session(case.transcript, case.counts, case.settings), Rebuilt()
        written = b""
        for call, step in zip(case.transcript.all_calls(), session.steps(), strict=True):
            visit = [step.visit.as_dict()] if step.visit is not None else []
            lines = [line_bytes(line) for line in (*(line.as_dict() for line in step.lines), *visit)]
            for line in lines:
                rebuilt.apply(json.loads(line))
            written += b"".join(lines)
            window = list(rebuilt.window(case.transcript, call.at))
            assert window == stands(session), (case.policy, call.number)
            tokens = sum(case.counts.counter.blocks(blocks) for _, _, blocks in window)
            assert step.meter.window == session.fold.unseen_prefix + tokens
        again = b""
        for step in Session(case.transcript, case.counts, case.settings).steps():
            again += b"".join(line_bytes(line.as_dict()) for line in step.lines)
            again += line_bytes(step.visit.as_dict()) if step.visit is not None else b""
        assert again == written


@pytest.mark.parametrize("strategy", DRAWN)
def test_a_second_visit_changes_nothing_where_the_strategy_settles(strategy: str) -> None:
    moved = 0
    for case in measurable(strategy):
        session = Session(case.transcript, case.counts, case.settings)
        steps = list(session.steps())
        before = stands(session)
        again = session.visit(case.transcript.next_call)
        moved += any(line.moves for step in steps for line in step.lines)
        if session.strategy.settles:
            assert not any(line.moves for line in again.lines), case.policy
            assert stands(session) == before
            assert (again.meter.window, again.meter.broken) == (steps[-1].meter.window, False)
            assert again.meter.prefix == again.meter.window
    assert moved > len(SEEDS) // 3
