"""JSON, JSON lines and CSV of a report (RFC 8259, RFC 4180, spec/8)."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.render.sample import Sample
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.render import RENDERERS
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import Change


def written(name: str, report: Sample) -> bytes:
    """Return a report rendered by name."""
    return b"".join(RENDERERS.module(name).render(report, Style()))


def test_json_is_one_document_without_lone_surrogates_or_controls() -> None:
    body = written("json", Sample())
    assert json.loads(body) == {"text": "\ufffd \x9b", "number": 1}
    assert b"\\u009b" in body
    assert body.endswith(b"}\n")


def test_jsonl_gives_the_reports_own_lines() -> None:
    assert written("jsonl", Sample()) == b'{"a":"\\u009b"}\n'


def test_csv_holds_raw_values_and_a_change_as_two_columns() -> None:
    rows = list(csv.reader(io.StringIO(written("csv", Sample()).decode(), newline="")))
    assert rows[0] == ["action", "rule", "item", "turn", "before", "after", "share", "detail"]
    assert rows[1][:7] == ["evict", "toolResults.evictAfterTurns", "76e09c97975b", "4", "1504", "45", "0.2500"]
    assert rows[2] == ["keep", "rule", "cc53b06fac2f", "", "12", "", "", "[red]日本語\\x1b[0m"]


def test_csv_gives_no_spreadsheet_a_formula() -> None:
    report = Sample(rows=(("=1+1", "r", "-x", 1, Change(1, 2), None, "@a"),))
    rows = list(csv.reader(io.StringIO(written("csv", report).decode(), newline="")))
    assert rows[1] == ["'=1+1", "r", "'-x", "1", "1", "2", "", "'@a"]


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_a_report_without_rows_refuses_by_name(name: str) -> None:
    with pytest.raises(UsageError, match=f"sample has no {name} format"):
        written(name, Sample(has_table=False))
