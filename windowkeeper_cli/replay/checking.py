"""Checking: the ten invariants over a whole session, in full at visits that changed something and at the end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from windowkeeper_cli.guards.removal import LONE_SUMMARY
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.invariants import INVARIANTS
from windowkeeper_cli.replay.invariants.probe import Failure, Invariant, Probe
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies.strategy import Strategy

Make = Callable[[Settings], Strategy]
MOST_FAILURES = 100
"""Failures kept for one invariant; the first ones tell, and a broken one can fail at every call."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One invariant over one session; `given_up` says that the strategy's definition does not hold it."""

    number: int
    name: str
    ok: bool
    given_up: bool
    failures: tuple[Failure, ...]
    failed: int


@dataclass(frozen=True, slots=True)
class Checked:
    """The ten verdicts, with the number of visits and of those that changed something."""

    verdicts: tuple[Verdict, ...]
    visits: int
    changed: int

    @property
    def ok(self) -> bool:
        """Return whether every invariant holds that the strategy does not give up."""
        return all(verdict.ok or verdict.given_up for verdict in self.verdicts)


def check_session(transcript: Transcript, counts: Counts, settings: Settings, make: Make | None = None) -> Checked:
    """Visit every call and check the ten invariants; the session is run twice, for equal bytes.

    `make` makes the strategy where it is not a registered one.
    """
    session = Session(transcript, counts, settings, strategy=None if make is None else make(settings))
    modules = [cast(Invariant, INVARIANTS.module(name)) for name in INVARIANTS.names]
    found: dict[int, list[Failure]] = {module.NUMBER: [] for module in modules}
    changed = 0
    digest = hashlib.sha256()
    for probe in _probes(session):
        changes = any(line.moves for line in probe.step.lines)
        changed += changes
        _write(probe.step, digest.update)
        for module in modules:
            if changes or probe.is_last or module.NUMBER in LIGHT:
                found[module.NUMBER].extend(module.failures(probe))
    second = hashlib.sha256()
    for step in Session(transcript, counts, settings, strategy=None if make is None else make(settings)).steps():
        _write(step, second.update)
    if digest.digest() != second.digest():
        found[10].append(Failure(transcript.next_call.number, (), "a second run wrote another ledger"))
    verdicts = tuple(_verdict(module, found[module.NUMBER], session) for module in modules)
    return Checked(verdicts, len(transcript.calls) + 1, changed)


LIGHT = frozenset({1, 2, 4, 5})
"""Invariants that look at a bounded number of places, and so are checked at every visit."""


def _probes(session: Session) -> Iterator[Probe]:
    rebuilt = Rebuilt()
    calls = session.transcript.all_calls()
    held, over_said, wedged = 0, False, 0
    for call, step in zip(calls, session.steps(), strict=True):
        for line in step.lines:
            rebuilt.apply(line.as_dict())
        said = any(line.action == "over-limit" for line in step.lines)
        over_said = said or (over_said and step.meter.over_limit)
        if step.visit is not None:
            lone = any(refusal.reason == LONE_SUMMARY for refusal in step.visit.refusals)
            wedged = wedged + 1 if lone else 0
        yield Probe(session, call, step, range(held, call.at), rebuilt, call is calls[-1], over_said, wedged)
        held = call.at


def _write(step: Step, update: Callable[[bytes], None]) -> None:
    for line in step.lines:
        update(line_bytes(line.as_dict()))
    if step.visit is not None:
        update(line_bytes(step.visit.as_dict()))


def _verdict(module: Invariant, failures: list[Failure], session: Session) -> Verdict:
    given_up = module.NUMBER in session.strategy.gives_up
    kept = tuple(failures[:MOST_FAILURES])
    return Verdict(module.NUMBER, module.TEXT.name, not failures, given_up, kept, len(failures))
