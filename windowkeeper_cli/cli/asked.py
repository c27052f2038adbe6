"""What a command that speaks of one transcript under one policy was asked, loaded and ready to be reported on."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.cli.loading import Source, counted, warn_of_findings
from windowkeeper_cli.cli.moments import before_it_began, call_number
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.policies import one_policy, or_recorded
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.subject import Subject


class Wanted(NamedTuple):
    """The options that such commands share, as they were typed.

    `formats` are those that the command can write; `recorded` says whether it shows the harness's own removals
    where nobody chose a policy.
    """

    source: Source
    out: Output
    policy: Sequence[str] | None
    sets: Sequence[str] | None
    counter: str
    call: str
    formats: tuple[str, ...]
    recorded: bool
    quiet: bool
    verbose: bool


def asked(wanted: Wanted) -> tuple[Subject, int | None]:
    """Return the subject and the call asked for; wrong options are said before the transcript is read.

    Raises what loading, policies and calls raise.
    """
    source = wanted.source
    named = one_policy(wanted.policy, wanted.sets)
    wanted.out.check(wanted.formats, (*source.paths, *(wanted.policy or ())) if wanted.out.file else ())
    loaded = source.load()
    warn_of_findings(loaded, source.name, quiet=wanted.quiet, verbose=wanted.verbose)
    number = call_number(wanted.call, loaded)
    if doubt := before_it_began(wanted.call, loaded):
        warn(doubt, quiet=wanted.quiet)
    if wanted.recorded:
        named = or_recorded(named, loaded)
    return Subject(source.name, loaded, counted(loaded, wanted.counter), named, source.words), number
