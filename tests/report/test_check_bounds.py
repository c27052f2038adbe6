"""Bounds of `check` (spec/3, `check`; spec/7, the figures; spec/8, the evidence): by hand on the gate's fixture."""

from __future__ import annotations

from pathlib import Path

import pytest

from windowkeeper_cli.formats import load
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.settings import Budget, Check, Protect, Settings, SlidingWindow, ToolResults
from windowkeeper_cli.replay.checking import Checked, check_session
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.report.check_bounds import (
    MAX,
    MIN,
    Asked,
    Bound,
    asked_of,
    bounds_of,
    gap_words,
    needs_gaps,
)
from windowkeeper_cli.report.figures import FIGURES
from windowkeeper_cli.tokens.chars import count

REFUNDS = Path(__file__).parents[2] / "fixtures" / "gate" / "sessions" / "refunds.json"
TIGHT = Settings(
    budget=Budget(max=2400, target=1600, reserve=0),
    protect=Protect(recent_turns=2),
    tool_results=ToolResults(evict_after_turns=4, keep_latest_per_tool=0),
)
"""The settings of fixtures/gate/policy.toml."""


def checked(settings: Settings = TIGHT, *, gaps: bool = True) -> Checked:
    transcript = load(str(REFUNDS))
    return check_session(transcript, count(transcript, "4"), settings, gaps=gaps)


def bounds(*asked: Asked, settings: Settings = TIGHT) -> tuple[Bound, ...]:
    found = checked(settings, gaps=needs_gaps(asked))
    return bounds_of(asked, found.measured, load(str(REFUNDS)))


def test_a_missed_bound_on_gaps_shows_each_of_them() -> None:
    (bound,) = bounds(Asked("gaps", MAX, 0))
    assert not bound.ok
    assert bound.sentence == "gaps 1 > 0"
    # Order 4471 was read at call 1, left with its turn, and was read again by the reply to call 8.
    (piece,) = bound.evidence
    assert piece.call == 8
    assert piece.what == "re-read  orders/4471.json   left at 8 by trim.enabled (whole turn); recallable"


@pytest.mark.parametrize(
    ("name", "count"),
    [("gaps.reRead", 1), ("gaps.recallable", 1), ("gaps.lost", 0), ("gaps.constraint", 0), ("replans", 1),
     ("invalidations", 1), ("callsOverLimit", 0), ("itemsLost", 0), ("observationsLeft", 3)],
)  # fmt: skip
def test_a_figure_that_counts_has_as_many_pieces_of_evidence(name: str, count: int) -> None:
    missed, kept = bounds(Asked(name, MAX, -1), Asked(name, MAX, count))
    assert missed.value == kept.value == count
    assert kept.ok and not missed.ok
    assert len(missed.evidence) == count and kept.evidence == ()
    assert [piece.call for piece in missed.evidence] == sorted(piece.call or 0 for piece in missed.evidence)


def test_a_figure_that_one_call_makes_names_it() -> None:
    found = checked()
    peak = max(found.measured.series, key=lambda cost: cost.window)
    (bound,) = bounds(Asked("peak", MAX, 5))
    assert bound.value == peak.window
    assert [piece.call for piece in bound.evidence] == [peak.call]
    assert f"window {peak.window:,} tokens" in bound.evidence[0].what


def test_least_bounds() -> None:
    low, high = bounds(Asked("cacheReuse", MIN, 0.1), Asked("cacheReuse", MIN, 0.99))
    assert low.ok and not high.ok
    assert high.sentence == f"cacheReuse {high.value:.4f}".rstrip("0") + " < 0.99"


def test_what_nothing_measured_holds_and_says_so() -> None:
    unlimited = Settings("sliding-window", sliding_window=SlidingWindow(5))
    (bound,) = bounds(Asked("callsOverLimit", MAX, 0), settings=unlimited)
    assert bound.value is None and bound.ok
    assert bound.sentence == "callsOverLimit: not measured"


def test_gaps_are_looked_for_only_where_a_bound_asks() -> None:
    assert checked(gaps=False).measured.gaps is None
    assert not needs_gaps([Asked("itemsLost", MAX, 0)])
    assert needs_gaps([Asked("gaps.lost", MAX, 0)]) and needs_gaps([Asked("gaps", MIN, 0)])


def test_what_is_given_replaces_the_policys_own_bound_of_that_kind() -> None:
    settings = Settings(check=Check(max={"gaps": 2, "itemsLost": 0}, min={"cacheReuse": 0.9}))
    asked = asked_of(settings, "policy.json", (Asked("gaps", MAX, 5), Asked("calls", MIN, 1)))
    assert [(one.name, one.kind, one.bound) for one in asked] == [
        ("gaps", "max", 5), ("itemsLost", "max", 0), ("cacheReuse", "min", 0.9), ("calls", "min", 1),
    ]  # fmt: skip


def test_an_unknown_figure_names_the_known_ones_and_who_asked() -> None:
    with pytest.raises(
        UsageError, match=r"^policy.json: check.max: no figure 'gap'; did you mean gaps\? known: calls, "
    ):
        asked_of(Settings(check=Check(max={"gap": 2})), "policy.json", ())
    with pytest.raises(UsageError, match=r"^--min: no figure 'money'"):
        asked_of(Settings(), "default", (Asked("money", MIN, 2),))


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "money"])
def test_every_figure_can_be_bounded(name: str) -> None:
    (bound,) = bounds(Asked(name, MAX, 10**9))
    assert bound.ok and bound.value is not None


def test_a_gap_in_words() -> None:
    gap = Gap(57, "re-read", "orders/4471.json", 90, 12, 41, "toolResults.evictAfterTurns", 16, "recallable")
    assert gap_words(gap, {(41, 12): "age 9 > 8"}) == (
        "re-read  orders/4471.json   left at 41 by toolResults.evictAfterTurns (age 9 > 8); recallable"
    )
    assert gap_words(gap._replace(left_call=None, kind="unsourced"), {}) == "unsourced  orders/4471.json   recallable"
    assert "\n" not in gap_words(gap._replace(use="a\nb\x1b[31m"), {})
