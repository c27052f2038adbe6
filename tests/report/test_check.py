"""`check`: what holds, what does not, and what could not be loaded (spec/8)."""

from __future__ import annotations

from tests.report.made import TIGHT, fits, fixture, subject
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.render.page import render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.replay.checking import Verdict, check_session
from windowkeeper_cli.replay.invariants.probe import Failure
from windowkeeper_cli.report.check import Checked, SessionCheck
from windowkeeper_cli.report.subject import NamedPolicy

POLICY = NamedPolicy("policy.json", "0123456789ab", TIGHT, "file")
FINDING = Finding("orphan-tool-result", "a.jsonl:12", "no call c9", 12)
HELD = Verdict(1, "lossless", True, False, (), 0)
BROKEN = Verdict(8, "addressable", False, False, (Failure(57, (3,), "nothing names it"),), 1)
GIVEN_UP = Verdict(4, "budget-holds", False, True, (Failure(9, (), "over"),), 1)


def page(report: Checked) -> str:
    """Return a report's page as text."""
    return b"".join(render(report, Style())).decode()


def result(path: str = "a.jsonl", *verdicts: Verdict, strict: bool = False, **more: object) -> SessionCheck:
    """Return a check of one session with `verdicts`."""
    return SessionCheck(path, visits=12, changed=3, invariants=verdicts, strict=strict, ids={3: "a" * 12}, **more)  # type: ignore[arg-type]


def test_what_holds_is_one_line_a_session() -> None:
    text = page(Checked((result("a.jsonl", HELD),), POLICY))
    assert "ok  a.jsonl  invariants 1 of 1 hold at 12 visits (3 changed something)" in text


def test_a_broken_invariant_fails_with_its_call_and_items() -> None:
    report = Checked((result("a.jsonl", HELD, BROKEN), result("b.jsonl", HELD)), POLICY)
    text = page(report)
    assert not report.ok
    assert "FAIL  a.jsonl  invariant 8, addressable: fails at 1 place" in text
    assert "call 57   nothing names it   items aaaaaaaaaaaa" in text
    assert "ok    b.jsonl" in text
    assert "explain a.jsonl -p policy.json --call 57" in text


def test_what_a_strategy_gives_up_does_not_fail() -> None:
    report = Checked((result("a.jsonl", HELD, GIVEN_UP),), POLICY)
    assert report.ok
    assert "1 of 2 hold" in page(report)
    assert "4 given up by the strategy's definition" in page(report)


def test_findings_warn_and_fail_only_when_strict() -> None:
    lenient = Checked((result("a.jsonl", HELD, findings=(FINDING,)),), POLICY)
    strict = Checked((result("a.jsonl", HELD, strict=True, findings=(FINDING,)),), POLICY)
    assert lenient.ok and not strict.ok
    assert "warn  a.jsonl  orphan-tool-result 1 (line 12)" in page(lenient)
    assert "FAIL  a.jsonl  orphan-tool-result 1 (line 12) (--strict)" in page(strict)


def test_what_is_only_new_to_us_never_fails() -> None:
    finding = Finding("unknown-record", "a.jsonl:3", "type x", 3)
    assert Checked((result("a.jsonl", HELD, strict=True, findings=(finding,)),), POLICY).ok


def test_a_file_that_could_not_be_loaded_is_named() -> None:
    report = Checked((SessionCheck("bad.json", error="bad.json:1:9: damaged"), result("a.jsonl", HELD)), POLICY)
    assert not report.ok
    assert "error  bad.json  bad.json:1:9: damaged" in page(report)
    assert report.totals()["notLoaded"] == 1


def test_the_document_fits_its_schema() -> None:
    about = subject(fixture())
    found = check_session(about.transcript, about.counts, TIGHT)
    real = SessionCheck("a.json", visits=found.visits, changed=found.changed, invariants=found.verdicts)
    bad = result("b.jsonl", HELD, BROKEN, GIVEN_UP, findings=(FINDING,))
    report = Checked((real, bad, SessionCheck("c", error="c: no such file")), POLICY)
    fits(report.document())
    assert len(report.table().rows) == 10 + 3 + 1


def test_many_sessions_without_fault_are_counted() -> None:
    text = page(Checked(tuple(result(f"{n}.jsonl", HELD) for n in range(11)), POLICY))
    assert "ok  11 sessions  invariants 1 of 1 hold at 132 visits (33 changed something)" in text
