"""`refusals`: reasons first, then what each kept, then the visits that removed nothing (spec/8)."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.report.made import TIGHT, fits, fixture, made, page, subject
from tests.sessions import asks, round_of
from windowkeeper_cli.model.settings import (
    Budget,
    Pins,
    Protect,
    Settings,
    SlidingTokens,
    SlidingWindow,
    SummarizeOldest,
    TokenBudget,
    ToolResults,
    Trim,
)
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.refusals import Refused, refused
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens import counts

NO_PINS = Pins(keep_last_tool_results=None)
SLIDING = Settings(strategy="sliding-window", sliding_window=SlidingWindow(2), pins=NO_PINS)
REF = ("at", "item", "turn", "what", "tool", "brief", "tokens", "class")


def rounds(count: int, size: int = 3600) -> Transcript:
    """Return a request and `count` rounds."""
    return made(asks("Check d1"), *[part for number in range(1, count + 1) for part in round_of(number, size)])


def at_end(transcript: Transcript, settings: Settings, *, all_rows: bool = False) -> Refused:
    """Return the report of the whole session."""
    about = subject(transcript, settings)._replace(counts=counts(transcript, "chars:4"))
    return refused(about, transcript.next_call.number, all_rows=all_rows)


def wedged() -> Refused:
    """Return the report of a session in which summarize-oldest can only refuse its own summary."""
    parts = [asks("a"), *round_of(1, 8000), *round_of(2, 1200), asks("b")]
    parts += [part for number in range(3, 7) for part in round_of(number, 1200)]
    own = SummarizeOldest(threshold_tokens=500, keep_recent_turns=1, summary_tokens=100)
    return at_end(made(*parts), Settings(strategy="summarize-oldest", summarize_oldest=own, pins=NO_PINS))


def test_the_document_fits_its_schema_and_has_every_key() -> None:
    for report in (at_end(fixture(), TIGHT), at_end(rounds(5), SLIDING), wedged()):
        document = report.document()
        fits(document)
        for row in document["rows"]:  # type: ignore[attr-defined]
            assert set(REF) <= set(row)


def test_reasons_are_summed_and_the_keep_window_comes_last() -> None:
    # Three rounds of 900 tokens, keep 2: the request is refused at calls 3 and 4, turns 1 to 3 inside the window.
    document = at_end(rounds(3), SLIDING).document()
    sizes = subject(rounds(3)).counts.tokens
    assert document["byReason"] == [
        {"reason": "current-request", "rows": 1, "visits": 2, "tokens": sizes[0]},
        {"reason": "inside-keep-window", "rows": 3, "visits": 2, "tokens": sum(sizes[1:])},
    ]


def test_an_item_inside_a_refused_turn_is_counted_with_it() -> None:
    # The error of round 1 refuses as an item to be evicted, then its whole turn refuses to be trimmed.
    parts = [asks("a"), *round_of(1, 400, isError=True), *round_of(2, 4000), *round_of(3, 4000)]
    settings = Settings(
        budget=Budget(max=1200, target=100, reserve=0),
        protect=Protect(recent_turns=1),
        tool_results=ToolResults(evict_after_turns=0, keep_latest_per_tool=0),
    )
    document = at_end(made(*parts), settings).document()
    rows = [row for row in document["rows"] if row["reason"] == "keep-error"]  # type: ignore[attr-defined]
    assert sorted(row["scope"] for row in rows) == ["item", "turn"]
    turn = next(row for row in rows if row["scope"] == "turn")
    group = next(one for one in document["byReason"] if one["reason"] == "keep-error")  # type: ignore[attr-defined]
    assert (group["rows"], group["tokens"]) == (2, turn["tokens"])


def test_the_page_says_what_each_reason_means() -> None:
    text = page(at_end(rounds(3), SLIDING))
    assert "The message that the run is working on never leaves." in text
    assert "visits   engaged at 2 of 4 calls   met refusals at 2   removed nothing at 1" in text
    assert "current-request: 1 turn\n" in text and "inside-keep-window: 3 turns\n" in text
    assert "turn, user: Check d1" in text


def test_visits_that_removed_nothing_are_listed_with_their_reasons() -> None:
    text = page(at_end(rounds(3), SLIDING))
    assert "visits that removed nothing (1)" in text
    assert "inside-keep-window 2, current-request 1" in text


def test_visits_in_a_row_with_the_same_reasons_are_one_row() -> None:
    report = wedged()
    assert len(report.empty) > 1
    first, last = report.empty[0].call, report.empty[-1].call
    assert f"{first}-{last}" in page(report).split("visits that removed nothing")[1]


def test_a_wedge_is_named_plainly_with_the_growth_of_the_window() -> None:
    report = wedged()
    (wedge,) = report.wedges
    text = page(report)
    assert f"wedge    only-existing-summary, calls {wedge.first} to {wedge.last}" in text
    met = [visit.tokens for visit in report.empty]
    assert f"the window went {met[0]:,} -> {met[-1]:,} tokens" in text
    assert "next   windowkeeper rules only-existing-summary" in text
    assert "1 summary is modelled" in text and "counted here" in text
    names = [one["name"] for one in report.document()["assumptions"]]  # type: ignore[attr-defined]
    assert {"modelled-summaries", "counted-readings"} <= set(names)


def test_a_text_of_ours_has_an_id_and_no_place() -> None:
    rows = [row for row in wedged().document()["rows"] if row["reason"] == "only-existing-summary"]  # type: ignore[attr-defined]
    assert len(rows) == 1
    assert (rows[0]["at"], rows[0]["turn"], rows[0]["class"], rows[0]["brief"]) == (None, None, None, "summary")
    assert rows[0]["tokens"] > 0 and len(rows[0]["item"]) == 12
    assert "the summary of ours" in page(wedged())


def test_stand_downs_are_said() -> None:
    parts = [asks("Check d1"), *[part for n, tool in enumerate("abcd", 1) for part in round_of(n, 3600, tool)]]
    settings = Settings(strategy="sliding-window", sliding_window=SlidingWindow(1), pins=Pins(3))
    report = at_end(made(*parts), settings)
    assert report.stand_downs == (5,)
    assert report.document()["standDowns"] == [5]
    assert "evidence pins gave way for one visit, after two that they had blocked, at call 5" in page(report)


def test_the_keep_window_folds_and_all_rows_unfolds() -> None:
    transcript = rounds(30)
    folded, whole = page(at_end(transcript, SLIDING)), page(at_end(transcript, SLIDING, all_rows=True))
    assert "inside-keep-window: 30 turns, the 6 largest, those that it holds now first; --all-rows lists all" in folded
    assert "24 more" in folded and "more" not in whole
    assert whole.count("\n") - folded.count("\n") == 23


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    for report in (at_end(fixture(), TIGHT), at_end(rounds(30), SLIDING), wedged()):
        above = page(report, width).partition("\nnext")[0]
        assert max(len(line) for line in above.split("\n")) <= width


def test_csv_has_every_row_and_every_key() -> None:
    report = at_end(rounds(30), SLIDING)
    text = b"".join(RENDERERS.module("csv").render(report, Style())).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == len(report.rows) == 31
    document = json.loads(b"".join(RENDERERS.module("json").render(report, Style())))
    assert list(rows[0]) == list(document["rows"][0])
    assert [row["tokens"] for row in rows] == [str(row["tokens"]) for row in document["rows"]]


def test_nothing_engaged_is_said_with_the_figures() -> None:
    text = page(at_end(rounds(2, 40), TIGHT))
    assert "Nothing was asked to leave: windowkeeper engaged at no call (the largest window up to call 3 was" in text
    assert "the limit is 640)" in text


def test_a_strategy_that_did_not_act_names_the_key_that_would_make_it() -> None:
    text = page(at_end(rounds(1, 40), SLIDING))
    assert "sliding-window engaged at no call" in text
    assert "it acts on slidingWindow.keepRecentTurns)." in text
    assert "slidingWindow.keepRecentTurns 2\n" in text


def test_a_strategy_without_guards_says_so() -> None:
    text = page(at_end(rounds(2, 40_000), Settings(strategy="handles")))
    assert "Nothing refused: handles runs under no guards, so whatever it picks leaves" in text


def test_a_recorded_session_has_no_refusals_and_says_so() -> None:
    # spec/6: `recorded` has no refusals, and says so.
    text = page(at_end(rounds(2), Settings(strategy="recorded")))
    assert "No refusals: a log holds what its harness removed, not what it kept from leaving" in text


def test_waiting_is_a_visit_that_asked_nothing() -> None:
    parts = [asks("a"), *round_of(1, 4000), *round_of(2, 40)]
    settings = Settings(
        budget=Budget(max=600, target=100, reserve=0, backoff=0.9),
        protect=Protect(recent_turns=2),
        tool_results=ToolResults(truncate_recent=False),
        trim=Trim(True),
    )
    text = page(at_end(made(*parts), settings))
    assert "nothing was asked: over the limit, and budget.backoff holds the next re-plan back" in text


@pytest.mark.parametrize("strategy", STRATEGIES.names)
def test_every_strategy_has_the_report(strategy: str) -> None:
    settings = Settings(
        strategy=strategy,
        budget=TIGHT.budget,
        pins=NO_PINS,
        sliding_window=SlidingWindow(2),
        sliding_tokens=SlidingTokens(700),
        token_budget=TokenBudget(700.0, 2),
        summarize_oldest=SummarizeOldest(700.0, 2, 20),
    )
    report = at_end(rounds(6), settings)
    fits(report.document())
    word = "RECORDED:" if strategy == "recorded" else "WHAT-IF"
    assert f"{word} policy.json 0123456789ab   call {report.call} (next)" in page(report)
