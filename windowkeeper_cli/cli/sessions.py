"""The command `sessions`: the session logs on disk, newest first."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.folders import folder_at, outlines, wanted
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.progress import by_bytes
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.formats.folder import SessionFile, Skipped
from windowkeeper_cli.formats.outline import Outline
from windowkeeper_cli.model.errors import InputError

FORMATS = ("table", "json", "jsonl", "csv")
INTERRUPTED = 130
WARNED = 10
"""Files left out that have a warning of their own; more are counted."""
Folder = Annotated[
    str | None,
    typer.Argument(
        metavar="FOLDER",
        help="A folder with session logs, at any depth; by default those of Claude Code and Codex.",
        show_default=False,
    ),
]


def sessions(
    folder: Folder = None,
    since: options.Since = None,
    project: options.Project = None,
    min_calls: options.MinCalls = 0,
    processes: options.Processes = 1,
    root: options.Root = None,
    from_: options.From = None,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    no_progress: options.NoProgress = False,
    _debug: options.Debug = False,
) -> None:
    """The session logs below a folder, newest first: project, start, length, calls, tokens, first request.

    Heads and tails are read first, so that --since and --project leave the rest unread. A file that is no session
    log is named, and stops nothing.
    """
    out = Output(format_, output, color, width)
    out.check(FORMATS)
    filters = wanted(since, project, min_calls)
    found = folder_at(folder, root)
    out.check(FORMATS, [file.path for file in found.sessions] if output else ())
    files = [file for file in found.sessions if filters.may_fit(file)]
    read: dict[int, Outline | Skipped] = {}
    interrupted = _read(files, from_, processes, read, shown=not (quiet or no_progress))
    bad = [one for _, one in sorted(read.items()) if isinstance(one, Skipped)]
    _warn(bad, quiet=quiet)
    if bad and len(bad) == len(found.sessions):
        raise InputError(f"none of its {len(bad):,} logs can be read", "see the warnings above", where=found.path)
    from windowkeeper_cli.report.sessions import Row, Sessions

    pairs = [(files[place], one) for place, one in sorted(read.items())]
    rows = [Row(file, one) for file, one in pairs if isinstance(one, Outline) and filters.fits(one)]
    unread = len(files) - len(read) if interrupted else None
    words = _words(since, project, min_calls)
    out.write(Sessions(found, tuple(rows), (*found.skipped, *bad), words, unread))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _read(
    files: list[SessionFile], from_: str | None, processes: int, read: dict[int, Outline | Skipped], *, shown: bool
) -> bool:
    """Fill `read` with what each log holds; return whether the user broke it off after the first one."""
    with by_bytes("reading", sum(file.size for file in files), shown=shown) as advance:
        try:
            for place, one in outlines(files, from_, processes):
                read[place] = one
                advance(files[place].size)
        except KeyboardInterrupt:
            if not read:
                raise
            return True
    return False


def _warn(bad: list[Skipped], *, quiet: bool) -> None:
    for one in bad[:WARNED]:
        warn(f"{one.path}: {one.why}", quiet=quiet)
    if len(bad) > WARNED:
        warn(f"{len(bad) - WARNED:,} more files are left out; the report names them", quiet=quiet)


def _words(since: str | None, project: str | None, min_calls: int) -> tuple[str, ...]:
    given = (("--since", since), ("--project", project), ("--min-calls", str(min_calls) if min_calls else None))
    return tuple(word for option, value in given if value is not None for word in (option, value))


app = command_app(
    sessions,
    "windowkeeper sessions",
    "windowkeeper sessions fixtures/gate/sessions",
    "windowkeeper sessions ~/.claude/projects --since 7d --min-calls 30",
    "windowkeeper sessions logs -j 4 -f csv -o sessions.csv",
    formats=FORMATS,
)
