"""The command `trace`: the life of one item, file or text."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output

FORMATS = ("table", "json", "csv")
What = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help="An id or its beginning, a path or the end of one, or any text, which is looked for exactly.",
        show_default=False,
    ),
]


def trace(
    transcript: options.Transcript,
    what: What,
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
    """The life of one item, file or text: is it in the window at a call, when did it leave, what still names it."""
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    out = Output(format_, output, color, width)
    subject, number = asked(Wanted(source, out, policy, set_, counter, call, FORMATS, True, quiet, verbose))
    from windowkeeper_cli.report.trace import trace as life_of

    out.write(life_of(subject, what, number, all_rows=all_rows))


app = command_app(
    trace,
    "windowkeeper trace fixtures/small-explain/transcript.json logs/d2.log -p fixtures/small-explain/policy.json",
    "windowkeeper trace latest paths.go --call 212",
    "windowkeeper trace latest c2d7 -p windowkeeper --set budget.max=60000",
    formats=FORMATS,
)
