"""How one session of a diff is loaded, replayed under both policies and compared; this runs in other processes too."""

from __future__ import annotations

from windowkeeper_cli.cli.compared import pair
from windowkeeper_cli.cli.moments import call_number
from windowkeeper_cli.cli.replaying import Counted, Done, Job, loaded
from windowkeeper_cli.model.errors import InputError, UsageError, WindowkeeperError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.diff import difference_of, last_moving, parting_of, with_gaps
from windowkeeper_cli.replay.replay import Replayed, replay_session
from windowkeeper_cli.report.diff import Compared
from windowkeeper_cli.report.replay import SessionReplay, Skip, candidates, session_replay
from windowkeeper_cli.report.subject import NamedPolicy, Subject, path_of

SIDES = ("A", "B")


class DiffJob(NamedTuple):
    """One session to compare: how it is replayed, what changes B alone, and the call that its items speak of."""

    job: Job
    sets_b: tuple[str, ...]
    call: str = "next"
    ever: bool = False

    @property
    def path(self) -> str:
        """Return the file that the session is in."""
        return self.job.path


class Diffed(NamedTuple):
    """What became of a session: compared, left out, or (both None) not wanted.

    `parted` is the call at which the windows part, None for never; `one` is there where a single session was asked for.
    """

    session: SessionReplay | None = None
    skip: Skip | None = None
    error: WindowkeeperError | None = None
    parted: int | None = None
    one: Compared | None = None


def diffed(work: DiffJob) -> Diffed:
    """Return one session compared under both policies, or why it was left out.

    Raises UsageError where the call that a single session is asked for is not there.
    """
    job, terms = work.job, work.job.terms
    found = loaded(job)
    if isinstance(found, Done):
        return Diffed(found.session, found.skip, found.error)
    policies = pair(terms.names, terms.sets, work.sets_b)
    path = path_of(job.name, found.transcript)
    number = call_number(work.call, found.transcript) if terms.one else None
    run = replay_session(
        found.transcript,
        found.counts,
        candidates(policies),
        limit=terms.limit,
        ttl=terms.ttl,
        tariff=terms.tariff,
        keep_steps=True,
        find_gaps=True,
    )
    rows = tuple(run)
    for side, row in zip(SIDES, rows, strict=True):
        if row.refused is not None:
            what = f"{side} ({row.name}) cannot be replayed: {row.refused}"
            return Diffed(None, Skip(path, what), UsageError(what, where=path))
    bare = rows if terms.told else tuple(row._replace(steps=()) for row in rows)
    session = session_replay(job.name, path, found.transcript, found.counts, bare, by_call=False)._replace(
        words=job.words
    )
    if not terms.one:
        parting = parting_of(rows[0].steps, rows[1].steps)
        return Diffed(session, parted=None if parting is None else parting.call)
    one = _compared(work, found, rows, policies[1], number)
    return Diffed(session, parted=None if one.difference.parts is None else one.difference.parts.call, one=one)


def lost(work: DiffJob, error: InputError) -> Diffed:
    """Return what became of a session whose process was killed."""
    return Diffed(None, Skip(work.path, error.what), error)


def _compared(
    work: DiffJob, found: Counted, rows: tuple[Replayed, ...], policy: NamedPolicy, number: int | None
) -> Compared:
    a, b = (row.steps for row in rows)
    call = last_moving(a, b) if number is None else number
    difference = difference_of(a, b, found.counts.tokens, call, ever=work.ever)
    items = with_gaps(difference.items, rows[0].gaps or (), rows[1].gaps or ())
    subject = Subject(work.job.name, found.transcript, found.counts, policy, work.job.source.words)
    return Compared(subject, call, difference._replace(items=items), work.ever)
