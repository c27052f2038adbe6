"""The command `check`: the ten invariants at every call of one or more transcripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.loading import Source, counted
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.policies import one_policy
from windowkeeper_cli.cli.progress import watched
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.model.errors import InputError, UnmeasurableError
from windowkeeper_cli.report.check import Checked, SessionCheck
from windowkeeper_cli.report.subject import NamedPolicy, path_of

FAILED, WRONG = 1, 2
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="TRANSCRIPT...",
        help="Transcripts: files, -, latest, or beginnings of session ids.",
        show_default=False,
    ),
]
StrictFindings = Annotated[
    bool,
    typer.Option("--strict", help="Findings of a log itself fail too.", rich_help_panel=options.LOADING),
]


def check(
    paths: Paths,
    policy: options.PolicyName = None,
    set_: options.Set = None,
    strict: StrictFindings = False,
    from_: options.From = None,
    root: options.Root = None,
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

    Ends with 1 where something does not hold, with 2 where a file could not be loaded; the others are checked.
    """
    out = Output(format_, output, color, width)
    named = one_policy(policy, set_)
    out.check(("table", "json", "csv"), (*paths, *(policy or ())) if output else ())
    sources = [Source(path, format=from_, root=root) for path in paths]
    results: list[SessionCheck] = []
    for source in watched(sources, "checking", shown=not (quiet or no_progress)):
        result = replace(_checked(source, named, counter), strict=strict)
        if result.error is not None:
            where = "" if result.error.startswith(result.path) else f"{result.path}: "
            warn(f"{where}{result.error}", quiet=quiet)
        results.append(result)
    words = () if from_ is None else ("--from", from_)
    report = Checked(tuple(results), named, words)
    out.write(report)
    raise typer.Exit(_code(results))


def _code(results: Iterable[SessionCheck]) -> int:
    """Return 2 where a file could not be loaded, else 1 where something does not hold, else 0."""
    codes = [WRONG if result.error is not None else 0 if result.ok else FAILED for result in results]
    return max(codes, default=0)


def _checked(source: Source, policy: NamedPolicy, counter: str) -> SessionCheck:
    """Return what a check of one transcript found; one that cannot be loaded or measured is a result with an error."""
    from windowkeeper_cli.replay.checking import check_session

    try:
        transcript = source.load()
    except InputError as error:
        return SessionCheck(source.name, error=str(error))
    try:
        found = check_session(transcript, counted(transcript, counter), policy.settings, policy.make)
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


app = command_app(
    check,
    "windowkeeper check fixtures/redis-auth/transcript.json",
    "windowkeeper check logs/*.jsonl -p policy.json --strict",
)
