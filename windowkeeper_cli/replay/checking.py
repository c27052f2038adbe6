"""Checking: the ten invariants over a whole session, whether providers accept its windows, and what these cost.

The invariants are checked in full at visits that changed something and at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from windowkeeper_cli.guards.removal import LONE_SUMMARY
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.replay.acceptance.windows import Accepted, Windows
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.invariants import INVARIANTS
from windowkeeper_cli.replay.invariants.probe import Failure, Invariant, Probe
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.replay.metering import CallCost, Costs, costs_by_call, costs_of
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


class Measured(NamedTuple):
    """A session after its last visit, with what its windows cost; `gaps` are None where nobody asked for them.

    `details` are those of the moves that made gaps' sources leave, by call and position.
    """

    session: Session
    costs: Costs
    series: tuple[CallCost, ...]
    gaps: tuple[Gap, ...] | None
    details: Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Checked:
    """The ten verdicts, with the number of visits and of those that changed something.

    `accepted` is what each provider that was asked makes of the windows.
    """

    verdicts: tuple[Verdict, ...]
    visits: int
    changed: int
    accepted: tuple[Accepted, ...]
    measured: Measured

    @property
    def ok(self) -> bool:
        """Return whether every invariant holds that the strategy does not give up."""
        return all(verdict.ok or verdict.given_up for verdict in self.verdicts)


def check_session(
    transcript: Transcript,
    counts: Counts,
    settings: Settings,
    make: Make | None = None,
    *,
    providers: Sequence[str] = (),
    gaps: bool = False,
) -> Checked:
    """Visit every call, check the ten invariants, and ask `providers` (by default the log's own) for each window.

    The session is run twice, for equal bytes. `make` makes the strategy where it is not a registered one. Evidence
    gaps are looked for where `gaps` says so. Raises UsageError for a provider that is not known.
    """
    session = Session(transcript, counts, settings, strategy=None if make is None else make(settings))
    checking = _Checking(session, Windows(transcript, counts, providers))
    steps, watch = session.steps(), None
    if gaps:
        # Few checks bound their gaps; the others start sooner without what finds them.
        from windowkeeper_cli.replay.gaps.finding import GapWatch

        watch = GapWatch(session)
        steps = watch.watch(steps)
    series = tuple(costs_by_call(session, checking.watch(steps)))
    costs = costs_of(session, series, settings.prices)
    second = hashlib.sha256()
    for step in Session(transcript, counts, settings, strategy=None if make is None else make(settings)).steps():
        _write(step, second.update)
    verdicts = checking.verdicts(second.digest())
    found = None if watch is None else tuple(watch.gaps)
    measured = Measured(session, costs, series, found, checking.details)
    return Checked(verdicts, len(transcript.calls) + 1, checking.changed, checking.windows.accepted(), measured)


class _Checking:
    """Passes a session's steps on, and checks each: the invariants, and whether providers accept the window."""

    def __init__(self, session: Session, windows: Windows) -> None:
        self.windows = windows
        self.changed = 0
        self.details: dict[tuple[int, int], str] = {}
        self._session = session
        self._modules = [cast(Invariant, INVARIANTS.module(name)) for name in INVARIANTS.names]
        self._found: dict[int, list[Failure]] = {module.NUMBER: [] for module in self._modules}
        self._digest = hashlib.sha256()

    def watch(self, steps: Iterator[Step]) -> Iterator[Step]:
        """Yield the steps, each after it was checked."""
        for probe in _probes(self._session, steps):
            changes = any(line.moves for line in probe.step.lines)
            self.changed += changes
            self.windows.look(probe.call, self._session.fold, changed=changes)
            _write(probe.step, self._digest.update)
            for line in probe.step.lines:
                if line.at is not None and line.detail:
                    self.details[line.call, line.at] = line.detail
            for module in self._modules:
                if changes or probe.is_last or module.NUMBER in LIGHT:
                    self._found[module.NUMBER].extend(module.failures(probe))
            yield probe.step

    def verdicts(self, second: bytes) -> tuple[Verdict, ...]:
        """Return the ten verdicts; `second` is the digest of the ledger that a second run wrote."""
        if self._digest.digest() != second:
            number = self._session.transcript.next_call.number
            self._found[10].append(Failure(number, (), "a second run wrote another ledger"))
        return tuple(_verdict(module, self._found[module.NUMBER], self._session) for module in self._modules)


LIGHT = frozenset({1, 2, 4, 5})
"""Invariants that look at a bounded number of places, and so are checked at every visit."""


def _probes(session: Session, steps: Iterator[Step]) -> Iterator[Probe]:
    rebuilt = Rebuilt()
    calls = session.transcript.all_calls()
    held, over_said, wedged = 0, False, 0
    for call, step in zip(calls, steps, strict=True):
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
