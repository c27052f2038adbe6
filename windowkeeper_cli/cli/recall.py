"""The command `recall`: the content behind an id, verbatim."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.loading import Source, counted, warn_of_findings
from windowkeeper_cli.cli.output import check_target, write_file, write_stdout
from windowkeeper_cli.cli.policies import one_policy
from windowkeeper_cli.cli.surroundings import encoding_of, is_terminal
from windowkeeper_cli.model.transcript import Transcript as Loaded
from windowkeeper_cli.render.escape import escape

Id = Annotated[
    str,
    typer.Argument(metavar="ID", help="An id or its beginning, of an item or of a notice.", show_default=False),
]
Raw = Annotated[
    bool,
    typer.Option("--raw", help="The bytes of the item's own record in the file.", rich_help_panel=options.SHOWN),
]


def recall(
    id_: Id,
    transcript: options.Transcript,
    raw: Raw = False,
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
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """The content behind an id, byte for byte into a pipe or a file, escaped on a terminal.

    The id of a notice gives what left the window by the last call, under the policy.
    """
    source = Source(transcript, tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    if output is not None:
        check_target(output, source.paths)
    loaded = source.load()
    warn_of_findings(loaded, transcript, quiet=quiet, verbose=verbose)
    from windowkeeper_cli.report.recalled import find_item, find_list, unknown_id
    from windowkeeper_cli.report.subject import Subject

    wanted = id_.lower()
    at = find_item(loaded, wanted)
    ats: tuple[int, ...] | None = None if at is None else (at,)
    if ats is None:
        subject = Subject(transcript, loaded, counted(loaded, counter), one_policy(policy, set_))
        ats = find_list(subject, wanted)
    if ats is None:
        raise unknown_id(loaded, id_)
    _write(_content(loaded, ats, is_list=at is None, raw=raw), output)


def _content(transcript: Loaded, ats: Sequence[int], *, is_list: bool, raw: bool) -> bytes:
    from windowkeeper_cli.render.json_document import without_surrogates
    from windowkeeper_cli.report.recalled import content, listing, raw_bytes

    if raw:
        return raw_bytes(transcript, ats)
    text = listing(transcript, ats) if is_list else content(transcript, ats[0])
    return without_surrogates(text).encode()


def _write(body: bytes, output: str | None) -> None:
    """Write to a file or a pipe as it is, to a terminal escaped, there with a line end."""
    if output is not None:
        write_file(output, [body])
    elif is_terminal(sys.stdout):
        encoding = encoding_of(sys.stdout)
        text = escape(body.decode("utf-8", "replace"), keep="\n\t", encoding=encoding)
        write_stdout([(text if text.endswith("\n") else text + "\n").encode(encoding, "backslashreplace")])
    else:
        write_stdout([body])


app = command_app(
    recall,
    "windowkeeper recall 111a243fcbde fixtures/redis-auth/transcript.json",
    "windowkeeper recall c2d7 latest --raw > record.json",
)
