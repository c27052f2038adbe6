"""The command `check`: invariants, acceptance and bounds of transcripts, and of the sessions of folders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.batch import INTERRUPTED, run, warn_of_skips
from windowkeeper_cli.cli.check_options import (
    TIMES,
    Battery,
    Least,
    Most,
    Paths,
    Providers,
    Save,
    Seed,
    StrictFindings,
    Times,
    asked_bounds,
    draws,
)
from windowkeeper_cli.cli.checking import Job, checked, lost
from windowkeeper_cli.cli.folders import wanted
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.named import NamedFile, Taken, named_files
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.policies import one_policy
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.formats.folder import Skipped
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.report.check import Checked, SessionCheck
from windowkeeper_cli.report.check_bounds import asked_of
from windowkeeper_cli.report.replay import Skip
from windowkeeper_cli.report.subject import NamedPolicy

FAILED, WRONG = 1, 2
FORMATS = ("table", "json", "csv", "md", "junit", "github")


def check(
    paths: Paths = None,
    policy: options.PolicyName = None,
    set_: options.Set = None,
    most: Most = None, least: Least = None, provider: Providers = None,
    battery: Battery = False, seed: Seed = None, times: Times = None, save: Save = None,
    also: options.Also = None, from_: options.From = None, agent: options.Agent = None,
    part: options.PartNumber = None, root: options.Root = None,
    strict: StrictFindings = False,
    since: options.Since = None,
    project: options.Project = None,
    min_calls: options.MinCalls = 0,
    subagents: options.Subagents = False,
    processes: options.Processes = 1,
    counter: options.Counter = "auto",
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:  # fmt: skip
    """Whether the ten invariants hold at every call, providers accept every window, and figures keep their bounds.

    What is wrong with a log itself only warns. Where a file that was named cannot be loaded the others are checked all
    the same. A file in a folder that is no session log is named and left out.
    For a pipeline: -f github and -f junit, and -f md for a page of its summary.
    With --battery, a strategy of your own (-p ./mine.py:Mine) or a built-in one on generated transcripts.
    """
    out = Output(format_, output, color, width)
    if draws(locals()):
        # Most checks draw nothing, and start sooner without what does.
        from windowkeeper_cli.cli.battery import Drawn, battery_of

        drawn = Drawn(seed or 0, times or TIMES, counter, save, not (quiet or no_progress))
        raise typer.Exit(battery_of(out, policy, set_, drawn))
    assert paths
    policy_ = one_policy(policy, set_)
    asked = asked_of(policy_.settings, policy_.name, asked_bounds(most, least))
    source = Source("", tuple(also or ()), from_, agent, part, root)
    taken = Taken(source, wanted(since, project, min_calls), subagents, processes, not (quiet or no_progress))
    job = Job("", source, tuple(policy or ()), tuple(set_ or ()), counter, _known(provider), asked)
    _check(out, paths, taken, job, policy_, strict=strict, quiet=quiet)


def _check(
    out: Output, paths: Sequence[str], taken: Taken, job: Job, policy: NamedPolicy, *, strict: bool, quiet: bool
) -> None:
    """Check, write the report, and end with the exit code that the outcome has."""
    named, left_out = named_files(paths, taken)
    jobs = [_job(job, one) for one in named]
    out.check(FORMATS, (*(one.path for one in jobs), *taken.source.also, *job.policy) if out.file else ())
    found, interrupted = run(
        checked, jobs, taken.processes, "checking", lost=lost, finished=_is_checked, shown=taken.shown
    )
    results = [replace(one, strict=strict) for one in found if isinstance(one, SessionCheck)]
    skipped = [*(Skipped(one.path, one.why) for one in left_out), *(one for one in found if isinstance(one, Skipped))]
    _warn(results, [one for one in found if isinstance(one, Skipped)], quiet=quiet)
    report = _report(results, skipped, policy, paths, taken.source.words)
    out.write(replace(report, left=len(jobs) - len(found)))
    raise typer.Exit(INTERRUPTED if interrupted else _code(results))


def _job(job: Job, one: NamedFile) -> Job:
    return job._replace(name=one.name, source=one.source, in_folder=one.in_folder, wanted=one.wanted, words=one.words)


def _is_checked(one: SessionCheck | Skipped | None) -> bool:
    return isinstance(one, SessionCheck)


def _known(providers: Sequence[str] | None) -> tuple[str, ...]:
    """Return the providers that were asked for; raise UsageError for one that is not known."""
    if not providers:
        return ()
    from windowkeeper_cli.replay.acceptance.providers import provider_named

    return tuple(provider_named(name).name for name in providers)


def _report(
    results: Sequence[SessionCheck],
    skipped: Sequence[Skipped],
    policy: NamedPolicy,
    paths: Sequence[str],
    words: tuple[str, ...],
) -> Checked:
    """Return the report; raise InputError where no session was checked."""
    if not results:
        todo = "see the warnings above" if skipped else "ask for less with --since, --project and --min-calls"
        raise InputError("no session to check", todo, where=", ".join(paths))
    return Checked(tuple(results), policy, words, tuple(skipped))


def _warn(results: Sequence[SessionCheck], skipped: Sequence[Skipped], *, quiet: bool) -> None:
    for result in results:
        if result.error is not None:
            where = "" if result.error.startswith(result.path) else f"{result.path}: "
            warn(f"{where}{result.error}", quiet=quiet)
    warn_of_skips([Skip(one.path, f"left out: {one.why}") for one in skipped], quiet=quiet)


def _code(results: Iterable[SessionCheck]) -> int:
    """Return 2 where a file could not be loaded, else 1 where something does not hold, else 0."""
    codes = [WRONG if result.error is not None else 0 if result.ok else FAILED for result in results]
    return max(codes, default=0)


app = command_app(
    check,
    "windowkeeper check fixtures/redis-auth/transcript.json",
    "windowkeeper check fixtures/gate/sessions -p fixtures/gate/policy.toml",
    "windowkeeper check logs/*.jsonl -p policy.json --strict",
    "windowkeeper check logs --max gaps=2 --max itemsLost=0 --min cacheReuse=0.9 -f github",
    "windowkeeper check ~/.claude/projects --since 7d -j 4 -f junit -o check.xml",
    "windowkeeper check --battery -p fixtures/strategies/every_tenth.py:EveryTenth --times 50",
    formats=FORMATS,
    fails="an invariant is broken, a provider would reject a window, or a bound is missed",
)
