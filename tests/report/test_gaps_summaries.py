"""`gaps`: the audit of recorded summaries and the patterns that keep constraints, on sessions worked out by hand."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.report.made import fits, made, subject
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.example import asks, calls, gives
from windowkeeper_cli.model.settings import Budget, Protect, Settings, ToolResults
from windowkeeper_cli.model.transcript import LogFacts, Transcript
from windowkeeper_cli.report.gaps import GapsReport, gaps
from windowkeeper_cli.report.gaps_constraints import MOST, patterns_of
from windowkeeper_cli.report.sheet import Block, Change, Marked, Prose, Share, Table

RECORDED = Settings("recorded")
HOSTILE = 'Never print \x1b[31m[red]x[/red]\u202e now, \\ or "so".'
TIGHT = Settings(
    budget=Budget(max=200, target=60, reserve=0), protect=Protect(recent_turns=1), tool_results=ToolResults()
)


def compacted(summary: str, order: str = "Never push to main.", folder: str | None = None) -> Transcript:
    """Return a session that was compacted before call 2, and then asks for the script again.

    It names src/login.py (kept by `summary` or not), and the result names tools/gen_keys.sh.
    """
    messages = (
        asks(f"Fix src/login.py. {order}"),
        calls(1, "Read", file_path="src/login.py"),
        gives(1, "see tools/gen_keys.sh"),
        asks("Go on"),
        calls(2, "Bash", command="sh tools/gen_keys.sh"),
        gives(2, "ok"),
    )
    event = Event("compaction", 3, 2, "log.jsonl:9", trigger="auto", pre_tokens=155_000, summary=(Text(summary),))
    return replace(made(*messages), events=(event,), log=LogFacts(cwd=folder))


def report(transcript: Transcript, settings: Settings = RECORDED, kinds: tuple[str, ...] = ()) -> GapsReport:
    """Return the report up to the next call."""
    return gaps(subject(transcript, settings), transcript.next_call.number, kinds)


def blocks(found: GapsReport, title: str) -> Iterator[Block]:
    """Yield the blocks of a page whose title begins so."""
    return (block for block in found.sheet().blocks if block.title.startswith(title))


def table(found: GapsReport, title: str) -> Table:
    """Return the table of a page whose title begins so."""
    block = next(blocks(found, title))
    assert isinstance(block, Table)
    return block


def test_the_document_has_every_summary() -> None:
    found = report(compacted("Fixed src/login.py\nwith `make_up()`. Never push to main!"))
    document = found.document()
    fits(document)
    summaries: Any = document["summaries"]
    (summary,) = summaries
    assert {key: summary[key] for key in ("call", "where", "trigger", "items", "ownTokensBefore")} == {
        "call": 2, "where": "log.jsonl:9", "trigger": "auto", "items": 3, "ownTokensBefore": 155_000,
    }  # fmt: skip
    items = found.subject.transcript.items
    assert summary["tokensBefore"] == sum(found.subject.tokens(at) for at in range(3))
    assert (summary["identifiers"], summary["kept"]) == (2, 1)
    assert summary["lost"] == [{"name": "tools/gen_keys.sh", "at": 2, "item": items[2].id, "usedCall": 2}]
    assert summary["invented"] == [{"name": "make_up", "line": 2, "text": "with `make_up()`. Never push to main!"}]
    (constraint,) = summary["constraints"]
    assert (constraint["state"], constraint["line"], constraint["pattern"]) == ("kept", 2, "Never push to main")
    assert constraint["item"] == items[0].id


def test_the_page_has_a_table_for_each_question() -> None:
    found = report(compacted("Fixed /repo/src/login.py with `make_up()`.", folder="/repo"))
    assert [row[2:] for row in table(found, "recorded summaries (1)").rows] == [(2, 1, Share(0.5), 1, 1, 1)]
    assert isinstance(table(found, "recorded summaries").rows[0][1], Change)
    assert table(found, "lost by a summary").rows == ((2, 2, "tools/gen_keys.sh", "Bash sh tools/gen_keys.sh"),)
    assert table(found, "standing constraints").rows == ((2, Marked("lost", "bad"), None, "Never push to main."),)
    assert [row[2] for row in table(found, "in a summary, and nowhere").rows] == ["make_up"]


def test_tables_without_rows_are_left_out() -> None:
    found = report(compacted("Fixed src/login.py and tools/gen_keys.sh. Never push to main."))
    assert table(found, "recorded summaries").rows[0][5:] == (None, 1, None)
    assert not list(blocks(found, "lost by")) and not list(blocks(found, "in a summary"))


def test_a_what_if_a_kind_and_an_earlier_call_have_no_audit() -> None:
    transcript = compacted("Fixed.")
    assert report(transcript, TIGHT).document()["summaries"] == []
    assert report(transcript, kinds=("constraint",)).document()["summaries"] == []
    assert gaps(subject(transcript, RECORDED), 1).document()["summaries"] == []


def test_summaries_that_cannot_be_read_are_counted() -> None:
    transcript = compacted("Fixed.")
    hidden = Event("compaction", 6, 3, "log.jsonl:12")
    found = report(replace(transcript, events=(*transcript.events, hidden)))
    what_if = report(replace(transcript, events=(hidden,)), TIGHT)
    assert list(blocks(found, "recorded summaries (1; 1 more cannot be read in the log)"))
    assert not any("summary" in block.text for block in what_if.sheet().blocks if isinstance(block, Prose))
    none = report(replace(transcript, events=(hidden,))).sheet().blocks[-1]
    assert isinstance(none, Prose)
    assert none.text.startswith("One compaction shows no summary")
    two = report(replace(transcript, events=(hidden, hidden))).sheet().blocks[-1]
    assert isinstance(two, Prose)
    assert two.text.startswith("2 compactions show no summary")


def test_a_constraint_gap_comes_with_what_would_have_kept_it() -> None:
    found = report(compacted("Fixed src/login.py."))
    shapes: Any = found.document()["gaps"]
    rows = [gap for gap in shapes if gap["kind"] == "constraint"]
    assert [(gap["use"], gap["call"], gap["pattern"]) for gap in rows] == [
        ("Never push to main.", 2, "Never push to main")
    ]
    (prose,) = blocks(found, "what keeps")
    assert isinstance(prose, Prose) and prose.as_is
    assert tomllib.loads(prose.text) == {"protect": {"patterns": ["Never push to main"]}}
    assert all(gap["pattern"] is None for gap in shapes if gap["kind"] != "constraint")


def test_one_pattern_keeps_a_message_with_several_orders() -> None:
    found = report(compacted("Fixed.", order="Never push. Always ask. Only read."))
    assert sum(gap.kind == "constraint" for gap in found.gaps) == 3
    assert patterns_of(found.subject, found.gaps) == ("Never push",)


def test_many_patterns_are_cut_and_said_to_be() -> None:
    order = [asks(f"Never touch file_{number}.py.") for number in range(MOST + 2)]
    transcript = made(*order, asks("Go"), calls(1), gives(1), asks("On"), calls(2), gives(2))
    event = Event("compaction", len(order), 1, "log:1", summary=(Text("So far."),))
    (prose,) = blocks(report(replace(transcript, events=(event,))), "what keeps")
    assert isinstance(prose, Prose)
    assert len(tomllib.loads(prose.text)["protect"]["patterns"]) == MOST
    assert "# and 2 more" in prose.text


def test_hostile_texts_stay_data() -> None:
    found = report(compacted(f"\x1b[31m`ma\u202eke_up_1` [b]x[/b] {HOSTILE} `src/a\x1b_b.py`", order=HOSTILE))
    fits(found.document())
    json.dumps(found.document())
    for block in found.sheet().blocks:
        cells = [cell for row in block.rows for cell in row] if isinstance(block, Table) else []
        assert not [cell for cell in cells if isinstance(cell, str) and ("\x1b" in cell or "\u202e" in cell)]
    assert all(tomllib.loads(block.text) for block in blocks(found, "what keeps") if isinstance(block, Prose))
