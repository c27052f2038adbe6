"""The command `diff`: two policies on one session down to the items, or on a folder of sessions in figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli import replay_options as shared
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.batch import INTERRUPTED, is_done, nothing_done, run, warn_of_skips
from windowkeeper_cli.cli.compared import lifetime_of, loading_words, pair, tariff_for, term_words, tokens_of
from windowkeeper_cli.cli.diffing import Diffed, DiffJob, diffed, lost
from windowkeeper_cli.cli.folders import wanted
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.named import Taken, is_folder, named_files, require_one
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.replaying import Job, Terms
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.diff import DiffReport
from windowkeeper_cli.report.diff_figures import JUDGED
from windowkeeper_cli.report.diff_keys import key_changes
from windowkeeper_cli.report.replay import ReplayReport, Skip
from windowkeeper_cli.report.replay import Terms as Common

FORMATS = ("table", "json", "csv")
FAILED = 1
NEXT = "next"
Target = Annotated[
    str,
    typer.Argument(
        metavar="TRANSCRIPT|FOLDER",
        help="A file, - for standard input, latest, the beginning of a session id, or a folder of session logs.",
        show_default=False,
        autocompletion=options.transcripts,
    ),
]
Both = Annotated[
    list[str] | None,
    typer.Option(
        "-p",
        "--policy",
        metavar="POLICY",
        help="A policy file, a built-in name, recorded or a strategy of your own; twice: the first is A, the other B.",
        rich_help_panel=options.POLICY,
        autocompletion=options.policies,
    ),
]
SetBoth = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override one key of both policies, as budget.max=60000; repeatable.",
        rich_help_panel=options.POLICY,
        autocompletion=options.policy_keys,
    ),
]
SetB = Annotated[
    list[str] | None,
    typer.Option(
        "--set-b",
        metavar="KEY=VALUE",
        help="Override one key of B alone; with one -p, B is that policy so changed; repeatable.",
        rich_help_panel=options.POLICY,
        autocompletion=options.policy_keys,
    ),
]
Ever = Annotated[
    bool,
    typer.Option(
        "--all", help="Items that one side had in full and the other not at any call.", rich_help_panel=options.SHOWN
    ),
]
ExitCode = Annotated[
    bool,
    typer.Option(
        "--exit-code", help="Exit with 1 where the windows differ at any call.", rich_help_panel=options.OUTPUT
    ),
]
FailWorse = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-worse",
        metavar="FIGURE",
        help="Exit with 1 where this figure is worse in B, as itemsLost; repeatable.",
        rich_help_panel=options.OUTPUT,
        autocompletion=lambda incomplete: [name for name in JUDGED if name.startswith(incomplete)],
    ),
]


def diff(
    target: Target,
    policy: Both = None,
    set_: SetBoth = None,
    set_b: SetB = None,
    limit: shared.Limit = None,
    cache_ttl: shared.CacheTtl = "off",
    call: options.At = NEXT,
    ever: Ever = False,
    all_rows: options.AllRows = False,
    model: shared.Model = None,
    exit_code: ExitCode = False,
    fail_worse: FailWorse = None,
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
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """Two policies side by side: the keys and figures that differ, where their windows part, which items differ."""
    out = Output(format_, output, color, width)
    source = Source(target, tuple(also or ()), from_, agent, part, root, strict)
    require_one((target,), (("--call", call != NEXT), ("--all", ever), ("--all-rows", all_rows)))
    taken = Taken(source, wanted(since, project, min_calls), subagents, processes, not (quiet or no_progress))
    chosen = Chosen(target, taken, tuple(set_b or ()), call, ever, all_rows)
    terms = Terms(tuple(policy or ()), tuple(set_ or ()), counter, tokens_of(limit), lifetime_of(cache_ttl))
    terms = terms._replace(words=term_words(limit, cache_ttl, model), wanted=taken.wanted)
    terms = terms._replace(shown=taken.shown, quiet=quiet, verbose=verbose, one=not is_folder(target))
    terms = terms._replace(tariff=tariff_for(model, cache_ttl), loading=loading_words(counter, source))
    _compare(out, chosen, terms, fail_worse or (), exit_code=exit_code)


class Chosen(NamedTuple):
    """What is to be compared: `taken` is how the target's sessions are read; `sets_b` change B alone."""

    target: str
    taken: Taken
    sets_b: tuple[str, ...]
    call: str
    ever: bool
    all_rows: bool


