"""How one session is loaded, checked and dropped; this runs in other processes too."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from windowkeeper_cli.cli.folders import Wanted, reason
from windowkeeper_cli.cli.loading import Source, counted
from windowkeeper_cli.cli.policies import one_policy
from windowkeeper_cli.formats.folder import Skipped
from windowkeeper_cli.formats.outline import outline_of
from windowkeeper_cli.model.errors import InputError, UnmeasurableError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.check import SessionCheck, provider_checks
from windowkeeper_cli.report.check_bounds import Asked, bounds_of, needs_gaps
from windowkeeper_cli.report.subject import NamedPolicy, path_of


class Job(NamedTuple):
    """One transcript to check: what was typed, how it is read and counted, under which policy, asked for what.

    `in_folder` says that the user named only its folder, and then it has to be as `wanted`. `words` are the options
    that choose a subagent's transcript of the session called `name`.
    """

    name: str
    source: Source
    policy: tuple[str, ...]
    sets: tuple[str, ...]
    counter: str
    providers: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    in_folder: bool = False
    wanted: Wanted = Wanted()
    words: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Return the file that the transcript is in."""
        return self.source.name


@cache
def _policy(names: tuple[str, ...], sets: tuple[str, ...]) -> NamedPolicy:
    """Return the policy of a job; each process reads it once."""
    return one_policy(names, sets)


def checked(job: Job) -> SessionCheck | Skipped | None:
    """Return what a check of one transcript found; one that cannot be loaded or measured is a result with an error.

    One that only its folder was named for is left out there instead, and None where it is not as wanted.
    """
    source = job.source
    try:
        transcript = source.load()
    except InputError as error:
        return lost(job, error)
    if not job.wanted.fits(outline_of(transcript)):
        return None
    try:
        return _result(job, transcript)
    except UnmeasurableError as error:
        found = SessionCheck(source.name, session=transcript.session, error=str(error))
        return replace(found, agent=transcript.agent, opens=_opens(job))


def lost(job: Job, error: InputError) -> SessionCheck | Skipped:
    """Return what became of a transcript that could not be loaded, or whose process was killed."""
    if job.in_folder:
        return Skipped(job.path, reason(error, job.path))
    return SessionCheck(job.path, error=str(error))


def _result(job: Job, transcript: Transcript) -> SessionCheck:
    from windowkeeper_cli.replay.checking import check_session

    policy = _policy(job.policy, job.sets)
    found = check_session(
        transcript,
        counted(transcript, job.counter),
        policy.settings,
        policy.make,
        providers=job.providers,
        gaps=needs_gaps(job.asked),
    )
    named = [at for held in found.verdicts for failure in held.failures for at in failure.items]
    named += [reason.fault.at for one in found.accepted for reason in one.reasons if reason.fault.at is not None]
    ids = {at: transcript.items[at].id for at in named}
    return SessionCheck(
        ids=ids,
        path=path_of(job.name, transcript),
        session=transcript.session,
        visits=found.visits,
        changed=found.changed,
        invariants=found.verdicts,
        providers=provider_checks(found.accepted, ids),
        bounds=bounds_of(job.asked, found.measured, transcript),
        findings=transcript.findings,
        agent=transcript.agent,
        opens=_opens(job),
    )


def _opens(job: Job) -> tuple[str, ...]:
    return (job.name, *job.words) if job.words else ()
