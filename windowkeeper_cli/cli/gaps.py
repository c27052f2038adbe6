"""The command `gaps`: what was used after every source of it had left."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.complete import gap_kinds
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output

FORMATS = ("table", "json", "jsonl", "csv")
Kind = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="Only this kind: re-read, identifier, mention, constraint, request-lost; unsourced is looked for only "
        "here; repeatable.",
        rich_help_panel=options.SHOWN,
        autocompletion=gap_kinds,
    ),
]


def gaps(
    transcript: options.Transcript,
    kind: Kind = None,
    call: options.UpTo = "next",
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
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """What was used after every source of it had left the window: at least these, each with its evidence."""
    from windowkeeper_cli.replay.gaps import GAP_KINDS

    for name in kind or ():
        GAP_KINDS.module(name)
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    out = Output(format_, output, color, width)
    subject, number = asked(Wanted(source, out, policy, set_, counter, call, FORMATS, True, quiet, verbose))
    from windowkeeper_cli.report.gaps import gaps as evidence_gaps

    out.write(evidence_gaps(subject, number, tuple(kind or ()), all_rows=all_rows))


app = command_app(
    gaps,
    "windowkeeper gaps fixtures/small-explain/transcript.json -p fixtures/small-explain/policy.json",
    "windowkeeper gaps latest --set budget.max=60000 --kind re-read",
    "windowkeeper gaps latest -p recorded -f csv -o gaps.csv",
    formats=FORMATS,
)
