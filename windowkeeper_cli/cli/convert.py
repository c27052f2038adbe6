"""The command `convert`: a transcript in another format."""

from __future__ import annotations

from windowkeeper_cli.cli import options, written
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.loading import Source, warn_of_findings
from windowkeeper_cli.report.subject import path_of


def convert(
    transcript: options.Transcript,
    to: written.To,
    also: options.Also = None,
    from_: options.From = None,
    agent: options.Agent = None,
    part: options.PartNumber = None,
    root: options.Root = None,
    strict: options.Strict = False,
    output: options.Output = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    _debug: options.Debug = False,
) -> None:
    """The transcript in another format, faults and all; what that one cannot hold is named on standard error.

    windowkeeper holds everything: items with their ids, calls, usage, times, recorded removals.
    """
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict)
    written.check(to, output, source.paths if output else ())
    loaded = source.load()
    warn_of_findings(loaded, transcript, quiet=quiet, verbose=verbose)
    from windowkeeper_cli.formats.writers.written import converted

    written.write(converted(loaded, to), output, name=path_of(transcript, loaded), target=to, quiet=quiet)


app = command_app(
    convert,
    "windowkeeper convert fixtures/redis-auth/transcript.json --to anthropic",
    "windowkeeper convert latest --to windowkeeper -o session.json",
)
