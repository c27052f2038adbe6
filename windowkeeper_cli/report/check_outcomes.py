"""The outcomes of `check` for a pipeline: one for each session and kind of check."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.replay.checking import Verdict
from windowkeeper_cli.report.check import Checked, ProviderCheck, SessionCheck, holds
from windowkeeper_cli.report.check_bounds import Bound
from windowkeeper_cli.report.check_page import faults_in, findings_words, warnings_in
from windowkeeper_cli.report.outcome import BROKEN, FAILED, PASSED, WARNED, Outcome

MOST = 20
"""Pieces of evidence that one outcome carries."""


def outcomes_of(report: Checked) -> Iterator[Outcome]:
    """Yield the outcomes of every session: loads, invariants, each provider, each bound, findings."""
    for result in report.results:
        if result.error is not None:
            yield Outcome(result.called, "loads", BROKEN, result.error, file=result.path)
        else:
            yield from _session(result)
    for skipped in report.skipped:
        yield Outcome(skipped.path, "loads", WARNED, f"left out: {skipped.why}", file=skipped.path)


def _session(result: SessionCheck) -> Iterator[Outcome]:
    wrong = [held for held in result.invariants if not holds(held)]
    yield _outcome(result, "invariants", _with(result, invariants=tuple(wrong)))
    for one in result.providers:
        yield _outcome(result, f"accepted by {one.provider}", _with(result, providers=(one,)))
    for bound in result.bounds:
        yield _outcome(result, f"{bound.kind} {bound.name}", _with(result, bounds=(bound,)))
    state = FAILED if result.strict and result.faults else WARNED if result.faults else PASSED
    title = findings_words(result.path, result.faults) if result.faults else ""
    line = result.faults[0].line if result.faults else None
    yield Outcome(result.called, "findings", state, title, (), result.path, line)


def _with(
    result: SessionCheck,
    invariants: tuple[Verdict, ...] = (),
    providers: tuple[ProviderCheck, ...] = (),
    bounds: tuple[Bound, ...] = (),
) -> SessionCheck:
    """Return a session with one kind of results alone."""
    return SessionCheck(result.path, invariants=invariants, providers=providers, bounds=bounds, ids=result.ids)


def _outcome(result: SessionCheck, name: str, part: SessionCheck) -> Outcome:
    """Return the outcome of one kind of check; `part` is the session with that kind's results alone."""
    faults = list(faults_in(part, MOST))
    if not faults:
        remarks = list(warnings_in(part))
        return Outcome(result.called, name, WARNED if remarks else PASSED, "; ".join(remarks), (), result.path)
    (title, lines), *others = faults
    more = [line for text, below in others for line in (text, *below)]
    return Outcome(result.called, name, FAILED, title, (*lines, *more), result.path)
