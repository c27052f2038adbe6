"""The command `recall`: the content behind an id, verbatim."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.archives import recalled_from, require_alone
from windowkeeper_cli.cli.asked import Wanted, asked
from windowkeeper_cli.cli.complete import transcripts
from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.moments import call_number
from windowkeeper_cli.cli.output import Output, write_file, write_stdout
from windowkeeper_cli.cli.policies import one_policy, or_recorded
from windowkeeper_cli.cli.surroundings import encoding_of, is_terminal
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.report.recall import Recalled
from windowkeeper_cli.report.subject import Subject

Id = Annotated[
    str,
    typer.Argument(metavar="ID", help="An id or its beginning, of an item, a notice or a summary.", show_default=False),
]
Raw = Annotated[
    bool,
    typer.Option("--raw", help="The bytes of the item's own record in the file.", rich_help_panel=options.SHOWN),
]
Transcript = Annotated[
    str | None,
    typer.Argument(
        metavar="TRANSCRIPT",
        help="A file, - for standard input, latest, latest~2, or the beginning of a session id; none with --archive.",
        show_default=False,
        autocompletion=transcripts,
    ),
]
Archive = Annotated[
    str | None,
    typer.Option(
        "--archive",
        metavar="PATH",
        help="Look in the archive at PATH, a folder or a file; --raw then gives what the id is the SHA-256 of.",
        rich_help_panel=options.LOADING,
    ),
]
FORMATS = ("table", "json")
NEXT = "next"
Format = Annotated[
    str | None,
    typer.Option(
        "-f",
        "--format",
        metavar="FORMAT",
        help="What it is as well, without it the content alone. One of",
        rich_help_panel=options.OUTPUT,
        autocompletion=options.formats_out,
    ),
]


def recall(
    id_: Id,
    transcript: Transcript = None,
    raw: Raw = False,
    archive: Archive = None,
    call: options.UpTo = NEXT,
    policy: options.PolicyName = None,
    set_: options.Set = None,
    also: options.Also = None,
    from_: options.From = None,
    agent: options.Agent = None,
    part: options.PartNumber = None,
    root: options.Root = None,
    strict: options.Strict = False,
    counter: options.Counter = "auto",
    format_: Format = None,
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """The content behind an id, byte for byte into a pipe or a file, escaped on a terminal.

    The id of a notice or summary gives all that had left behind it by a call: by the end, or as it stood last.
    """
    source = Source(transcript or "", tuple(also or ()), from_, agent, part, root, strict, not (quiet or no_progress))
    out = Output(format_ or "table", output, color, width)
    wanted = Wanted(source, out, policy, set_, counter, call, FORMATS, False, quiet, verbose)
    found = _from_archive(wanted, archive, id_, raw=raw) if archive else _from_transcript(wanted, id_, raw=raw)
    if format_ is not None:
        out.write(found)
    else:
        _write(_content(found), output)


def _from_transcript(wanted: Wanted, id_: str, *, raw: bool) -> Recalled:
    if not wanted.source.name:
        raise UsageError("nothing says where to look", "name a TRANSCRIPT, or --archive PATH")
    subject, _ = asked(wanted)
    return _found(subject, id_, wanted.call, raw=raw)


def _from_archive(wanted: Wanted, archive: str, id_: str, *, raw: bool) -> Recalled:
    source = wanted.source
    given = (("TRANSCRIPT", bool(source.name)), ("--call", wanted.call != NEXT), ("-p", bool(wanted.policy)))
    rest = (("--set", bool(wanted.sets)), ("--from", bool(source.format)), ("--root", bool(source.root)))
    require_alone((*given, *rest, *source.alone))
    wanted.out.check(FORMATS, (archive,))
    named = one_policy(None, None)
    return recalled_from(archive, id_.lower(), named, wanted.counter, raw=raw, quiet=wanted.quiet)


def _found(subject: Subject, id_: str, call: str, *, raw: bool) -> Recalled:
    """Return what the id stands for; raise UsageError where nothing has it.

    Of a log with removals it is looked for in what the harness did first, as other commands show it.
    """
    from windowkeeper_cli.report.explain_visits import last_deciding
    from windowkeeper_cli.report.recalled import find_item, find_list, unknown_id

    loaded, wanted = subject.transcript, id_.lower()
    at = find_item(loaded, wanted)
    if at is not None:
        return Recalled(subject, (at,), raw=raw)
    first, second = or_recorded(subject.policy, loaded), subject.policy
    for policy in (first,) if first is second else (first, second):
        about = subject._replace(policy=policy)
        number = call_number(call, loaded)
        stood = find_list(about, wanted, last_deciding(about) if number is None else number)
        if stood is not None:
            return Recalled(about, stood.ats, stood, raw=raw)
    raise unknown_id(loaded, id_)


def _content(found: Recalled) -> bytes:
    from windowkeeper_cli.render.json_document import without_surrogates
    from windowkeeper_cli.report.recalled import content, listing, raw_bytes

    transcript = found.subject.transcript
    if found.raw:
        return raw_bytes(transcript, found.ats)
    text = content(transcript, found.ats[0]) if found.stood is None else listing(transcript, found.ats)
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
    "windowkeeper recall 401b --archive fixtures/small-explain/kept",
    formats=FORMATS,
)
