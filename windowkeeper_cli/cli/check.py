"""The command `check`: the ten invariants at every call of transcripts, and of the sessions of folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.folders import Wanted, folder_at, reason, wanted
from windowkeeper_cli.cli.loading import Source, counted
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.parallel import shared
from windowkeeper_cli.cli.policies import one_policy
from windowkeeper_cli.cli.progress import watched
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.formats.folder import Skipped
from windowkeeper_cli.formats.outline import outline_of
from windowkeeper_cli.model.errors import InputError, UnmeasurableError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.check import Checked, SessionCheck
from windowkeeper_cli.report.subject import NamedPolicy, path_of

FAILED, WRONG = 1, 2
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        help="Transcripts (files, -, latest, beginnings of session ids), and folders of session logs.",
        show_default=False,
    ),
]
StrictFindings = Annotated[
    bool,
    typer.Option("--strict", help="Findings of a log itself fail too.", rich_help_panel=options.LOADING),
]


class Job(NamedTuple):
    """One transcript to check: what was typed, how it is read and counted, under which policy.

    `in_folder` says that the user named only its folder, and then it has to be as `wanted`.
    """

    source: Source
    policy: tuple[str, ...]
    sets: tuple[str, ...]
    counter: str
    in_folder: bool = False
    wanted: Wanted = Wanted()


def check(
    paths: Paths,
    policy: options.PolicyName = None,
    set_: options.Set = None,
    strict: StrictFindings = False,
    from_: options.From = None,
    root: options.Root = None,
    since: options.Since = None,
    project: options.Project = None,
    min_calls: options.MinCalls = 0,
    processes: options.Processes = 1,
    counter: options.Counter = "auto",
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """Whether the ten invariants hold at every call; what is wrong with a log itself only warns.

    Ends with 1 where something does not hold, with 2 where a file that was named could not be loaded; the others are
    checked. A file in a folder that is no session log is named and left out.
    """
    out = Output(format_, output, color, width)
    named = one_policy(policy, set_)
    job = Job(Source("", format=from_, root=root), tuple(policy or ()), tuple(set_ or ()), counter)
    jobs, skipped = _jobs(paths, job, wanted(since, project, min_calls))
    out.check(("table", "json", "csv"), (*(one.source.name for one in jobs), *(policy or ())) if output else ())
    done = list(
        watched(shared(_checked, jobs, processes), "checking", total=len(jobs), shown=not (quiet or no_progress))
    )
    found = [one for _, one in sorted(done, key=itemgetter(0))]
    results = [replace(one, strict=strict) for one in found if isinstance(one, SessionCheck)]
    skipped += [one for one in found if isinstance(one, Skipped)]
    _warn(results, skipped, quiet=quiet)
    if not results:
        todo = "see the warnings above" if skipped else "ask for less with --since, --project and --min-calls"
        raise InputError("no session to check", todo, where=", ".join(paths))
    words = () if from_ is None else ("--from", from_)
    out.write(Checked(tuple(results), named, words, tuple(skipped)))
    raise typer.Exit(_code(results))


def _jobs(paths: Sequence[str], job: Job, filters: Wanted) -> tuple[list[Job], list[Skipped]]:
    """Return what to check, folders taken apart into their sessions, and what of these is left out."""
    jobs: list[Job] = []
    skipped: list[Skipped] = []
    for path in paths:
        if not Path(path).is_dir():
            jobs.append(job._replace(source=job.source._replace(name=path)))
            continue
        folder = folder_at(path, None)
        skipped += folder.skipped
        for file in folder.sessions:
            if file.copy_of is not None:
                skipped.append(Skipped(file.path, f"a copy: all its records are in {file.copy_of}"))
            elif filters.may_fit(file):
                source, still = job.source._replace(name=file.path), filters.still_open(file)
                jobs.append(job._replace(source=source, in_folder=True, wanted=still))
    return jobs, skipped


def _warn(results: Sequence[SessionCheck], skipped: Sequence[Skipped], *, quiet: bool) -> None:
    for result in results:
        if result.error is not None:
            where = "" if result.error.startswith(result.path) else f"{result.path}: "
            warn(f"{where}{result.error}", quiet=quiet)
    for one in skipped:
        warn(f"{one.path}: left out: {one.why}", quiet=quiet)


def _code(results: Iterable[SessionCheck]) -> int:
    """Return 2 where a file could not be loaded, else 1 where something does not hold, else 0."""
    codes = [WRONG if result.error is not None else 0 if result.ok else FAILED for result in results]
    return max(codes, default=0)


@cache
def _policy(names: tuple[str, ...], sets: tuple[str, ...]) -> NamedPolicy:
    """Return the policy of a job; each process reads it once."""
    return one_policy(names, sets)


def _checked(job: Job) -> SessionCheck | Skipped | None:
    """Return what a check of one transcript found; one that cannot be loaded or measured is a result with an error.

    One that only its folder was named for is left out there instead, and None where it is not as wanted.
    """
    from windowkeeper_cli.replay.checking import check_session

    source, policy = job.source, _policy(job.policy, job.sets)
    try:
        transcript = source.load()
    except InputError as error:
        return Skipped(source.name, reason(error, source.name)) if job.in_folder else _failed(source.name, error)
    if not job.wanted.fits(outline_of(transcript)):
        return None
    try:
        found = check_session(transcript, counted(transcript, job.counter), policy.settings, policy.make)
    except UnmeasurableError as error:
        return SessionCheck(source.name, session=transcript.session, error=str(error))
    ids = {at: transcript.items[at].id for held in found.verdicts for failure in held.failures for at in failure.items}
    return SessionCheck(
        ids=ids,
        path=path_of(source.name, transcript),
        session=transcript.session,
        visits=found.visits,
        changed=found.changed,
        invariants=found.verdicts,
        findings=transcript.findings,
    )


def _failed(path: str, error: InputError) -> SessionCheck:
    return SessionCheck(path, error=str(error))


app = command_app(
    check,
    "windowkeeper check fixtures/redis-auth/transcript.json",
    "windowkeeper check logs/*.jsonl -p policy.json --strict",
    "windowkeeper check ~/.claude/projects --since 7d -j 4",
)
