"""The command `replay`: what several policies would have sent, over one session, several, or a folder of them."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli import replay_options as own
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.archives import require_apart
from windowkeeper_cli.cli.batch import INTERRUPTED, is_done, nothing_done, run, warn_of_skips
from windowkeeper_cli.cli.compared import (
    compared,
    default_limit,
    lifetime_of,
    loading_words,
    place_of,
    tariff_for,
    term_words,
    tokens_of,
)
from windowkeeper_cli.cli.folders import wanted
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.named import Taken, is_folder, named_files
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.replaying import Done, Job, Terms, lost, replayed
from windowkeeper_cli.cli.stderr import complain
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.replay import ReplayReport, SessionReplay, Skip
from windowkeeper_cli.report.replay import Terms as Common
from windowkeeper_cli.report.subject import NamedPolicy

FORMATS = ("table", "json", "jsonl", "csv")


def replay(
    paths: own.Paths,
    policy: own.Policies = None,
    set_: options.Set = None,
    limit: own.Limit = None,
    cache_ttl: own.CacheTtl = "off",
    against: own.Against = None,
    model: own.Model = None,
    by_call: own.ByCall = False,
    since: options.Since = None,
    project: options.Project = None,
    min_calls: options.MinCalls = 0,
    subagents: options.Subagents = False,
    processes: options.Processes = 1,
    also: options.Also = None,
    from_: options.From = None,
    agent: options.Agent = None,
    part: options.PartNumber = None,
    root: options.Root = None,
    strict: options.Strict = False,
    counter: options.Counter = "auto",
    archive: options.Archive = None,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    timing: own.Timing = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """What each policy would have sent at every call: tokens, cache reuse, cost, items lost.

    Without -p one session is replayed under the usual strategies, several under what their harness did and the
    default policy. A file that cannot be read is named, and stops nothing.
    """
    out = Output(format_, output, color, width)
    out.check(FORMATS)
    terms = _terms(paths, policy, set_, limit, cache_ttl, against, model)._replace(counter=counter, by_call=by_call)
    terms = terms._replace(shown=not (quiet or no_progress), quiet=quiet, verbose=verbose, archive=archive)
    source = Source("", tuple(also or ()), from_, agent, part, root, strict)
    terms = terms._replace(wanted=wanted(since, project, min_calls), loading=loading_words(counter, source))
    taken = Taken(source, terms.wanted, subagents, processes, terms.shown)
    _replay(out, paths, taken, terms, against, timing=timing)


def _replay(
    out: Output, paths: Sequence[str], taken: Taken, terms: Terms, against: str | None, *, timing: bool
) -> None:
    """Replay, write the report, and end with the exit code that the outcome has."""
    require_apart(terms.archive, out.file)
    named, skips = named_files(paths, taken)
    out.check(FORMATS, (*(one.path for one in named), *taken.source.also, *terms.names) if out.file else ())
    terms = terms._replace(told=out.format == "html" and len(named) == 1)
    jobs = [Job(one.name, one.path, one.source, terms, one.words) for one in named]
    done, interrupted = run(
        replayed, jobs, taken.processes, "replaying", lost=lost, finished=is_done, shown=terms.shown
    )
    report = _report(done, terms, skips, len(named) - len(done), against, paths)
    _say_times(done, report.policies if timing else ())
    out.write(report)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _terms(
    paths: Sequence[str],
    policy: Sequence[str] | None,
    set_: Sequence[str] | None,
    limit: str | None,
    ttl: str,
    against: str | None,
    model: str | None,
) -> Terms:
    """Return the terms of a replay; the default policy's limit where neither policies nor a limit are given.

    Raises UsageError or PolicyError where the arguments do not fit together.
    """
    names, sets = tuple(policy or ()), tuple(set_ or ())
    tokens, lifetime = tokens_of(limit), lifetime_of(ttl)
    assumed = tokens is None and not names
    one = len(paths) == 1 and not is_folder(paths[0])
    place_of(against, compared(names, sets, one=one))
    return Terms(
        names,
        sets,
        limit=default_limit(sets) if assumed else tokens,
        assumed=assumed,
        ttl=lifetime,
        tariff=tariff_for(model, ttl),
        one=one,
        words=term_words(limit, ttl, model),
    )


def _report(
    done: Sequence[Done], terms: Terms, skips: Sequence[Skip], left: int, against: str | None, paths: Sequence[str]
) -> ReplayReport:
    """Return the report on what was replayed; raise where nothing was."""
    bad = [each.skip for each in done if each.skip is not None]
    warn_of_skips(bad, quiet=terms.quiet or terms.one)
    found = tuple(each.session for each in done if each.session is not None)
    if not found:
        raise nothing_done(done, paths, len(skips), "replayed")
    names = {row.name for row in found[0].rows}
    policies = tuple(each for each in compared(terms.names, terms.sets, one=terms.one) if each.name in names)
    base = _first_to_run(found) if against is None else place_of(against, policies)
    common = Common(
        terms.limit,
        terms.assumed,
        terms.ttl,
        base,
        terms.by_call,
        not terms.names,
        terms.words,
        terms.loading,
        terms.tariff,
    )
    report = ReplayReport(policies, found, common, (*bad, *skips), left, len(done) - len(found) - len(bad))
    _require_a_row(report)
    return report


def _first_to_run(found: Sequence[SessionReplay]) -> int:
    """Return the place of the first policy that ran on any session, the first of all where none did."""
    places = range(len(found[0].rows))
    return next((place for place in places if any(one.rows[place].costs for one in found)), 0)


def _require_a_row(report: ReplayReport) -> None:
    rows = report.rows()
    if all(row.costs is None for row in rows):
        why = "; ".join(dict.fromkeys(f"{row.policy}: {row.refused}" for row in rows))
        raise UsageError(f"no policy could be replayed: {why}")


def _say_times(done: Sequence[Done], policies: Sequence[NamedPolicy]) -> None:
    if not policies:
        return
    complain(f"timing: loading {sum(one.loading for one in done):.3f} s")
    for place, policy in enumerate(policies):
        spent = sum(one.seconds[place] for one in done if one.seconds)
        complain(f"timing: {policy.name} {spent:.3f} s")


app = command_app(
    replay,
    "windowkeeper replay fixtures/redis-auth/transcript.json --limit 5k",
    "windowkeeper replay latest --limit 60k --cache-ttl 5m -p none -p windowkeeper -p windowkeeper-idle",
    "windowkeeper replay ~/.claude/projects --min-calls 30 -j 4 -f json -o replay.json",
    "windowkeeper replay latest --by-call -f csv -o calls.csv",
    formats=FORMATS,
)
