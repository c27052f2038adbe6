"""The command `info`: what was loaded."""

from __future__ import annotations

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.loading import Source, counted, warn_of_findings
from windowkeeper_cli.cli.output import Output

FORMATS = ("table", "json", "csv")


def info(
    transcript: options.Transcript,
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
    """What was loaded: format and why, files, calls, turns, usage, tools, events, findings."""
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    out = Output(format_, output, color, width)
    out.check(FORMATS, source.paths if output else ())
    loaded = source.load()
    warn_of_findings(loaded, transcript, quiet=quiet, verbose=verbose)
    from windowkeeper_cli.report.info import info_facts
    from windowkeeper_cli.report.info_page import Info

    counts = counted(loaded, counter)
    facts = info_facts(loaded, counts)
    out.write(Info(transcript, loaded, facts, counts, source.words))


app = command_app(
    info,
    "windowkeeper info fixtures/redis-auth/transcript.json",
    "windowkeeper info latest -f json",
    formats=FORMATS,
)
