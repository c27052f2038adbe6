"""How one session of a replay is loaded, replayed and dropped; this runs in other processes too."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from windowkeeper_cli.cli.archives import archive_at
from windowkeeper_cli.cli.compared import compared, fitting
from windowkeeper_cli.cli.folders import Job as Log
from windowkeeper_cli.cli.folders import Wanted, outlined, reason
from windowkeeper_cli.cli.loading import Source, counted, warn_of_findings
from windowkeeper_cli.cli.progress import watched
from windowkeeper_cli.formats.folder import Skipped
from windowkeeper_cli.formats.outline import outline_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import InputError, UnmeasurableError, WindowkeeperError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.replay import Replayed, replay_session
from windowkeeper_cli.replay.tariff import Tariff
from windowkeeper_cli.report.replay import SessionReplay, Skip, candidates, session_replay
from windowkeeper_cli.report.subject import NamedPolicy, Subject, path_of

NO_CALLS = "it records no call"


class Terms(NamedTuple):
    """What every session is replayed by, in values that another process can be given.

    `archive` is the path of the archive that takes what every session held.
    `one` says that there is one session alone: it has more rows, warnings of its own, and its series stay. `assumed`
    says that nobody gave the limit. `words` and `loading` are options that a page's commands repeat. `told` says that
    there is one session alone and that its transcript and steps are kept, for a page that shows every call.
    """

    names: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    counter: str = "auto"
    limit: int | None = None
    ttl: float | None = None
    tariff: Tariff | None = None
    by_call: bool = False
    one: bool = False
    assumed: bool = False
    words: tuple[str, ...] = ()
    loading: tuple[str, ...] = ()
    wanted: Wanted = Wanted()
    shown: bool = False
    quiet: bool = True
    verbose: bool = False
    told: bool = False
    archive: str | None = None


class Job(NamedTuple):
    """One session to replay: what it is called, the file that it is in, how it is loaded, and the terms.

    `words` are the options that choose a subagent's transcript of it.
    """

    name: str
    path: str
    source: Source
    terms: Terms
    words: tuple[str, ...] = ()


class Done(NamedTuple):
    """What became of a session: replayed, left out, or (both None) not wanted; seconds to load it and by policy.

    `error` is why it could not be replayed.
    """

    session: SessionReplay | None = None
    skip: Skip | None = None
    error: WindowkeeperError | None = None
    loading: float = 0.0
    seconds: tuple[float, ...] = ()


class Counted(NamedTuple):
    """A session that is loaded and counted, and the seconds that it took."""

    transcript: Transcript
    counts: Counts
    seconds: float


def replayed(job: Job) -> Done:
    """Return one session under every policy, or why it was left out; nothing else of it stays in memory."""
    terms, found = job.terms, loaded(job)
    if isinstance(found, Done):
        return found
    transcript = found.transcript
    policies = policies_for(transcript, terms)
    rows: list[Replayed] = []
    seconds: list[float] = []
    chosen = watched(candidates(policies), "replaying", shown=terms.shown and terms.one)
    with archive_at(terms.archive, writes=True, quiet=terms.quiet) as archive:
        run = replay_session(
            transcript,
            found.counts,
            chosen,
            limit=terms.limit,
            ttl=terms.ttl,
            tariff=terms.tariff,
            keep_steps=terms.told,
            find_gaps=True,
            archive=archive,
        )
        for row, spent in _timed(run):
            keeps = terms.by_call or terms.one
            rows.append(row if keeps else row._replace(series=()))
            seconds.append(spent)
    path = path_of(job.name, transcript)
    session = session_replay(job.name, path, transcript, found.counts, tuple(rows), by_call=terms.by_call or terms.one)
    held = Subject(job.name, transcript, found.counts, policies[0], job.words) if terms.told else None
    return Done(session._replace(words=job.words, held=held), None, None, found.seconds, tuple(seconds))


def lost(job: Job, error: InputError) -> Done:
    """Return what became of a session whose process was killed."""
    return Done(None, Skip(job.path, error.what), error)


def loaded(job: Job) -> Counted | Done:
    """Return a session that is to be replayed, or what became of it instead."""
    terms = job.terms
    inside = job.source.agent is not None
    if terms.wanted != Wanted() and not inside:
        seen = outlined(Log(job.path, job.source.format))
        if not isinstance(seen, Skipped) and not terms.wanted.fits(seen):
            return Done()
    begun = time.perf_counter()
    try:
        transcript = job.source._replace(shown=terms.shown and terms.one).load(needs_text=False)
        if inside and not terms.wanted.fits(outline_of(transcript)):
            return Done()
        counts = counted(transcript, terms.counter)
    except InputError as error:
        return Done(None, Skip(job.path, reason(error, job.path)), _plain(error))
    except UnmeasurableError as error:
        return Done(None, Skip(job.path, str(error)), _plain(error))
    if terms.one:
        warn_of_findings(transcript, job.name, quiet=terms.quiet, verbose=terms.verbose)
    if not transcript.calls:
        what = InputError(NO_CALLS, "there is nothing to replay; see `windowkeeper info`", where=job.path)
        return Done(None, Skip(job.path, NO_CALLS), what)
    return Counted(transcript, counts, time.perf_counter() - begun)


def policies_for(transcript: Transcript, terms: Terms) -> tuple[NamedPolicy, ...]:
    """Return the policies that a session is replayed under."""
    policies = compared(terms.names, terms.sets, one=terms.one)
    return fitting(policies, transcript) if terms.one and not terms.names else policies


def _timed(rows: Iterable[Replayed]) -> Iterator[tuple[Replayed, float]]:
    begun = time.perf_counter()
    for row in rows:
        now = time.perf_counter()
        yield row, now - begun
        begun = now


def _plain(error: WindowkeeperError) -> InputError:
    """Return an error as one that another process can hand back."""
    return InputError(error.what, where=error.where)
