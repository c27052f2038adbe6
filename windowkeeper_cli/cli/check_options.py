"""Which options are those of `check` alone?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.check_bounds import MAX, MIN, Asked

GATE = "Gate"
BATTERY = "Battery"
TIMES = 200
"""Transcripts that a battery draws where nobody says."""
Paths = Annotated[
    list[str] | None,
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

Battery = Annotated[
    bool,
    typer.Option(
        "--battery",
        help="Instead of paths: the strategy of -p, on transcripts and settings drawn from a seed, and the smallest "
        "transcript that shows each fault.",
        rich_help_panel=BATTERY,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", min=0, help="Draw from seed N instead of 0.", rich_help_panel=BATTERY),
]
Times = Annotated[
    int | None,
    typer.Option(
        "--times", metavar="N", min=1, help=f"Draw N transcripts instead of {TIMES}.", rich_help_panel=BATTERY
    ),
]
Save = Annotated[
    str | None,
    typer.Option(
        "--save",
        metavar="FOLDER",
        help="Write the smallest transcripts to FOLDER, which is empty or made.",
        rich_help_panel=BATTERY,
    ),
]


_OF_SESSIONS = {
    "paths": "a PATH", "most": "--max", "least": "--min", "provider": "--provider", "also": "--also", "from_": "--from",
    "agent": "--agent", "part": "--part", "root": "--root", "strict": "--strict", "since": "--since",
    "project": "--project", "min_calls": "--min-calls", "subagents": "--subagents",
}  # fmt: skip
"""What speaks of sessions on disk, as a user writes it, by the parameter of the command."""


def draws(given: Mapping[str, object]) -> bool:
    """Return whether a battery is asked for; raise UsageError for what does not go with it, or without it."""
    if not given["battery"]:
        if any(given[name] is not None for name in ("seed", "times", "save")):
            raise UsageError("--seed, --times and --save belong to --battery", "add it, or leave them out")
        if not given["paths"]:
            raise UsageError("no PATH given", "name transcripts or folders, or a strategy with --battery -p")
        return False
    for name, word in _OF_SESSIONS.items():
        if given[name]:
            raise UsageError(f"{word} beside --battery", "it draws its own transcripts; leave it out")
    return True


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
