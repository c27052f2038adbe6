"""What a run takes for granted: readings, and summaries that no model was asked for (spec/6)."""

from __future__ import annotations

import pytest

from tests.sessions import asks, ran, round_of
from windowkeeper_cli.model.ledger import DecisionLine, Meter, Step, VisitLine
from windowkeeper_cli.report.assumed import Assumed

FOLD = DecisionLine(4, "fold", "summarizeOldest.thresholdTokens", "a" * 12, 90, 0, at=1)
NONE = ran([asks("a")], {"strategy": "none"}).session


def folding(*lines: DecisionLine, **facts: object) -> Step:
    """Return a step made by hand whose record says how its summary came about."""
    visit = VisitLine(4, 1, 4, "tokens", 100, 50, None, None, 1, 0, 0, facts=facts)
    return Step(4, visit, lines, Meter(50, 0, True))


@pytest.mark.parametrize("facts", [{"folded": [{"summary": "recorded"}]}, {"summary": "recorded"}])
def test_a_recorded_summary_is_the_harnesss_own(facts: dict[str, object]) -> None:
    assumed = Assumed()
    for _ in range(2):
        assumed.take(folding(FOLD, **facts))
    assert assumed.of(NONE) == (("recorded-summaries", 2, "2 summaries are recorded: the harness's own, from the log"),)


def test_both_kinds_are_counted_apart() -> None:
    assumed = Assumed()
    assumed.take(folding(FOLD, folded=[{"summary": "modelled"}]))
    assumed.take(folding(FOLD, folded=[{"summary": "recorded"}]))
    assert [(name, times) for name, times, _ in assumed.of(NONE)] == [
        ("modelled-summaries", 1),
        ("recorded-summaries", 1),
    ]


def test_a_visit_that_folded_nothing_made_no_summary() -> None:
    assumed = Assumed()
    assumed.take(folding(folded=[]))
    assumed.take(Step(5, None, (), Meter(50, 50, False)))
    assert assumed.of(NONE) == ()


def test_tiered_says_how_its_summary_came_about() -> None:
    parts = [asks("a"), *[part for number in range(1, 8) for part in round_of(number, 300)]]
    found = ran(parts, {"strategy": "tiered", "tiered": {"limit": 1500, "keepRecentItems": 2, "summaryTokens": 50}})
    assumed = Assumed()
    for step in found.steps:
        assumed.take(step)
    folds = {line["call"] for line in found.lines if line["action"] == "fold"}
    assert folds
    assert [(name, times) for name, times, _ in assumed.of(found.session)] == [("modelled-summaries", len(folds))]


def test_a_trigger_on_counted_figures_says_so() -> None:
    own = {"strategy": "token-budget", "tokenBudget": {"thresholdTokens": 500}}
    found = ran([asks("a"), *round_of(1, 30)], own)
    assert Assumed().of(found.session)[0][:2] == ("counted-readings", 1)
