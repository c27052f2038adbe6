"""The command `rules`: what a rule, refusal reason, strategy or invariant means."""

from __future__ import annotations

from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import command_app
from windowkeeper_cli.cli.complete import rules as rule_names
from windowkeeper_cli.cli.output import Output

FORMATS = ("table", "json", "csv")
Rule = Annotated[
    str | None,
    typer.Argument(
        metavar="RULE",
        help="A name as a report shows it, a policy key, or the number of an invariant; all of them by default.",
        show_default=False,
        autocompletion=rule_names,
    ),
]


def rules(
    rule: Rule = None,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    _debug: options.Debug = False,
) -> None:
    """What a rule, refusal reason, strategy or invariant means, why it exists, and an example that runs."""
    out = Output(format_, output, color, width)
    out.check(FORMATS)
    from windowkeeper_cli.report.rules import Rules, rule_texts, texts_named

    texts = rule_texts() if rule is None else texts_named(rule)
    out.write(Rules(texts, chosen=rule is not None))


app = command_app(
    rules,
    "windowkeeper rules",
    "windowkeeper rules toolResults.evictAfterTurns",
    "windowkeeper rules 8 -f json",
    formats=FORMATS,
)
