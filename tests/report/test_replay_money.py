"""`replay` with a model: money in rows, the sums of it, the page that says whose prices it is in (spec/7, spec/8)."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.report.made import document, page
from tests.report.test_replay import KEEPER, NONE, TRIMMING, UNGIVEN, rounds
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.replay.replay import replay_session
from windowkeeper_cli.replay.tariff import Rate, Tariff
from windowkeeper_cli.report.replay import ReplayReport, Terms, candidates, session_replay
from windowkeeper_cli.report.replay_money import money_words
from windowkeeper_cli.report.schemas import schema
from windowkeeper_cli.report.subject import NamedPolicy
from windowkeeper_cli.tokens.chars import count

DEAR = Tariff(
    "model-x", "provider-y", (Rate(0, 4_000.0, 500.0, 5_000.0),), "5m", "table 1.2", "2026-03-04", ("a note",)
)
STEPPED = DEAR._replace(rates=(Rate(0, 4_000.0, 500.0, 5_000.0), Rate(1_033, 8_000.0, 1_000.0, 10_000.0)), since=None)


def priced(
    tariff: Tariff, *policies: NamedPolicy, sessions: tuple[int, ...] = (4,), by_call: bool = False
) -> ReplayReport:
    """Return the report of sessions with so many rounds, counted at a character a token."""
    found = []
    for place, number in enumerate(sessions):
        transcript = rounds(number)
        counts = count(transcript, "1")
        rows = tuple(replay_session(transcript, counts, candidates(policies), tariff=tariff))
        found.append(session_replay("s", f"s{place}.json", transcript, counts, rows, by_call=by_call))
    return ReplayReport(policies, tuple(found), Terms(tariff=tariff, by_call=by_call))


def test_money_is_cached_tokens_read_and_fresh_tokens_written() -> None:
    # 1,552 cached and 1,550 fresh, as tests/report/test_replay.py has them by hand: x $500 and $5,000 for a million.
    row = document(priced(DEAR, NONE))["rows"][0]
    assert (row["cachedTokens"], row["freshTokens"]) == (1_552, 1_550)
    assert row["money"] == 8.526


def test_each_window_is_at_the_price_of_its_own_size() -> None:
    # Windows 2, 517 (2 cached), 1,033 (517): not over 1,033. The fourth, 1,550 (1,033 cached), at the double price.
    row = document(priced(STEPPED, NONE))["rows"][0]
    low, high = 519 * 500 + 1_033 * 5_000, 1_033 * 1_000 + 517 * 10_000
    assert row["money"] == round((low + high) / 1_000_000, 4)


def test_the_series_has_the_money_of_each_call_as_its_last_key() -> None:
    # Windows, and what of them is cached, as above; the last is over 1,033, and at the double price.
    lines = [json.loads(line) for line in priced(STEPPED, NONE, by_call=True).lines()]
    assert [line["money"] for line in lines] == [
        round(dollars / 1_000_000, 6)
        for dollars in (2 * 5_000, 2 * 500 + 515 * 5_000, 517 * 500 + 516 * 5_000, 1_033 * 1_000 + 517 * 10_000)
    ]
    for line in lines:
        jsonschema.Draft202012Validator(schema("by-call")).validate(line)
        assert list(line)[-1] == "money"
    unpriced = replace(priced(STEPPED, NONE, by_call=True), terms=Terms(by_call=True))
    assert {json.loads(line)["money"] for line in unpriced.lines()} == {None}


def test_cost_weighted_stays_at_the_prices_of_the_policy() -> None:
    assert document(priced(DEAR, NONE))["rows"][0]["costWeighted"] == 1_705.2


def test_money_is_summed_over_sessions_and_a_refused_row_has_none() -> None:
    found = document(priced(DEAR, NONE, TRIMMING, KEEPER, UNGIVEN, sessions=(2, 4, 3)))
    for place, row in enumerate(found["rows"][:3]):
        parts = [one["rows"][place]["money"] for one in found["sessions"]]
        assert row["money"] == pytest.approx(sum(parts), abs=0.0002) and min(parts) > 0
    assert found["rows"][3]["money"] is None


def test_the_document_says_whose_prices_they_are() -> None:
    assert document(priced(STEPPED, NONE))["prices"] == {
        "model": "model-x",
        "provider": "provider-y",
        "currency": "USD",
        "perTokens": 1_000_000,
        "lifetime": "5m",
        "rates": [
            {"over": 0, "input": 4_000.0, "cacheRead": 500.0, "cacheWrite": 5_000.0},
            {"over": 1_033, "input": 8_000.0, "cacheRead": 1_000.0, "cacheWrite": 10_000.0},
        ],
        "source": "table 1.2",
        "since": None,
        "notes": ["a note"],
    }


def test_the_page_has_a_column_and_the_prices_with_their_day() -> None:
    text = page(priced(DEAR, NONE, UNGIVEN))
    assert "money" in text.split("\n\n")[1] and "$8.5260" in text
    line = next(line for line in text.split("\n") if line.startswith("prices"))
    assert "model-x of provider-y, USD for a million tokens: input 4000, cache read 500, cache write 5000" in line
    assert "(kept for 5 minutes)" in line and "a note" in line
    assert "table 1.2, in force since 2026-03-04" in line
    stepped = page(priced(STEPPED, NONE))
    assert "in windows over 1,033 tokens input 8000" in stepped and "table 1.2, which gives no day for them" in stepped


def test_a_page_with_money_fits() -> None:
    text = page(priced(DEAR, NONE, TRIMMING, KEEPER, UNGIVEN, sessions=(4, 4)), 100)
    assert max(len(line) for line in text.split("next  ")[0].split("\n")) <= 100


def test_a_file_of_rows_has_money() -> None:
    body = b"".join(RENDERERS.module("csv").render(priced(DEAR, NONE, UNGIVEN), Style())).decode()
    assert [row["money"] for row in csv.DictReader(io.StringIO(body))] == ["8.526", ""]


def test_large_sums_have_cents_only() -> None:
    assert (money_words(1_234.567, 1_234.567), money_words(0.5, 1_234.567)) == ("$1,234.57", "$0.50")
    assert (money_words(0.01234, 9.5), money_words(None, 9.5)) == ("$0.0123", None)
