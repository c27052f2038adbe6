"""Where a body that was written goes, and what is said of the things that it does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.complete import targets
from windowkeeper_cli.cli.output import check_target, write_file, write_stdout
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.formats.writers import WRITERS
from windowkeeper_cli.formats.writers.losses import Written
from windowkeeper_cli.formats.writers.text import chunks

To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help=f"Write it as {', '.join(WRITERS.names[:-1])} or {WRITERS.names[-1]}.",
        show_default=False,
        rich_help_panel=options.OUTPUT,
        autocompletion=targets,
    ),
]


def check(target: str, output: str | None, inputs: Sequence[str]) -> None:
    """Raise UsageError, before any work, for a target that is not known, or a file that cannot be written."""
    WRITERS.module(target)
    if output is not None:
        check_target(output, inputs)


def write(written: Written, output: str | None, *, name: str, target: str, quiet: bool) -> None:
    """Write a body, and say on standard error what is not in it as it was."""
    for loss in written.losses:
        warn(f"{name}: to {target}: {loss.sentence}", quiet=quiet)
    if output is None:
        write_stdout(chunks(written.body))
    else:
        write_file(output, chunks(written.body))