def _compare(out: Output, chosen: Chosen, terms: Terms, fail_worse: Sequence[str], *, exit_code: bool) -> None:
    """Compare, write the report, and end with the exit code that the outcome has."""
    out.check(FORMATS)
    pair(terms.names, terms.sets, chosen.sets_b)
    _check_figures(fail_worse)
    named, skips = named_files((chosen.target,), chosen.taken)
    out.check(FORMATS, (*(one.path for one in named), *chosen.taken.source.also, *terms.names) if out.file else ())
    terms = terms._replace(told=out.format == "html" and len(named) == 1)
    jobs = [
        DiffJob(Job(one.name, one.path, one.source, terms, one.words), chosen.sets_b, chosen.call, chosen.ever)
        for one in named
    ]
    done, interrupted = run(
        diffed, jobs, chosen.taken.processes, "comparing", lost=lost, finished=is_done, shown=terms.shown
    )
    report = _report(done, terms, skips, len(jobs) - len(done), chosen)
    failed = _worse(report, fail_worse) or (exit_code and not report.equal)
    out.write(report)
    if interrupted or failed:
        raise typer.Exit(INTERRUPTED if interrupted else FAILED)


def _check_figures(names: Sequence[str]) -> None:
    for name in names:
        if name not in JUDGED:
            raise UsageError(f"--fail-worse {name}: no figure that can be worse", f"use one of {', '.join(JUDGED)}")


def _report(done: Sequence[Diffed], terms: Terms, skips: Sequence[Skip], left: int, chosen: Chosen) -> DiffReport:
    """Return the report on what was compared; raise where nothing was."""
    bad = [each.skip for each in done if each.skip is not None]
    warn_of_skips(bad, quiet=terms.quiet or terms.one)
    found = [each for each in done if each.session is not None]
    if not found:
        raise nothing_done(done, (chosen.target,), len(skips), "compared")
    sessions = tuple(each.session for each in found if each.session is not None)
    policies = pair(terms.names, terms.sets, chosen.sets_b)
    common = Common(terms.limit, ttl=terms.ttl, words=terms.words, loading=terms.loading, tariff=terms.tariff)
    replay = ReplayReport(policies, sessions, common, (*bad, *skips), left, len(done) - len(found) - len(bad))
    keys = key_changes(*policies, terms.limit)
    return DiffReport(replay, keys, tuple(each.parted for each in found), found[0].one, chosen.sets_b, chosen.all_rows)


def _worse(report: DiffReport, names: Sequence[str]) -> bool:
    """Return whether one of the figures is worse in B; raise UsageError where one was not measured on both sides."""
    found = {figure.figure: figure for figure in report.figures()}
    for name in names:
        if found[name].change is None:
            todo = "give --model for its prices" if name == "money" else "name another figure"
            raise UsageError(f"--fail-worse {name}: not measured on both sides", todo)
    return any(found[name].better is False for name in names)


app = command_app(
    diff,
    "windowkeeper diff fixtures/redis-auth/transcript.json -p none -p fixtures/redis-auth/policy.json",
    "windowkeeper diff latest -p recorded -p windowkeeper --call 212",
    "windowkeeper diff latest -p team.json --set-b toolResults.evictAfterTurns=4 -f md",
    "windowkeeper diff logs/ -p old.json -p new.json --fail-worse itemsLost --fail-worse costWeighted",
    formats=FORMATS,
    fails="the windows differ (--exit-code), or a figure is worse in B (--fail-worse)",
)
