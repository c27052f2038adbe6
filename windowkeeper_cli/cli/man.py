"""The command `man`: a page of the manual, its source, or the JSON Schema of a report."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.complete import manual_pages, schemas
from windowkeeper_cli.cli.output import check_target, write_file, write_stdout
from windowkeeper_cli.cli.surroundings import is_terminal, terminal_width
from windowkeeper_cli.model.errors import UsageError

IN_A_PIPE = 80
WIDEST = 100
Page = Annotated[
    str | None,
    typer.Argument(
        metavar="PAGE",
        help="A command, or policy.5, ledger.5, transcript.5, rules.7; by default the page that names all others.",
        show_default=False,
        autocompletion=manual_pages,
    ),
]
Source = Annotated[
    bool,
    typer.Option("--source", help="The page in mdoc, to install or to format.", rich_help_panel=options.SHOWN),
]
SchemaOf = Annotated[
    str | None,
    typer.Option(
        "--schema",
        metavar="NAME",
        help="The JSON Schema of the report NAME instead of a page, as its -f json prints it.",
        rich_help_panel=options.SHOWN,
        autocompletion=schemas,
    ),
]


def man(
    page: Page = None,
    source: Source = False,
    schema: SchemaOf = None,
    output: options.Output = None,
    width: options.Width = None,
    _debug: options.Debug = False,
) -> None:
    """A page of the manual: on a terminal as man shows it, else as plain text.

    The pages are made from the texts in the program, so they need no file; the wheel has them too, for man itself.
    """
    if schema is not None and (page is not None or source):
        raise UsageError("--schema goes with no page and no --source", "leave one of them out")
    if output is not None:
        check_target(output, ())
    if schema is not None:
        text = _schema(schema)
    else:
        from windowkeeper_cli.cli.manual.mdoc import mdoc
        from windowkeeper_cli.cli.manual.pages import page_of, ref_named

        wanted = page_of(ref_named("windowkeeper" if page is None else page))
        on_terminal = output is None and is_terminal(sys.stdout)
        if on_terminal and not source and width is None and _shown(mdoc(wanted)):
            return
        from windowkeeper_cli.cli.manual.plain import plain

        usual = min(terminal_width(), WIDEST) if on_terminal else IN_A_PIPE
        text = mdoc(wanted) if source else plain(wanted, width or usual)
    if output is None:
        write_stdout([text.encode()])
    else:
        write_file(output, [text.encode()])


def _schema(name: str) -> str:
    """Return the schema of a report as it is shipped; raise UsageError where there is none of that name."""
    from windowkeeper_cli.report.schemas import schema_names, schema_text

    if name not in schema_names():
        raise UsageError(f"no report {name}", f"known: {', '.join(schema_names())}")
    return schema_text(name)


def _shown(source: str) -> bool:
    """Return whether the system's man took the page; one that cannot read it from a pipe leaves it to plain text."""
    import shutil
    import subprocess

    viewer = shutil.which("man")
    if viewer is None:
        return False
    try:
        done = subprocess.run([viewer, "-l", "-"], input=source.encode(), stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return done.returncode == 0


app = command_app(
    man,
    "windowkeeper man",
    "windowkeeper man explain",
    "windowkeeper man policy.5",
    "windowkeeper man --schema replay",
)
