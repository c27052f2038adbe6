"""The command `window`: what the model sees at a call, as a request body."""

from __future__ import annotations

from windowkeeper_cli.cli import options, written
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.stderr import warn


def window(
    transcript: options.Transcript,
    to: written.To,
    call: options.At = "next",
    policy: options.PolicyName = None,
    set_: options.Set = None,
    also: options.Also = None,
    from_: options.From = None,
    agent: options.Agent = None,
    part: options.PartNumber = None,
    root: options.Root = None,
    strict: options.Strict = False,
    counter: options.Counter = "auto",
    output: options.Output = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    _debug: options.Debug = False,
) -> None:
    """The window at one call as a request body that the provider accepts; each change made for it is named.

    What no transcript says is yours to add: the tools' schemas, and how long the answer may be.
    """
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict)
    written.check(to, output, source.paths if output else ())
    shared = Wanted(source, Output("json"), policy, set_, counter, call, ("json",), True, quiet, verbose)
    subject, number = asked(shared)
    from windowkeeper_cli.formats.writers.written import requested, to_add
    from windowkeeper_cli.replay.window import window_at
    from windowkeeper_cli.report.explain_visits import last_deciding, session_of

    number = last_deciding(subject) if number is None else number
    seen = window_at(session_of(subject), number)
    made = requested(seen, to, call=subject.transcript.all_calls()[number - 1])
    written.write(made, output, name=subject.path, target=to, quiet=quiet)
    missing = to_add(made, to)
    if missing:
        warn(f"{subject.path}: to {to}: to be added before it is sent: {missing}", quiet=quiet)


app = command_app(
    window,
    "windowkeeper window fixtures/redis-auth/transcript.json --to anthropic -p fixtures/redis-auth/policy.json",
    "windowkeeper window latest --to openai-responses --call replan -o body.json",
)
