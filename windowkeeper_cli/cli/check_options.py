"""Which options are those of `check` alone?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.check_bounds import MAX, MIN, Asked

GATE = "Gate"
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Transcripts (files, -, latest, beginnings of session ids), and folders of session logs.",
        show_default=False,
        autocompletion=options.transcripts,
    ),
]
StrictFindings = Annotated[
    bool,
    typer.Option("--strict", help="Findings of a log itself fail too.", rich_help_panel=options.LOADING),
]


def _figures(incomplete: str) -> list[str]:
    from windowkeeper_cli.report.figures import FIGURES

    return [f"{name}=" for name in FIGURES if name.startswith(incomplete)]


def _providers(incomplete: str) -> list[str]:
    from windowkeeper_cli.replay.acceptance.providers import PROVIDERS

    return [name for name in PROVIDERS if name.startswith(incomplete)]


Most = Annotated[
    list[str] | None,
    typer.Option(
        "--max",
        metavar="NAME=N",
        help="Fail where a session's figure is above N, as gaps=2 or itemsLost=0; repeatable.",
        rich_help_panel=GATE,
        autocompletion=_figures,
    ),
]
Least = Annotated[
    list[str] | None,
    typer.Option(
        "--min",
        metavar="NAME=N",
        help="Fail where a session's figure is below N, as cacheReuse=0.9; repeatable.",
        rich_help_panel=GATE,
        autocompletion=_figures,
    ),
]
Providers = Annotated[
    list[str] | None,
    typer.Option(
        "--provider",
        metavar="NAME",
        help="Ask whether this provider would accept each window, instead of the log's own; repeatable.",
        rich_help_panel=GATE,
        autocompletion=_providers,
    ),
]


def asked_bounds(most: Sequence[str] | None, least: Sequence[str] | None) -> tuple[Asked, ...]:
    """Return the bounds that `--max` and `--min` give; raise UsageError for one that is not NAME=N."""
    given = [(MAX, text) for text in most or ()] + [(MIN, text) for text in least or ()]
    return tuple(_asked(kind, text) for kind, text in given)


def _asked(kind: str, text: str) -> Asked:
    name, found, number = text.partition("=")
    try:
        bound = float(number) if found and name else None
    except ValueError:
        bound = None
    if bound is None or bound != bound or bound in (float("inf"), float("-inf")):
        raise UsageError(f"--{kind} {text}: not NAME=N", "write a figure and a number, as gaps=2 or cacheReuse=0.9")
    return Asked(name, kind, int(bound) if bound.is_integer() else bound)
