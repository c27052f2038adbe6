"""The command `replay`: what several policies would have sent, over one session, several, or a folder of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli import replay_options as own
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.compared import compared, default_limit, lifetime_of, place_of, tokens_of
from windowkeeper_cli.cli.folders import Wanted, wanted
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.parallel import shared
from windowkeeper_cli.cli.progress import by_bytes
from windowkeeper_cli.cli.replaying import Done, Job, Terms, replayed
from windowkeeper_cli.cli.stderr import complain, warn
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.replay.tariff import Tariff
from windowkeeper_cli.report.heading import STDIN
from windowkeeper_cli.report.replay import ReplayReport, SessionReplay, Skip
from windowkeeper_cli.report.replay import Terms as Common
from windowkeeper_cli.report.subject import NamedPolicy

FORMATS = ("table", "json", "jsonl", "csv")
INTERRUPTED = 130
WARNED = 10
"""Files left out that have a warning of their own; more are counted."""


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
    processes: options.Processes = 1,
    from_: options.From = None,
    root: options.Root = None,
    counter: options.Counter = "auto",
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
    filters, shown = wanted(since, project, min_calls), not (quiet or no_progress)
    terms = _terms(paths, policy, set_, limit, cache_ttl, against, model)
    terms = terms._replace(counter=counter, by_call=by_call, shown=shown, quiet=quiet, verbose=verbose)
    terms = terms._replace(wanted=filters, loading=_loading(counter, from_, root))
    named, skips = _named(paths, root, filters)
    out.check(FORMATS, (*(path for _, path in named), *terms.names) if output else ())
    done, interrupted = _replay([Job(*names, from_, terms) for names in named], processes, shown=shown)
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
    one = len(paths) == 1 and not _is_folder(paths[0])
    place_of(against, compared(names, sets, one=one))
    return Terms(
        names,
        sets,
        limit=default_limit(sets) if assumed else tokens,
        assumed=assumed,
        ttl=lifetime,
        tariff=None if model is None else _tariff(model, ttl),
        one=one,
        words=_words(limit, ttl, model),
    )


def _tariff(model: str, ttl: str) -> Tariff:
    from windowkeeper_cli.cli.prices import tariff_of

    return tariff_of(model, ttl, datetime.now(UTC).date())


def _report(
    done: Sequence[Done], terms: Terms, skips: Sequence[Skip], left: int, against: str | None, paths: Sequence[str]
) -> ReplayReport:
    """Return the report on what was replayed; raise where nothing was."""
    bad = [each.skip for each in done if each.skip is not None]
    _warn(bad, quiet=terms.quiet or terms.one)
    found = tuple(each.session for each in done if each.session is not None)
    if not found:
        raise _nothing(done, paths, len(skips))
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


def _named(paths: Sequence[str], root: str | None, filters: Wanted) -> tuple[list[tuple[str, str]], list[Skip]]:
    """Return the names and files of all sessions, those of folders by path, and what of folders is left out."""
    from windowkeeper_cli.formats.folder import session_files

    named: list[tuple[str, str]] = []
    skips: list[Skip] = []
    for name in paths:
        if not _is_folder(name):
            named.append((name, Source(name, root=root).path()))
            continue
        folder = session_files(name)
        skips += [Skip(one.path, one.why, damaged=False) for one in folder.skipped]
        for file in folder.sessions:
            if file.copy_of is not None:
                skips.append(Skip(file.path, f"a copy of {file.copy_of}", damaged=False))
            elif filters.may_fit(file):
                named.append((file.path, file.path))
    known: dict[str, None] = {}
    once: list[tuple[str, str]] = []
    for name, path in named:
        real = os.path.realpath(path)
        if real in known:
            skips.append(Skip(path, "named twice", damaged=False))
        else:
            known[real] = None
            once.append((name, path))
    return once, skips


def _is_folder(name: str) -> bool:
    try:
        return name != STDIN and Path(name).is_dir()
    except (OSError, ValueError):
        return False


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return 0


def _replay(jobs: list[Job], processes: int, *, shown: bool) -> tuple[list[Done], bool]:
    """Return what became of the sessions, in order, and whether the user broke it off after the first one."""
    done: dict[int, Done] = {}
    sizes = [_size(job.path) for job in jobs]
    interrupted = False
    with by_bytes("replaying", sum(sizes), shown=shown and len(jobs) > 1) as advance:
        try:
            for place, result in shared(replayed, jobs, processes):
                done[place] = result
                advance(sizes[place])
        except KeyboardInterrupt:
            if not any(one.session is not None for one in done.values()):
                raise
            interrupted = True
    return [one for _, one in sorted(done.items())], interrupted


def _nothing(done: Sequence[Done], paths: Sequence[str], skips: int) -> Exception:
    """Return the error of a replay without any session."""
    errors = [one.error for one in done if one.error is not None]
    if len(errors) == 1 and len(done) == 1:
        return errors[0]
    where = ", ".join(paths)
    if errors:
        return UsageError(f"none of {len(errors):,} sessions can be replayed", "see the warnings above", where=where)
    more = f" ({skips:,} left out)" if skips else ""
    return UsageError(f"no session there fits{more}", "ask for less with --since, --project, --min-calls", where=where)


def _first_to_run(found: Sequence[SessionReplay]) -> int:
    """Return the place of the first policy that ran on any session, the first of all where none did."""
    places = range(len(found[0].rows))
    return next((place for place in places if any(one.rows[place].costs for one in found)), 0)


def _require_a_row(report: ReplayReport) -> None:
    rows = report.rows()
    if all(row.costs is None for row in rows):
        why = "; ".join(dict.fromkeys(f"{row.policy}: {row.refused}" for row in rows))
        raise UsageError(f"no policy could be replayed: {why}")


def _warn(bad: Sequence[Skip], *, quiet: bool) -> None:
    for one in bad[:WARNED]:
        warn(f"{one.path}: {one.why}", quiet=quiet)
    if len(bad) > WARNED:
        warn(f"{len(bad) - WARNED:,} more files are left out; -f json names them", quiet=quiet)


def _words(limit: str | None, ttl: str, model: str | None) -> tuple[str, ...]:
    given = (("--limit", limit), ("--cache-ttl", None if ttl == "off" else ttl), ("--model", model))
    return tuple(word for option, value in given if value is not None for word in (option, value))


def _loading(counter: str, from_: str | None, root: str | None) -> tuple[str, ...]:
    given = (("--counter", None if counter == "auto" else counter), ("--from", from_), ("--root", root))
    return tuple(word for option, value in given if value is not None for word in (option, value))


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
)
