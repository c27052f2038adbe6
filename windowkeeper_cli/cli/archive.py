"""The commands `archive`: whether an archive on disk is what was written, what is in it, and its contents."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import add_to, group_app
from windowkeeper_cli.cli.archives import archive_at
from windowkeeper_cli.cli.exit_codes import FAILED
from windowkeeper_cli.cli.output import Output
from windowkeeper_cli.cli.stderr import warn

FORMATS = ("table", "json", "csv")
Path = Annotated[
    str, typer.Argument(metavar="PATH", help="An archive: a folder, or a .sqlite file.", show_default=False)
]
Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID]...",
        help="Only these items and lists, by id or its beginning; all by default.",
        show_default=False,
    ),
]


def verify(
    path: Path,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    _debug: options.Debug = False,
) -> None:
    """Read every record, and name each that is not what was written; nothing is changed."""
    out = Output(format_, output, color, width)
    out.check(FORMATS, (path,))
    from windowkeeper_cli.report.archive import verified

    with archive_at(path, writes=False, quiet=True) as archive:
        assert archive is not None
        report = verified(archive)
    out.write(report)
    if not report.ok:
        raise typer.Exit(FAILED)


def list_(
    path: Path,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    _debug: options.Debug = False,
) -> None:
    """List items, in the order of their transcripts, and lists of what left; what is damaged is named."""
    out = Output(format_, output, color, width)
    out.check(FORMATS, (path,))
    from windowkeeper_cli.report.archive import listed

    with archive_at(path, writes=False, quiet=True) as archive:
        assert archive is not None
        report = listed(archive)
    for one in report.damage:
        warn(f"{one.where}: {one.text}", quiet=quiet)
    out.write(report)


def export(
    path: Path,
    ids: Ids = None,
    format_: options.Format = "json",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    quiet: options.Quiet = False,
    _debug: options.Debug = False,
) -> None:
    """Write items with all their content; what is damaged is named, and the rest written."""
    out = Output(format_, output, color, width)
    out.check(FORMATS, (path,))
    from windowkeeper_cli.report.archive_export import exported

    with archive_at(path, writes=False, quiet=True) as archive:
        assert archive is not None
        report = exported(archive, tuple(ids or ()))
    for one in report.damage:
        warn(f"{one.where}: {one.text}", quiet=quiet)
    out.write(report)


app = group_app("an archive on disk: every item verbatim, and what left behind each notice")
add_to(
    app,
    "verify",
    verify,
    "whether every record of an archive is what was written; 1 where one is not",
    "windowkeeper archive verify fixtures/small-explain/kept",
    formats=FORMATS,
    fails="something is not what was written",
)
add_to(
    app,
    "list",
    list_,
    "what is in an archive: items, lists, visits, damage",
    "windowkeeper archive list fixtures/small-explain/kept",
    "windowkeeper archive list kept.sqlite -f csv -o kept.csv",
    formats=FORMATS,
)
add_to(
    app,
    "export",
    export,
    "the contents of an archive, or of some ids in it",
    "windowkeeper archive export kept -o kept.json",
    "windowkeeper archive export fixtures/small-explain/kept 401b -f table",
    formats=FORMATS,
)
