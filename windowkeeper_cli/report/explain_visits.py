"""Which visits `explain` speaks of: the session is walked up to a call, or to its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.archive import Archive
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.replay.archiving import archived
from windowkeeper_cli.replay.ledger import head, ledger_lines, line_bytes
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.report.assumed import Assumed
from windowkeeper_cli.report.explain import Explanation, Ledger, Tally, Visited
from windowkeeper_cli.report.subject import Subject

OVER = "over-limit"


def at_call(
    subject: Subject,
    number: int | None,
    *,
    only_new: bool = False,
    cold: bool = False,
    all_rows: bool = False,
    archive: Archive | None = None,
) -> Explanation:
    """Return what holds at call `number`; None means the last call that decided something.

    What the session held up to there goes into `archive`. Raises UsageError where no call decided anything and
    `number` is None.
    """
    if number is None:
        number = last_deciding(subject)
    session = session_of(subject, cold=cold)
    tally = Tally(subject.transcript.all_calls())
    last: int | None = None
    over: DecisionLine | None = None
    assumed = Assumed()
    for step in archived(session, session.steps(number), archive):
        over = _over(step, over)
        assumed.take(step)
        if step.lines:
            last = step.call
        tally.take(step)
    visited = _visited(session, step, over, tally)
    return Explanation(
        subject,
        (visited,),
        _ledger(subject),
        only_new=only_new,
        all_rows=all_rows,
        cold=cold,
        last_decided=last,
        assumed=assumed.of(session),
    )


def every_visit(subject: Subject, *, all_rows: bool = False, archive: Archive | None = None) -> Explanation:
    """Return every visit of the session that engaged, the next call's included; what it held goes into `archive`."""
    session = session_of(subject)
    tally = Tally(subject.transcript.all_calls())
    visits: list[Visited] = []
    over: DecisionLine | None = None
    assumed = Assumed()
    for step in archived(session, session.steps(), archive):
        over = _over(step, over)
        assumed.take(step)
        tally.take(step)
        if step.visit is not None:
            visits.append(_visited(session, step, over, tally, standing=False))
    last = max((visited.call.number for visited in visits if visited.step.lines), default=None)
    return Explanation(
        subject,
        tuple(visits),
        _ledger(subject),
        every=True,
        all_rows=all_rows,
        last_decided=last,
        assumed=assumed.of(session),
    )


def session_of(subject: Subject, *, cold: bool = False) -> Session:
    """Return the subject's session before its first call."""
    policy = subject.policy
    return Session(subject.transcript, subject.counts, policy.settings, cold=cold, strategy=policy.strategy())


def last_deciding(subject: Subject) -> int:
    """Return the last call that decided something; raise UsageError where none did."""
    last, largest = 0, 0
    for step in session_of(subject).steps():
        largest = max(largest, step.meter.window)
        if step.lines:
            last = step.call
    if last:
        return last
    settings = subject.policy.settings
    raise UsageError(
        f"--call replan: no call decided anything; the largest window is {largest:,} tokens",
        f"the limit is {settings.budget.limit:,}: lower it with --set budget.max=N, or use --call next",
    )


def _over(step: Step, before: DecisionLine | None) -> DecisionLine | None:
    """Return the line that says what holds a window over its limit, None once it is under."""
    for line in step.lines:
        if line.action == OVER:
            return line
    return before if step.meter.over_limit else None


def _visited(
    session: Session, step: Step, over: DecisionLine | None, tally: Tally, *, standing: bool = True
) -> Visited:
    calls = session.transcript.all_calls()
    inserted = tuple(session.fold.inserted())
    return Visited(
        call=calls[step.call - 1],
        is_next=step.call == len(calls),
        step=step,
        standing=session.standing() if standing else (),
        window=tally.counts(len(inserted), step.meter.window),
        inserted=inserted,
        over=over,
    )


def _ledger(subject: Subject) -> Ledger:
    """Return what writes the report's JSON lines: the ledger's head, decisions in force, then the visits."""

    def lines(steps: Iterable[Step], standing: Iterable[DecisionLine]) -> Iterator[bytes]:
        policy = subject.policy
        first = head(
            subject.transcript, subject.counts.counter.label, subject.mode, policy.id, policy.settings.strategy
        )
        rest = ledger_lines(first, steps)
        yield line_bytes(next(rest))
        yield from (line_bytes(line.as_dict()) for line in standing)
        yield from (line_bytes(line) for line in rest)

    return lines
