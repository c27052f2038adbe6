"""The command `refusals`: what was asked to leave and stayed, by named reason."""

from __future__ import annotations

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output

FORMATS = ("table", "json", "csv")


def refusals(
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
    """What refused to leave the window and why, the visits that removed nothing, and what wedged."""
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    out = Output(format_, output, color, width)
    subject, number = asked(Wanted(source, out, policy, set_, counter, call, FORMATS, False, quiet, verbose))
    from windowkeeper_cli.report.refusals import refused

    out.write(refused(subject, number, all_rows=all_rows))


app = command_app(
    refusals,
    "windowkeeper refusals fixtures/small-explain/transcript.json -p fixtures/small-explain/policy.json",
    "windowkeeper refusals fixtures/small-explain/transcript.json "
    "-p sliding-window --set slidingWindow.keepRecentTurns=4",
    "windowkeeper refusals latest --set budget.max=60000 -f json",
    formats=FORMATS,
)
