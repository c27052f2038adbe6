"""Which options are those of `replay` alone?"""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Transcripts (files, -, latest, beginnings of session ids), or folders of session logs.",
        show_default=False,
        autocompletion=options.transcripts,
    ),
]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "-p",
        "--policy",
        metavar="POLICY",
        help="A policy file, a built-in name or a strategy of your own; repeatable, a row each.",
        rich_help_panel=options.POLICY,
        autocompletion=options.policies,
    ),
]
Limit = Annotated[
    str | None,
    typer.Option(
        "--limit",
        metavar="N",
        help="Every strategy's own budget, as 60k or 120000 tokens of what the log holds.",
        rich_help_panel=options.POLICY,
    ),
]
CacheTtl = Annotated[
    str,
    typer.Option(
        "--cache-ttl",
        metavar="TIME",
        help="How long a provider keeps a cached prefix: 5m, 1h or off.",
        rich_help_panel=options.POLICY,
        autocompletion=options.words("5m", "1h", "off"),
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="NAME",
        help="The row that the others are compared with; the first by default.",
        rich_help_panel=options.SHOWN,
        autocompletion=options.policies,
    ),
]
ByCall = Annotated[
    bool,
    typer.Option(
        "--by-call", help="The series: each call of each policy; in a table as charts.", rich_help_panel=options.SHOWN
    ),
]
Timing = Annotated[
    bool,
    typer.Option("--timing", help="Say on standard error how long each policy took.", rich_help_panel=options.OUTPUT),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="What the windows cost in money, at this model's prices; needs windowkeeper-cli[prices].",
        rich_help_panel=options.SHOWN,
    ),
]
