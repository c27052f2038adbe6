"""The command `dropped`: which tool results left, when, and by which rule."""

from __future__ import annotations

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output

FORMATS = ("table", "json", "jsonl", "csv")


def dropped(
    transcript: options.Transcript,
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
    """Which tool results left the window, when, by which rule, and how they can be had again."""
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    out = Output(format_, output, color, width)
    subject, number = asked(Wanted(source, out, policy, set_, counter, call, FORMATS, True, quiet, verbose))
    from windowkeeper_cli.report.dropped import dropped as dropped_observations

    out.write(dropped_observations(subject, number, all_rows=all_rows))


app = command_app(
    dropped,
    "windowkeeper dropped fixtures/small-explain/transcript.json -p fixtures/small-explain/policy.json",
    "windowkeeper dropped latest -p anthropic-clear-tool-uses",
    "windowkeeper dropped latest --set budget.max=60000 -f csv -o dropped.csv",
    formats=FORMATS,
)
