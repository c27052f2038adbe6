"""The command `explain`: the window at a call, and the decisions behind it."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.archives import archive_at, require_apart
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.model.errors import UsageError

FORMATS = ("table", "json", "jsonl", "csv")
All = Annotated[
    bool,
    typer.Option("--all", help="Every visit that engaged; with -f jsonl the ledger.", rich_help_panel=options.SHOWN),
]
New = Annotated[bool, typer.Option("--new", help="Only what this call decided.", rich_help_panel=options.SHOWN)]
Cold = Annotated[
    bool,
    typer.Option("--cold", help="As if no call had come before this one.", rich_help_panel=options.SHOWN),
]


def explain(
    transcript: options.Transcript,
    call: options.At = "next",
    every: All = False,
    new: New = False,
    cold: Cold = False,
    all_rows: options.AllRows = False,
    policy: options.PolicyName = None,
    set_: options.Set = None,
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
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """The window at one call and every decision in force there, new ones first."""
    if every and (call != "next" or new or cold):
        raise UsageError("--all does not go with --call, --new or --cold", "leave one of them out")
    if cold and archive:
        raise UsageError("--archive does not go with --cold", "leave one of them out")
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    require_apart(archive, output)
    out = Output(format_, output, color, width)
    subject, number = asked(Wanted(source, out, policy, set_, counter, call, FORMATS, True, quiet, verbose))
    from windowkeeper_cli.report.explain_visits import at_call, every_visit

    with archive_at(archive, writes=True, quiet=quiet) as kept:
        if every:
            report = every_visit(subject, all_rows=all_rows, archive=kept)
        else:
            report = at_call(subject, number, only_new=new, cold=cold, all_rows=all_rows, archive=kept)
    out.write(report)


app = command_app(
    explain,
    "windowkeeper explain fixtures/redis-auth/transcript.json -p fixtures/redis-auth/policy.json",
    "windowkeeper explain latest --call replan",
    "windowkeeper explain latest --set budget.max=60000 --all -f jsonl -o ledger.jsonl",
    formats=FORMATS,
)
