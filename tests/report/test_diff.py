"""`diff`: keys, figures, where the windows part, items; for one session and for several (spec/7, spec/8)."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.render.md_reader import read
from tests.report.made import fits, made
from tests.sessions import asks, round_of
from windowkeeper_cli.model.settings import Budget, Prices, Protect, Settings, ToolResults, Trim
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.cells import width_of
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.replay.diff import difference_of, with_gaps
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.replay import replay_session
from windowkeeper_cli.report.diff import Compared, DiffReport
from windowkeeper_cli.report.diff_figures import JUDGED, LESS_IS_BETTER, MORE_IS_BETTER
from windowkeeper_cli.report.diff_keys import key_changes
from windowkeeper_cli.report.figures import FIGURES
from windowkeeper_cli.report.replay import ReplayReport, SessionReplay, Terms, candidates, session_replay
from windowkeeper_cli.report.subject import NamedPolicy, Subject
from windowkeeper_cli.tokens.chars import count

SHAPE = [
    "windowkeeper", "report", "schema", "mode", "transcript", "policy", "tokens", "a", "b", "keys", "figures", "parts",
    "items", "sessions", "equal", "call", "ever", "skipped", "notes", "assumptions",
]  # fmt: skip
REF = ["at", "item", "turn", "what", "tool", "brief", "tokens", "class"]
ITEM = [*REF, "a", "b", "ruleA", "ruleB", "sinceCall", "untilCall", "tokensA", "tokensB", "gap"]
NONE = NamedPolicy("none", "a" * 12, Settings(strategy="none"), "built-in")
KEEPER = NamedPolicy(
    "keeper.json",
    "b" * 12,
    Settings(
        budget=Budget(max=1_000, target=100, reserve=0, backoff=0),
        protect=Protect(recent_turns=1),
        trim=Trim(enabled=False),
        tool_results=ToolResults(
            max_tokens_each=1_000_000, truncate_recent=False, evict_after_turns=1, keep_latest_per_tool=0
        ),
    ),
    "file",
)
EVICT = "toolResults.evictAfterTurns"


def rounds(number: int, tool: str = "read_log") -> Transcript:
    """Return a request of 2 characters and rounds of a call of 15 and a result of 400 characters and more."""
    parts = [asks("Go")]
    for one in range(1, number + 1):
        parts += round_of(one, 400, tool)
    return made(*parts)


def report(
    *policies: NamedPolicy,
    rounds_each: tuple[int, ...] = (4,),
    call: int | None = None,
    ever: bool = False,
    all_rows: bool = False,
    tool: str = "read_log",
    gap: Gap | None = None,
    **terms: Any,
) -> DiffReport:
    """Return the comparison of sessions with so many rounds, counted at a character a token."""
    sessions: list[SessionReplay] = []
    parted: list[int | None] = []
    one: Compared | None = None
    for place, number in enumerate(rounds_each):
        transcript = rounds(number, tool)
        counts = count(transcript, "1")
        name = f"s{place}.json"
        rows = tuple(replay_session(transcript, counts, candidates(policies), keep_steps=True, find_gaps=True, **terms))
        found = difference_of(rows[0].steps, rows[1].steps, counts.tokens, call or number + 1, ever=ever)
        found = found._replace(items=with_gaps(found.items, [], [gap] if gap else []))
        bare = tuple(row._replace(steps=()) for row in rows)
        sessions.append(session_replay(name, name, transcript, counts, bare, by_call=False))
        parted.append(None if found.parts is None else found.parts.call)
        one = Compared(Subject(name, transcript, counts, policies[1]), call or number + 1, found, ever)
    replay = ReplayReport(policies, tuple(sessions), Terms(terms.get("limit"), ttl=terms.get("ttl")))
    keys = key_changes(policies[0], policies[1], terms.get("limit"))
    return DiffReport(replay, keys, tuple(parted), one if len(sessions) == 1 else None, (), all_rows)


def written(name: str, made_report: DiffReport, width: int | None = None) -> bytes:
    """Return a report rendered by name."""
    return b"".join(RENDERERS.module(name).render(made_report, Style(False, width)))


def document(made_report: DiffReport) -> dict[str, Any]:
    """Return the document as a reader gets it, after holding it to its schema."""
    found: dict[str, Any] = json.loads(written("json", made_report))
    fits(found)
    assert list(found) == SHAPE
    return found


def page(made_report: DiffReport, width: int | None = None) -> str:
    """Return the page as text."""
    return written("table", made_report, width).decode()


def test_items_and_the_parting_call_by_hand() -> None:
    # As in tests/replay/test_diff.py: at call 4 the result at 2 becomes a stub, at call 5 that at 4.
    found = document(report(NONE, KEEPER))
    assert (found["equal"], found["call"], found["ever"]) == (False, 5, False)
    assert [list(one) for one in found["items"]] == [ITEM] * 2
    first = found["items"][0]
    assert (first["at"], first["turn"], first["what"], first["tool"]) == (2, 1, "result", "read_log")
    assert (first["a"], first["b"], first["ruleA"], first["ruleB"]) == ("full", "stub", None, EVICT)
    assert (first["sinceCall"], first["untilCall"], first["gap"]) == (4, None, None)
    assert first["tokens"] == first["tokensA"] == 400 > first["tokensB"] > 0
    assert [(one["at"], one["sinceCall"]) for one in found["items"]] == [(2, 4), (4, 5)]
    assert (found["parts"]["call"], found["parts"]["a"]) == (4, [])
    (only,) = found["parts"]["b"]
    assert (only["at"], only["action"], only["rule"], only["isNew"]) == (2, "evict", EVICT, True)
    # 2 + 3 x (15 + 400) tokens against 1,000.
    assert found["parts"]["why"].startswith(
        f"A moves nothing (1,247 tokens, limit 144,000); B acts on budget (1,247 -> {847 + first['tokensB']} tokens, "
        f"limit 1,000): evict 1 by {EVICT}"
    )


def test_figures_are_those_of_replay_side_by_side() -> None:
    found = report(NONE, KEEPER)
    figures = {one["figure"]: one for one in document(found)["figures"]}
    assert set(figures) == set(FIGURES) - {"calls"}
    # Four recorded calls: 2, 417, 832 and 1,247 tokens.
    assert figures["peak"] == {"figure": "peak", "a": 1247, "b": figures["peak"]["b"], "change": -250, "better": True}
    assert figures["peak"]["b"] == 997
    assert (figures["invalidations"]["change"], figures["invalidations"]["better"]) == (1, False)
    assert (figures["cacheReuse"]["better"], figures["windowTokens"]["better"]) == (False, None)
    assert (figures["costWeighted"]["better"]) is (figures["costWeighted"]["b"] < figures["costWeighted"]["a"])
    assert (figures["money"]["a"], figures["money"]["change"], figures["money"]["better"]) == (None, None, None)
    assert figures["recalls"] == {"figure": "recalls", "a": 0, "b": 0, "change": 0, "better": None}
    for one in figures.values():
        if one["change"] is not None:
            assert one["change"] == pytest.approx(one["b"] - one["a"], abs=1e-4)
        assert one["better"] is None or one["figure"] in JUDGED


def test_turned_round_every_change_turns_round() -> None:
    there, back = document(report(NONE, KEEPER)), document(report(KEEPER, NONE))
    for one, other in zip(there["figures"], back["figures"], strict=True):
        assert (one["a"], one["b"]) == (other["b"], other["a"])
        assert one["better"] is (None if other["better"] is None else not other["better"])
    assert [(one["at"], one["a"], one["ruleB"]) for one in there["items"]] == [
        (one["at"], one["b"], one["ruleA"]) for one in back["items"]
    ]


def test_what_is_better_is_said_of_known_figures_alone() -> None:
    assert set(JUDGED) <= set(FIGURES)
    assert not set(MORE_IS_BETTER) & set(LESS_IS_BETTER)


def test_gaps_that_only_became_milder_are_no_change_for_the_worse() -> None:
    # By hand: a gap that was lost in A is recallable in B; there is as much of it, and it is easier to mend.
    assert {"gaps.lost", "gaps.reRead", "gaps"} <= set(LESS_IS_BETTER)
    assert not {"gaps.recallable", "gaps.mentioned"} & set(JUDGED)


def test_equal_windows_are_said_to_be_equal() -> None:
    dear = NONE._replace(name="dear", settings=Settings(strategy="none", prices=Prices(0.5, 1.25)))
    found = report(NONE, dear)
    assert (document(found)["equal"], document(found)["parts"], document(found)["items"]) == (True, None, [])
    assert [key["key"] for key in document(found)["keys"]] == ["prices.cacheRead", "prices.cacheWrite"]
    assert "Both windows are the same at every call." in page(found)
    assert "costWeighted" in page(found)


def test_keys_that_differ_have_both_values_and_where_they_came_from() -> None:
    keys = {key["key"]: key for key in document(report(NONE, KEEPER))["keys"]}
    assert keys["strategy"] == {"key": "strategy", "a": "none", "b": "windowkeeper", "fromA": "-p", "fromB": "-p"}
    assert (keys["budget.target"]["a"], keys["budget.target"]["b"]) == (72_000, 100)
    limited = {key.key: key for key in key_changes(NONE, KEEPER, 500)}
    assert "budget.max" not in limited
    assert (limited["budget.target"].a, limited["budget.target"].b) == (250, 100)
    assert limited["budget.target"].from_a == "--limit"


def test_a_key_that_a_strategy_does_not_read_says_so() -> None:
    assert key_changes(NONE, NONE._replace(settings=Settings(strategy="none", expire=Settings().expire)), None) == ()
    (changed,) = key_changes(
        NONE, NONE._replace(settings=Settings(strategy="none", protect=Protect(recent_turns=2))), None
    )
    assert (changed.key, changed.read_a, changed.read_b) == ("protect.recentTurns", False, False)
    assert "not read" in page(report(NONE, KEEPER))


def test_the_gap_that_followed_comes_first_and_is_said() -> None:
    gap = Gap(5, "re-read", "logs/a.log", 7, 4, 5, EVICT, 0, "recallable", True)
    found = report(NONE, KEEPER, gap=gap)
    assert document(found)["items"][1]["gap"] == {
        "call": 5, "kind": "re-read", "exact": True, "use": "logs/a.log", "distance": 0,
    }  # fmt: skip
    text = page(found)
    assert "RE-READ at call 5" in text and "at least 1 needed again" in text
    rows = text.partition("in full in A and not in B")[2].split("\n")
    assert "RE-READ" in rows[2] and "RE-READ" not in rows[3]
    assert "windowkeeper trace s0.json" in text
    row = list(csv.DictReader(io.StringIO(written("csv", found).decode(), newline="")))[1]
    assert (row["gap.call"], row["gap.kind"], row["gap.exact"], row["gap.use"]) == (
        "5",
        "re-read",
        "true",
        "logs/a.log",
    )


def test_ever_has_the_stretches_and_the_chosen_call_what_holds_there() -> None:
    at_four = document(report(NONE, KEEPER, call=4))
    assert (at_four["call"], [one["at"] for one in at_four["items"]]) == (4, [2])
    before = report(NONE, KEEPER, call=3)
    assert document(before)["items"] == [] and document(before)["parts"]["call"] == 4
    assert "Nothing is in full in A and not in B at call 3." in page(before)
    ever = report(NONE, KEEPER, ever=True)
    assert document(ever)["ever"] is True
    assert "at some call (2, 800 tokens)" in page(ever) and " until " in page(ever)


def test_several_sessions_have_sums_and_the_ones_that_change_most() -> None:
    found = report(NONE, KEEPER, rounds_each=(2, 6, 4))
    shape = document(found)
    assert (shape["parts"], shape["items"], shape["call"], shape["transcript"]) == (None, [], None, None)
    assert [one["partsAtCall"] for one in shape["sessions"]] == [None, 4, 4]
    named = [{one["figure"]: one for one in part["figures"]} for part in shape["sessions"]]
    total = {one["figure"]: one for one in shape["figures"]}
    for name in ("windowTokens", "costWeighted", "itemsLost", "gaps", "gaps.reRead", "requestLostCalls"):
        for side in "ab":
            assert total[name][side] == pytest.approx(sum(part[name][side] for part in named)), name
    text = page(found)
    assert "The windows part in 2 of 3 sessions." in text
    commands = [line.partition("windowkeeper ")[2] for line in text.split("\n") if "windowkeeper diff" in line]
    assert commands == ["diff s1.json -p none -p keeper.json", "diff s2.json -p none -p keeper.json"]
    rows = list(csv.DictReader(io.StringIO(written("csv", found).decode(), newline="")))
    assert [row["path"] for row in rows[:: len(rows) // 3]] == ["s0.json", "s1.json", "s2.json"]
    assert {row["better"] for row in rows} == {"", "true", "false"}


@pytest.mark.parametrize("width", [80, 100, 140])
def test_pages_fit(width: int) -> None:
    for found in (
        report(NONE, KEEPER, rounds_each=(30,)),
        report(NONE, KEEPER, rounds_each=(30,), ever=True),
        report(KEEPER, NONE, rounds_each=(3, 9)),
    ):
        lines = [line for line in page(found, width).split("\n") if "windowkeeper " not in line]
        assert max(width_of(line) for line in lines) <= width


def test_many_rows_fold_and_all_rows_unfold_them() -> None:
    folded, unfolded = (
        page(report(NONE, KEEPER, rounds_each=(30,))),
        page(report(NONE, KEEPER, rounds_each=(30,), all_rows=True)),
    )
    assert "16 more" in folded and "16 more" not in unfolded
    assert folded.count(" stub ") == 13 and unfolded.count(" stub ") == 28


def test_better_and_worse_are_words_on_a_page_without_colour() -> None:
    row = next(line for line in page(report(NONE, KEEPER)).split("\n") if line.startswith("peak"))
    assert row.split() == ["peak", "1,247", "997", "-250", "-20%", "better"]
    row = next(line for line in page(report(NONE, KEEPER)).split("\n") if line.startswith("invalidations"))
    assert row.split() == ["invalidations", "0", "1", "+1", "worse"]


def test_the_same_comparison_gives_the_same_bytes() -> None:
    for name in ("table", "json", "csv", "md"):
        assert written(name, report(NONE, KEEPER, ever=True)) == written(name, report(NONE, KEEPER, ever=True))


def test_content_is_never_markup_nor_an_escape_sequence() -> None:
    tool = "\x1b[31m|@octocat <b>#12</b> `x`"
    found = report(NONE, KEEPER, tool=tool)
    assert "\x1b" not in page(found) and "[31m|@octocat <b>#12</b>" in page(found)
    reader = read(written("md", found).decode())
    assert set(reader.tags) <= {
        "h3", "ul", "li", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code", "pre",
    }  # fmt: skip
    plain = "".join(reader.plain)
    assert "octocat" not in plain and "octocat" in "".join(reader.all)
