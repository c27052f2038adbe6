"""`replay`: a row for each policy, sums over sessions, the series, the page (spec/7, spec/8)."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.report.made import document, made, page
from tests.sessions import asks, round_of
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.settings import (
    Budget,
    Pins,
    Prices,
    Protect,
    Settings,
    SlidingTokens,
    SlidingWindow,
    ToolResults,
)
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.replay.replay import replay_session
from windowkeeper_cli.report.replay import ReplayReport, SessionReplay, Skip, Terms, candidates, session_replay
from windowkeeper_cli.report.schemas import schema
from windowkeeper_cli.report.subject import NamedPolicy
from windowkeeper_cli.tokens.chars import count

ROW = [
    "policy", "id", "strategy", "modelled", "refused", "sessions", "calls", "windowTokens", "cachedTokens",
    "freshTokens", "cacheReuse", "invalidations", "cacheExpired", "costWeighted", "money", "peak", "callsOverLimit",
    "replans", "targetMissed", "itemsLost", "observationsLeft", "gaps", "recalls", "requestLostCalls", "steps",
    "spread",
]  # fmt: skip
"""The keys of ROW, in the order of spec/8."""
BY_CALL = [
    "session", "policy", "call", "time", "window", "prefix", "cached", "fresh", "step", "usedShare", "lastTool",
    "invalidation", "cacheExpired", "replan", "targetMissed", "new", "inForce",
    "money",
]  # fmt: skip
NONE = NamedPolicy("none", "a" * 12, Settings(strategy="none"), "built-in")
KEEPER = NamedPolicy(
    "keeper.json",
    "b" * 12,
    Settings(
        budget=Budget(max=1_500, target=700, reserve=0),
        protect=Protect(recent_turns=1),
        tool_results=ToolResults(evict_after_turns=0, keep_latest_per_tool=0),
    ),
    "file",
)
TRIMMING = NamedPolicy(
    "trim.json", "c" * 12, Settings(strategy="sliding-tokens", sliding_tokens=SlidingTokens(1_040)), "file"
)
UNGIVEN = NamedPolicy("sliding-window", "d" * 12, Settings(strategy="sliding-window"), "built-in")


def rounds(number: int, size: int = 499) -> Transcript:
    """Return a request and rounds of a little more than `size` characters."""
    parts = [asks("Go")]
    for one in range(1, number + 1):
        parts += round_of(one, size + one)
    return made(*parts)


def replayed(
    name: str, transcript: Transcript, policies: tuple[NamedPolicy, ...], *, by_call: bool = False, **terms: Any
) -> SessionReplay:
    """Return one session counted at a character a token."""
    counts = count(transcript, "1")
    rows = tuple(replay_session(transcript, counts, candidates(policies), **terms))
    return session_replay(name, name, transcript, counts, rows, by_call=by_call)


def report(*policies: NamedPolicy, sessions: tuple[int, ...] = (4,), **terms: Any) -> ReplayReport:
    """Return the report of sessions with so many rounds."""
    common = Terms(**terms)
    by_call = common.by_call or len(sessions) == 1
    found = tuple(
        replayed(f"s{place}.json", rounds(number), policies, by_call=by_call, limit=common.limit, ttl=common.ttl)
        for place, number in enumerate(sessions)
    )
    return ReplayReport(policies, found, common)


def test_a_row_has_every_key_in_order_and_without_a_model_no_money() -> None:
    row = document(report(NONE))["rows"][0]
    assert list(row) == ROW
    assert set(row["gaps"].values()) == {None} and len(row["gaps"]) == 8
    assert (row["money"], row["spread"]["gaps"]) == (None, [])
    assert document(report(NONE))["prices"] is None
    assert "money" not in page(report(NONE))


def test_a_rows_figures_are_those_of_the_meter() -> None:
    # Windows 2, 517, 1,033 and 1,550, as tests/replay/test_metering.py has them by hand.
    row = document(report(NONE))["rows"][0]
    assert (row["windowTokens"], row["cachedTokens"], row["freshTokens"]) == (3_102, 1_552, 1_550)
    assert (row["cacheReuse"], row["costWeighted"]) == (round(1_552 / 3_100, 4), 1_705.2)
    assert row["steps"] == {"p50": 516, "p95": 517, "max": 517}
    assert row["spread"]["costWeighted"] == [1_705.2] * 3


def test_rows_are_sums_over_sessions() -> None:
    found = document(report(NONE, TRIMMING, KEEPER, sessions=(2, 4, 3)))
    for place, row in enumerate(found["rows"]):
        parts = [one["rows"][place] for one in found["sessions"]]
        assert [list(part) for part in parts] == [ROW] * 3
        assert (row["sessions"], row["calls"]) == (3, 9)
        for key in ("windowTokens", "cachedTokens", "freshTokens", "invalidations", "replans", "itemsLost",
                    "observationsLeft", "recalls", "requestLostCalls", "targetMissed", "callsOverLimit"):  # fmt: skip
            assert row[key] == sum(part[key] for part in parts), key
        assert row["costWeighted"] == pytest.approx(sum(part["costWeighted"] for part in parts))
        assert row["peak"] == max(part["peak"] for part in parts)


def test_reuse_is_from_the_sums_and_no_mean_of_sessions() -> None:
    # 2 rounds: 2 of 517; 4 rounds: 1,552 of 3,100.
    row = document(report(NONE, sessions=(2, 4)))["rows"][0]
    assert row["cacheReuse"] == round(1_554 / 3_617, 4)


def test_the_spread_is_over_sessions_by_the_nearest_rank() -> None:
    # Ten sessions of 1 to 10 rounds: the 1st, 5th and 9th in order of cost.
    found = document(report(NONE, sessions=tuple(range(10, 0, -1))))
    costs = sorted(one["rows"][0]["costWeighted"] for one in found["sessions"])
    assert found["rows"][0]["spread"]["costWeighted"] == [costs[0], costs[4], costs[8]]


def test_a_policy_that_lacks_its_key_is_a_row_that_refuses_by_name() -> None:
    found = report(NONE, UNGIVEN)
    row = document(found)["rows"][1]
    assert list(row) == ROW
    assert row["refused"].startswith("sliding-window has no default for slidingWindow.keepRecentTurns")
    assert (row["sessions"], row["calls"], row["windowTokens"], row["costWeighted"]) == (0, 0, None, None)
    assert row["spread"] == {"costWeighted": [], "gaps": []}
    assert "refused: sliding-window has no default" in page(found)


def test_a_strategy_without_reported_figures_refuses_by_name() -> None:
    budget = NONE._replace(name="token-budget", settings=Settings(strategy="token-budget"))
    transcript = rounds(3)
    counts = replace(count(transcript, "1"), explicit=False)
    row = next(replay_session(transcript, counts, candidates((budget,)), limit=500))
    assert row.costs is None and row.refused is not None and row.refused.startswith("unmeasurable: token-budget")


def test_only_a_strategy_with_a_limit_has_calls_over_it() -> None:
    recorded = NONE._replace(name="clear", settings=Settings(strategy="clear-tool-results"))
    rows = document(report(NONE, recorded, limit=1_200))["rows"]
    assert [row["callsOverLimit"] for row in rows] == [1, None]


def test_the_id_has_the_limit_in_it() -> None:
    own, at_60, at_70 = (report(KEEPER, limit=limit).rows()[0].id for limit in (None, 60_000, 70_000))
    assert own == KEEPER.id
    assert len({own, at_60, at_70}) == 3


def test_the_document_names_limit_lifetime_and_prices() -> None:
    found = document(report(NONE, limit=60_000, ttl=300.0))
    assert (found["limit"], found["cache"]) == (60_000, {"ttl": 300.0, "read": 0.1, "write": 1.0})
    dear = NONE._replace(name="dear", settings=Settings(strategy="none", prices=Prices(0.5, 1.25)))
    other = document(report(NONE, dear))
    assert (other["limit"], other["cache"]) == (None, {"ttl": None, "read": None, "write": None})


def test_one_session_has_its_facts_and_several_have_none() -> None:
    one, two = document(report(NONE)), document(report(NONE, sessions=(2, 3)))
    assert one["transcript"]["calls"] == 4 and one["tokens"]["counter"] == "chars:1"
    assert two["transcript"] is None and two["tokens"] is None
    assert [part["calls"] for part in two["sessions"]] == [2, 3]


def test_what_was_left_out_is_named() -> None:
    found = replace(report(NONE), skipped=(Skip("bad.jsonl", "the JSON is damaged"),))
    assert document(found)["skipped"] == [{"path": "bad.jsonl", "why": "the JSON is damaged"}]
    assert "left out (1)" in page(found) and "bad.jsonl" in page(found)


def test_a_partial_report_says_so() -> None:
    found = replace(report(NONE, sessions=(2, 3)), left=5)
    assert "PARTIAL: interrupted, 5 more not reached" in page(found)
    assert {"name": "partial", "times": 5} in document(found)["assumptions"]


def test_the_series_has_every_key_for_each_call_of_each_policy() -> None:
    found = report(NONE, KEEPER, UNGIVEN, by_call=True)
    lines = [json.loads(line) for line in found.lines()]
    assert [list(line) for line in lines] == [BY_CALL] * 8
    for line in lines:
        jsonschema.Draft202012Validator(schema("by-call")).validate(line)
    assert [line["policy"] for line in lines] == ["none"] * 4 + ["keeper.json"] * 4
    assert [line["window"] for line in lines[:4]] == [2, 517, 1_033, 1_550]
    assert [line["lastTool"] for line in lines[:4]] == [None, "read_log", "read_log", "read_log"]
    assert lines[7]["usedShare"] == round(lines[7]["window"] / 1_500, 4)
    assert lines[7]["replan"] and lines[7]["new"] > 0 and lines[7]["inForce"] == 0


def test_lines_and_csv_are_the_rows_without_by_call_and_the_series_with_it() -> None:
    found = report(NONE, UNGIVEN)
    assert [json.loads(line) for line in found.lines()] == document(found)["rows"]
    rows = list(csv.DictReader(io.StringIO(b"".join(RENDERERS.module("csv").render(found, Style())).decode())))
    assert (rows[0]["policy"], rows[0]["windowTokens"], rows[0]["steps.max"]) == ("none", "3102", "517")
    assert (rows[0]["spread.costWeighted.p50"], rows[1]["windowTokens"]) == ("1705.2", "")
    series = report(NONE, by_call=True)
    calls = list(csv.DictReader(io.StringIO(b"".join(RENDERERS.module("csv").render(series, Style())).decode())))
    assert [call["window"] for call in calls] == ["2", "517", "1033", "1550"]
    assert [call["invalidation"] for call in calls] == ["false"] * 4


def test_the_page_compares_with_the_chosen_row() -> None:
    # none costs 1,705.2; trimming at 1,040 keeps 2, 517, 1,033, 1,035: the last one begins anew after the request.
    cost = 0.1 * (2 + 517 + 2) + 2 + 515 + 516 + 1_033
    first, second = page(report(NONE, TRIMMING)), page(report(NONE, TRIMMING, against=1))
    assert "vs none" in first and f"{cost / 1_705.2 - 1:+.0%}" in first
    assert "vs trim.json" in second and f"{1_705.2 / cost - 1:+.0%}" in second


def test_the_change_is_over_the_sessions_that_both_ran_on() -> None:
    found = report(NONE, TRIMMING, sessions=(4, 4))
    broken = found.sessions[1]._replace(
        rows=(found.sessions[1].rows[0], found.sessions[1].rows[1]._replace(costs=None, refused="no figure"))
    )
    text = page(replace(found, sessions=(found.sessions[0], broken)))
    alone = page(report(NONE, TRIMMING))
    change = next(word for word in alone.split("trim.json", 1)[1].split() if word.endswith("%"))
    assert change in text.split("trim.json", 1)[1].split()
    assert "trim.json refused 1 of 2 sessions, the first: no figure" in text


def test_one_session_has_a_chart_of_the_last_policy_and_with_by_call_of_each() -> None:
    assert page(report(NONE, KEEPER)).count("tokens of the window by call under") == 1
    text = page(report(NONE, KEEPER))
    assert "by call under keeper.json: peak" in text and "limit 1,500" in text and "^" in text
    assert page(report(NONE, KEEPER, by_call=True)).count("tokens of the window by call under") == 2
    assert "by call under" not in page(report(NONE, sessions=(2, 3)))


def test_a_chart_marks_re_plans_else_calls_that_moved_items() -> None:
    assert ", 1 re-plan at ^" in page(report(KEEPER))
    assert ", and nothing moved" in page(report(NONE))
    dropping = NONE._replace(
        name="drop",
        settings=Settings(
            strategy="sliding-window", sliding_window=SlidingWindow(2), pins=Pins(keep_last_tool_results=None)
        ),
    )
    # Turns at the calls: 1, 2, 3, 4; the first one holds the request and stays (spec/5), so call 4 drops the second.
    assert ", 1 call that moved items at ^" in page(report(dropping))


def test_the_worst_sessions_lose_most_and_a_command_opens_each() -> None:
    text = page(report(NONE, TRIMMING, sessions=(2, 6, 4), limit=1_040, words=("--limit", "1040")))
    worst = text.split("worst under trim.json")[1]
    assert worst.index("s1.json") < worst.index("s2.json") < worst.index("s0.json")
    assert "next   windowkeeper replay s1.json -p none -p trim.json --limit 1040\n" in text


def test_assumptions_are_said_once() -> None:
    second = NONE._replace(name="preset", certainty="second-hand", source="somebody")
    found = report(NONE, second, sessions=(2, 3), limit=144_000, assumed=True)
    names = {one["name"]: one["times"] for one in document(found)["assumptions"]}
    assert names == {"recorded-answers": 5, "default-limit": 1, "estimated-counts": 2, "second-hand-preset": 1}
    assert page(found).count("the model's answers are the recorded ones") == 1
    assert "the figures of preset are second-hand" in page(found)


def test_modelled_summaries_mark_their_row() -> None:
    folding = NONE._replace(name="summarize-oldest", settings=Settings(strategy="summarize-oldest"))
    transcript = rounds(12, 600)
    counts = replace(count(transcript, "1"), explicit=True)
    rows = tuple(replay_session(transcript, counts, candidates((NONE, folding)), limit=3_000))
    made_session = session_replay("s.json", "s.json", transcript, counts, rows, by_call=True)
    found = ReplayReport((NONE, folding), (made_session,), Terms(limit=3_000))
    assert [row["modelled"] for row in document(found)["rows"]] == [False, True]
    names = [one["name"] for one in document(found)["assumptions"]]
    assert "modelled-summaries" in names and "counted-readings" in names
    assert any(line.startswith("summarize-oldest") and line.endswith("modelled") for line in page(found).split("\n"))


@pytest.mark.parametrize("width", [100, 140])
def test_a_page_fits(width: int) -> None:
    text = page(report(NONE, TRIMMING, KEEPER, UNGIVEN, limit=1_500), width)
    body = text.split("next  ")[0]
    assert max(len(line) for line in body.split("\n")) <= width


def test_hostile_names_are_shown_and_never_obeyed() -> None:
    name = "\x1b[31m[bold]x\u202e.json"
    evil = NONE._replace(name=name)
    found = report(evil, TRIMMING)
    named = found.sessions[0]._replace(
        name=name, path=name, session=name, project=name, findings=(Finding("kind\x1b", f"{name}:1", name),)
    )
    for made_report in (
        replace(found, sessions=(named,)),
        replace(found, sessions=(named, named), skipped=(Skip(name, name),)),
    ):
        for form in ("table", "json", "csv"):
            body = b"".join(RENDERERS.module(form).render(made_report, Style(False, 100)))
            assert b"\x1b" not in body and "\u202e".encode() not in body, form
    assert "[bold]x" in page(replace(found, sessions=(named,)))
