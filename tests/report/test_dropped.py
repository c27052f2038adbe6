"""`dropped`: one row for each departure of a tool result, totals by tool and by class (spec/8)."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.report.made import TIGHT, document, fixture, made, page, subject
from tests.sessions import asks, calls, gives, round_of
from windowkeeper_cli.model.settings import ClearToolResults, Pins, Settings, SlidingTokens, SlidingWindow
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.dropped import DroppedReport, dropped
from windowkeeper_cli.report.subject import NamedPolicy

SLIDING = Settings(strategy="sliding-window", sliding_window=SlidingWindow(2), pins=Pins(keep_last_tool_results=None))
TRIMMING = Settings(strategy="sliding-tokens", sliding_tokens=SlidingTokens(600))
KEYS = [
    "at", "item", "turn", "what", "tool", "brief", "tokens", "class", "cameCall", "leftCall", "action", "rule", "form",
    "address", "backCall", "error", "gap",
]  # fmt: skip
"""The keys of an observation, in the order of spec/8."""


def rounds(count: int, size: int = 3600) -> Transcript:
    """Return a request and `count` rounds of two tools in turn."""
    parts = [asks("Check d1")]
    for number in range(1, count + 1):
        parts += round_of(number, size, "read_log" if number % 2 else "list_keys")
    return made(*parts)


def at_end(transcript: Transcript, settings: Settings = SLIDING, *, all_rows: bool = False) -> DroppedReport:
    """Return the report of the whole session."""
    return dropped(subject(transcript, settings), transcript.next_call.number, all_rows=all_rows)


def test_an_observation_has_every_key_of_the_shape() -> None:
    # The notice of call 5 takes the place of that of call 4, and names the tool of round 2 alone (spec/5, 7.4).
    found = document(at_end(rounds(4)))
    assert [list(row) for row in found["observations"]] == [KEYS, KEYS]
    first = found["observations"][0]
    assert (first["at"], first["cameCall"], first["leftCall"], first["action"]) == (2, 2, 4, "trim")
    assert (first["rule"], first["form"], first["address"]) == ("slidingWindow.keepRecentTurns", "out", "lost")
    assert found["observations"][1]["address"] == "mentioned"
    assert (first["backCall"], first["error"], first["gap"], first["class"]) == (None, False, None, "evict")


def test_totals_are_by_tool_and_by_class_and_count_each_result_once() -> None:
    # Four rounds, keep 2: rounds 1 (read_log) and 2 (list_keys) have left by call 5, one of two of each tool.
    found = document(at_end(rounds(4)))
    sizes = subject(rounds(4)).counts.tokens
    each: dict[str, Any] = {"results": 2, "left": 1, "recallable": 0, "needed": 0, "tokensNeeded": 0}
    assert found["byTool"] == [
        {"tool": "list_keys", "tokensLeft": sizes[4], "mentioned": 1, "lost": 0} | each,
        {"tool": "read_log", "tokensLeft": sizes[2], "mentioned": 0, "lost": 1} | each,
    ]
    total = each | {"results": 4, "left": 2, "tokensLeft": sizes[2] + sizes[4], "mentioned": 1, "lost": 1}
    assert found["byClass"] == [{"class": "evict"} | total]
    assert found["totals"] == total | {"back": 0, "departures": 2}


def test_what_came_back_is_counted_once_and_has_a_column() -> None:
    reads = [asks("a"), calls(1, "read_log", path="logs/d1.log"), gives(1, "line " * 100)]
    rest = [*round_of(2, 1400), *round_of(3, 1400), *round_of(4, 20), asks("Look at logs/d1.log again")]
    settings = Settings(
        budget=TIGHT.budget.__class__(max=750, target=450, reserve=0), protect=TIGHT.protect.__class__(recent_turns=1)
    )
    report = at_end(made(*reads, *rest, *round_of(5, 20)), settings)
    found = document(report)
    row = found["observations"][0]
    assert (row["brief"], row["form"], row["address"]) == ("logs/d1.log", "full", None)
    assert row["backCall"] == row["leftCall"] + 1
    assert found["totals"]["back"] == 1
    assert "1 back in full" in page(report) and "back" in page(report).split("tool results that left")[1]
    assert "back in full" not in page(at_end(rounds(4)))


def test_results_that_have_not_come_yet_are_not_counted() -> None:
    transcript = rounds(4)
    report = dropped(subject(transcript, SLIDING), 3)
    assert document(report)["totals"]["results"] == 2
    assert "call 3" in page(report) and "(next)" not in page(report)


def test_the_page_names_tool_arguments_rule_and_what_is_left_of_it() -> None:
    text = page(at_end(fixture(), TIGHT))
    assert "left     3 of 6 tool results, of 566 tokens   3 recallable\n" in text
    assert "rules    trim.enabled 2   toolResults.truncateRecent 1" in text
    assert "tool results that left (3); by trim.enabled where no other rule is named" in text
    assert "read_log logs/d5.log; toolResults.truncateRecent" in text
    assert "read_log logs/d2.log\n" in text


def test_a_later_move_is_said_with_its_call() -> None:
    parts = [asks("a"), *round_of(1, 1600), *round_of(2, 1600), *round_of(3, 1600)]
    tools = TIGHT.tool_results.__class__(evict_after_turns=0, keep_latest_per_tool=0)
    settings = Settings(
        budget=TIGHT.budget.__class__(max=500, target=100, reserve=0),
        protect=TIGHT.protect.__class__(recent_turns=1),
        tool_results=tools,
    )
    text = page(at_end(made(*parts), settings))
    assert "toolResults.evictAfterTurns, then trim.enabled at call" in text


def test_an_error_is_called_one() -> None:
    parts = [asks("a"), *round_of(1, 1600, isError=True), *round_of(2, 1600), *round_of(3, 1600)]
    assert "read_log 1; an error" in page(at_end(made(*parts), TRIMMING))


def test_lost_is_said_in_the_header_and_in_the_totals() -> None:
    # Nothing stands for what sliding-tokens drops, and no later text names the file.
    parts = [asks("a"), calls(1, "read_file", path="src/a/one.py"), gives(1, "x" * 1600), *round_of(2, 1600)]
    report = at_end(made(*parts), TRIMMING)
    assert document(report)["totals"]["lost"] == 1
    assert "1 lost" in page(report)
    assert "lost" not in page(at_end(fixture(), TIGHT))


@pytest.mark.parametrize("count", [40, 42])
def test_long_lists_show_the_largest_and_all_rows_unfolds(count: int) -> None:
    # Keep 2: of n rounds n - 2 leave; 40 are still listed, of more the 24 largest are.
    transcript = rounds(count + 1)
    left = count - 1
    text, whole = page(at_end(transcript)), page(at_end(transcript, all_rows=True))
    if left <= 40:
        assert text == whole and f"tool results that left ({left})" in text
    else:
        assert f"the 24 largest of {left}; --all-rows lists all" in text
        more = [int(line.split()[2]) for line in text.split("\n") if " more " in line]
        assert sum(more) == left - 24 and "more" not in whole.split("by tool")[0]


def test_json_lines_are_the_observations() -> None:
    report = at_end(rounds(6))
    lines = b"".join(RENDERERS.module("jsonl").render(report, Style())).split(b"\n")
    assert lines.pop() == b""
    assert [json.loads(line) for line in lines] == document(report)["observations"]


def test_csv_has_every_departure() -> None:
    report = at_end(rounds(50))
    text = b"".join(RENDERERS.module("csv").render(report, Style())).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == [
        *(key for key in KEYS if key not in ("what", "gap")),
        *("gap.call", "gap.kind", "gap.exact", "gap.use", "gap.distance"),
    ]
    assert len(rows) == len(report.rows) == 48
    assert {row["error"] for row in rows} == {"false"}


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    name = "mcp__a_server_with_a_long_name__browser_take_screenshot_of_the_page"
    parts = [asks("a"), *[part for number in range(1, 8) for part in round_of(number, 1600, name)]]
    for report in (at_end(fixture(), TIGHT), at_end(rounds(60)), at_end(made(*parts))):
        above = page(report, width).partition("\nnext")[0]
        assert max(len(line) for line in above.split("\n")) <= width


def test_a_hostile_tool_name_is_shown_escaped() -> None:
    parts = [asks("a"), *[part for n in range(1, 5) for part in round_of(n, 3600, "rm\x1b[31m\u202e")]]
    text = page(at_end(made(*parts)))
    assert "\x1b" not in text and "\u202e" not in text


def test_nothing_has_left_says_why_and_offers_a_smaller_budget() -> None:
    text = page(at_end(rounds(4), Settings()))
    assert "No tool result has left: all 4 are in the window of call 5 in full. The largest window was" in text
    assert "under the limit." in text
    assert "next   windowkeeper dropped made.json -p policy.json --set budget.max=1000 --set budget.reserve=0" in text


def test_nothing_has_left_of_a_strategy_without_a_limit() -> None:
    text = page(at_end(rounds(1, 40), Settings(strategy="handles")))
    assert "tokens   (chars/4)   handles.overTokens 1,000\n" in text
    assert "tokens; handles acts on handles.overTokens." in text


def test_no_tool_result_at_all() -> None:
    assert "No tool result had come by call 1." in page(at_end(made(asks("a"))))


def test_a_preset_says_where_its_figures_are_from() -> None:
    settings = Settings(strategy="clear-tool-results", clear_tool_results=ClearToolResults(trigger=700, keep=1))
    about = subject(rounds(3), settings)
    preset = NamedPolicy(
        "some-preset", "0" * 12, settings, "built-in", source="A vendor's page", certainty="second-hand"
    )
    report = dropped(about._replace(policy=preset), 4)
    assert "figures  A vendor's page (second-hand)" in page(report)
    assert "the preset's figures are second-hand" in page(report)
    assert {"name": "second-hand-preset", "times": 1} in document(report)["assumptions"]
    sure = about._replace(policy=preset._replace(certainty="documented"))
    assert "figures  A vendor's page (documented)" in page(dropped(sure, 4))
    assert "the preset's" not in page(dropped(sure, 4))
