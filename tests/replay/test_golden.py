"""The ledgers of our own fixtures are these bytes; and on each of them the laws hold.

The bytes were read line by line when they were written (`python -m tests.golden`); the laws need no such reading.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden import FIXTURES, LEDGER, cases, ledger, parts
from windowkeeper_cli.replay.checking import check_session
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session


def named(case: Path) -> str:
    return str(case.relative_to(FIXTURES))


def test_there_are_cases() -> None:
    assert "redis-auth" in map(named, cases())


@pytest.mark.parametrize("case", cases(), ids=named)
def test_the_ledger_is_the_golden_one_on_every_run(case: Path) -> None:
    first = b"".join(ledger(case))
    assert first == (case / LEDGER).read_bytes()
    assert b"".join(ledger(case)) == first


@pytest.mark.parametrize("case", cases(), ids=named)
def test_the_golden_ledger_rebuilds_the_window(case: Path) -> None:
    transcript, counted, settings, _ = parts(case)
    lines = [json.loads(line) for line in (case / LEDGER).read_bytes().splitlines()]
    rebuilt = Rebuilt()
    session = Session(transcript, counted, settings)
    for step in session.steps():
        for line in lines:
            if line.get("call") == step.call:
                rebuilt.apply(line)
        standing = {at: session.fold.standing(at) for at in session.fold.not_in_full()}
        assert rebuilt.standing == standing
        assert rebuilt.inserts == {
            insert.slot: (insert.stands, insert.item, insert.text) for insert in session.fold.inserted()
        }


@pytest.mark.parametrize("case", cases(), ids=named)
def test_the_invariants_hold_but_for_known_faults(case: Path) -> None:
    transcript, counted, settings, _ = parts(case)
    found = {
        failure.fault
        for verdict in check_session(transcript, counted, settings).verdicts
        for failure in verdict.failures
    }
    assert found == ({case.name} if case.parent.name == "faults" else set())
