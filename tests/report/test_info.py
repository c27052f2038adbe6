"""The page of `info` for a log that has everything (spec/8); figures made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.report.made import fits, fixture, subject
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import LogFacts
from windowkeeper_cli.render.page import render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.info import info_facts
from windowkeeper_cli.report.info_page import Info

SUMS = {"uncachedInput": 10, "cacheWrite": 200, "cacheRead": 3000, "promptTotal": 3210, "output": 40}
EVENT = {
    "kind": "compaction",
    "call": 5,
    "where": "{path}:31",
    "trigger": "auto",
    "preTokens": 155_000,
    "summary": None,
}


def page(**changes: Any) -> str:
    """Return the page of the fixture with some facts changed."""
    about = subject(fixture())
    finding = Finding("orphan-tool-result", f"{about.path}:12", "no call", 12)
    transcript = replace(
        about.transcript,
        session="4b1cf20a",
        agent="a1",
        findings=(finding,),
        log=LogFacts(part=1, parts=2, not_understood=2, lines=5013),
    )
    facts = {**info_facts(transcript, about.counts), **changes}
    return b"".join(render(Info("t.json", transcript, facts, about.counts), Style())).decode()


def test_a_log_with_everything() -> None:
    path = subject(fixture()).path
    text = page(
        calls={"main": 5, "sidechain": 3, "unmeasured": 1},
        usage={"main": SUMS, "sidechain": SUMS},
        peakPromptTokens=167_895,
        lastPromptTokens=76_130,
        steps={"p50": 531, "p95": 4981, "max": {"call": 24, "tokens": 22_967}},
        models=["claude-x"],
        unanswered=["c1"],
        pending=["c2"],
        synthetic=[7, 9],
        events=[{**EVENT, "where": f"{path}:31"}],
        agents=[{"agent": "a9", "calls": 4, "usage": None, "where": f"{path}:40"}],
        unknown={"records": {"odd": 3}, "blocks": {}},
    )
    for line in (
        "session 4b1cf20a   agent a1   part 1 of 2 (--part N for another)",
        "5 in this transcript   3 by subagents   1 without reported usage",
        "2 synthetic replies left out",
        "prompts 3,210 = 10 uncached + 200 written + 3,000 read from cache   output 40",
        "largest 167,895   last 76,130   (reported tokens)",
        "median 531   95th percentile 4,981   largest 22,967 at call 24",
        "models     claude-x",
        "1 unanswered",
        "1 pending at the end",
        "records   odd 3",
        "   5  -                 compaction      auto           155,000  line 31",
        "a9         4  line 40",
        "2 of 5,013 lines not understood",
        "orphan-tool-result 1   line 12",
        "next   windowkeeper explain t.json",
    ):
        assert line in text, line


def test_many_tools_are_cut_and_the_rest_is_counted() -> None:
    tool = {"calls": 1, "tokens": 10, "share": 0.05, "errors": 0, "repeats": 0}
    text = page(tools=[{"tool": f"tool-{number}", **tool} for number in range(20)])
    assert "tool-11 " in text and "tool-12" not in text
    assert "8 more in -f json" in text
    assert "5.0%" in text


def test_the_document_fits_its_schema_and_counts() -> None:
    about = subject(fixture())
    facts = info_facts(about.transcript, about.counts)
    report = Info("t.json", about.transcript, facts, about.counts)
    document = report.document()
    fits(document)
    assert [row[0] for row in report.table().rows] == [tool["tool"] for tool in facts["tools"]]
