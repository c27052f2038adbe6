"""`gaps`: one row for each gap with its evidence, as a page, a document, lines and rows of a file (spec/8)."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

from tests.replay.gaps.test_kinds import HASH, PATH, TEXT, compacted, read
from tests.replay.gaps.working import FILL, did, pause
from tests.report.made import document, fits, made, page, subject
from tests.sessions import asks
from windowkeeper_cli.model.settings import Pins, Settings, SlidingWindow
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.page import render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.dropped import dropped
from windowkeeper_cli.report.gaps import GapsReport, gaps
from windowkeeper_cli.report.trace import trace

SLIDING = Settings(strategy="sliding-window", sliding_window=SlidingWindow(3), pins=Pins(keep_last_tool_results=None))
RECORDED = Settings(strategy="recorded")
KEYS = [
    "call", "time", "kind", "exact", "use", "usedBy", "source", "leftCall", "rule", "distance", "address",
]  # fmt: skip
"""The keys of a gap, in the order of spec/8; what else a gap has stands behind them."""
BIG = f"commit {HASH} {FILL * 4}"


def session() -> Transcript:
    """Return a session that reads a file and a log, pauses, and then needs both again: at calls 6 and 7."""
    log, show = did(2, "Bash", BIG, command="git log"), did(4, "Bash", "", command=f"git show {HASH}")
    return made(asks("Begin"), *read(1, TEXT * 3), *log, *pause(2), *read(3, TEXT * 3), *show)


def report(settings: Settings = SLIDING, kinds: tuple[str, ...] = (), call: int | None = None) -> GapsReport:
    """Return the report of that session, up to its end unless `call` names another."""
    transcript = session()
    return gaps(subject(transcript, settings), call or transcript.next_call.number, kinds)


def test_a_gap_has_every_key_of_the_shape_and_says_where_used_and_whence() -> None:
    found = document(report())
    first, second = found["gaps"]
    assert list(first)[: len(KEYS)] == KEYS
    assert (first["call"], first["kind"], first["exact"], first["use"]) == (6, "re-read", True, PATH)
    assert (first["usedBy"]["at"], first["usedBy"]["tool"], first["usedBy"]["brief"]) == (12, "Read", PATH)
    assert (first["source"]["at"], first["source"]["item"]) == (2, session().items[2].id)
    assert (first["leftCall"], first["rule"], first["distance"]) == (5, "slidingWindow.keepRecentTurns", 1)
    assert (second["call"], second["kind"], second["use"], second["source"]["at"]) == (7, "identifier", HASH, 4)


def test_totals_and_kinds() -> None:
    found = document(report())
    tokens = subject(session()).counts.tokens
    assert found["byKind"] == {"re-read": 1, "identifier": 1, "mention": 0, "constraint": 0, "request-lost": 0}
    totals = found["totals"]
    assert (totals["gaps"], totals["calls"], totals["sources"], totals["exact"]) == (2, 2, 2, 1)
    assert totals["tokensNeeded"] == tokens[2] + tokens[4]
    assert totals["recallable"] + totals["mentioned"] + totals["lost"] == 2


def test_only_the_kinds_that_were_asked_for_are_looked_for() -> None:
    found = document(report(kinds=("re-read",)))
    assert found["byKind"] == {"re-read": 1} and [gap["kind"] for gap in found["gaps"]] == ["re-read"]


def test_an_earlier_call_ends_the_story() -> None:
    assert [gap["call"] for gap in document(report(call=6))["gaps"]] == [6]
    assert document(report(call=5))["gaps"] == []


def test_the_page_says_at_least_and_need_or_harm() -> None:
    text = page(report())
    assert "at least   2 gaps" in text or "at least 2 gaps" in text
    assert "a gap shows need, not harm" in text and "what the model had to do without" not in text
    harm = replace(session(), events=(compacted(9, 5),))
    sent = page(gaps(subject(harm, RECORDED), harm.next_call.number))
    assert "what the model had to do without" in sent and "not harm" not in sent


def test_the_page_names_use_source_departure_and_the_next_commands() -> None:
    text = page(report(), 120)
    source = session().items[4].id
    assert f'"{HASH}" by Bash git show {HASH}; given by Bash git log' in " ".join(text.split())
    assert f"windowkeeper recall {source} made.json" in text
    assert f"windowkeeper trace made.json {source} -p policy.json --call 7" in text
    assert "windowkeeper explain made.json -p policy.json --call 6" in text


def test_no_gap_is_said_in_a_sentence() -> None:
    transcript = made(asks("Begin"), *pause(1))
    assert "Nothing had left the window" in page(gaps(subject(transcript, Settings()), 4))
    transcript = made(asks("Begin"), *read(1), *pause(2))
    text = " ".join(page(gaps(subject(transcript, SLIDING), transcript.next_call.number)).split())
    assert "No gap found" in text and "nothing shows that one was needed again" in text


def test_lines_and_rows_have_every_gap() -> None:
    found = report()
    lines = [json.loads(line) for line in b"".join(RENDERERS.module("jsonl").render(found, Style())).splitlines()]
    assert lines == document(found)["gaps"]
    text = b"".join(RENDERERS.module("csv").render(found, Style())).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(row["call"], row["kind"], row["use"], row["source.at"]) for row in rows] == [
        ("6", "re-read", PATH, "2"),
        ("7", "identifier", HASH, "4"),
    ]


def test_the_same_bytes_twice() -> None:
    first, second = (b"".join(RENDERERS.module("json").render(report(), Style())) for _ in range(2))
    assert first == second


def test_dropped_has_the_gap_that_followed_and_what_was_needed() -> None:
    transcript = session()
    found: dict[str, Any] = json.loads(
        b"".join(
            RENDERERS.module("json").render(dropped(subject(transcript, SLIDING), transcript.next_call.number), Style())
        )
    )
    fits(found)
    gap = {row["at"]: row["gap"] for row in found["observations"]}
    assert gap[2] == {"call": 6, "kind": "re-read", "exact": True, "use": PATH, "distance": 1}
    assert gap[4] == {"call": 7, "kind": "identifier", "exact": None, "use": HASH, "distance": 1}
    tokens = subject(transcript).counts.tokens
    by_tool = {row["tool"]: (row["needed"], row["tokensNeeded"]) for row in found["byTool"]}
    assert by_tool["Read"] == (1, tokens[2]) and by_tool["Bash"] == (1, tokens[4]) and by_tool["think"] == (0, 0)
    assert (found["totals"]["needed"], found["totals"]["tokensNeeded"]) == (2, tokens[2] + tokens[4])


def test_trace_shows_the_gap_where_it_happened() -> None:
    transcript = session()
    made_report = trace(subject(transcript, SLIDING), PATH, transcript.next_call.number)
    found: dict[str, Any] = json.loads(b"".join(RENDERERS.module("json").render(made_report, Style())))
    fits(found)
    events = [(event["call"], event["event"]) for event in found["events"]]
    assert (6, "gap") in events and events.index((5, "left")) < events.index((6, "gap"))
    assert "At least 1 later use found no source of it in the window, at call 6." in found["answer"]
    text, source = b"".join(render(made_report, Style(False, 120))).decode(), transcript.items[2].id
    assert "GAP" in text and f"re-read by Read auth/redis.ts, 1 call after {source} left" in " ".join(text.split())
