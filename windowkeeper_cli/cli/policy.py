"""The commands `policy`: the built-ins, the effective policy, its schema, a check of a file, a file to begin with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from windowkeeper_cli.cli import options
from windowkeeper_cli.cli.application import add_to, group_app
from windowkeeper_cli.cli.output import Output, check_target, write_file, write_stdout
from windowkeeper_cli.cli.policies import DEFAULT, chosen, from_file, named_policy, strategies

FORMATS = ("table", "json", "csv")
File = Annotated[
    str, typer.Argument(metavar="FILE", help="A policy file, JSON or TOML, or a pyproject.toml.", show_default=False)
]


def list_(
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    _debug: options.Debug = False,
) -> None:
    """List the built-in policies."""
    out = Output(format_, output, color, width)
    out.check(FORMATS)
    from windowkeeper_cli.policy.preset import built_in_rows
    from windowkeeper_cli.report.policy import PolicyList

    out.write(PolicyList(built_in_rows(strategies())))


def show(
    policy: options.PolicyName = None,
    set_: options.Set = None,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    _debug: options.Debug = False,
) -> None:
    """Show every effective value and where it came from."""
    out = Output(format_, output, color, width)
    out.check(FORMATS, policy or ())
    loaded, origin = chosen(policy, set_)
    from windowkeeper_cli.report.policy import PolicyShow

    reads = strategies().reads(loaded.settings.strategy)
    out.write(PolicyShow(loaded, named_policy(loaded, origin, tuple(set_ or ())), reads))


def schema(output: options.Output = None, _debug: options.Debug = False) -> None:
    """Print the JSON Schema of a policy file."""
    if output is not None:
        check_target(output, ())
    import json

    from windowkeeper_cli.policy.schema import policy_schema

    _put(output, json.dumps(policy_schema(strategies().names), indent=2, ensure_ascii=False) + "\n")


def check(
    file: File,
    format_: options.Format = "table",
    output: options.Output = None,
    color: options.Color = "auto",
    width: options.Width = None,
    _debug: options.Debug = False,
) -> None:
    """Validate a policy file."""
    out = Output(format_, output, color, width)
    out.check(FORMATS, (file,))
    from windowkeeper_cli.report.figures import FIGURES
    from windowkeeper_cli.report.policy import PolicyCheck

    loaded = from_file(file, figures=FIGURES)

    out.write(PolicyCheck(file, named_policy(loaded, "file", ()), len(loaded.origins)))


def init(output: options.Output = None, _debug: options.Debug = False) -> None:
    """Print a commented policy file to begin with."""
    if output is not None:
        check_target(output, ())
    from windowkeeper_cli.policy.start import starting_file

    _put(output, starting_file(strategies().reads(DEFAULT)))


def _put(output: str | None, text: str) -> None:
    chunks: Iterable[bytes] = (text.encode("utf-8"),)
    if output is None:
        write_stdout(chunks)
    else:
        write_file(output, chunks)


app = group_app("how a window is kept, as data")
add_to(
    app,
    "list",
    list_,
    "the built-in policies, with strategy, source and certainty",
    "windowkeeper policy list",
    formats=FORMATS,
)
add_to(
    app,
    "show",
    show,
    "the effective policy, every value with where it came from",
    "windowkeeper policy show",
    "windowkeeper policy show -p fixtures/redis-auth/policy.json --set budget.reserve=0",
    formats=FORMATS,
)
add_to(app, "schema", schema, "the JSON Schema of a policy file", "windowkeeper policy schema -o policy.schema.json")
add_to(
    app,
    "check",
    check,
    "whether a policy file is in order",
    "windowkeeper policy check team.toml",
    "windowkeeper policy check fixtures/gate/policy.toml",
    formats=FORMATS,
)
add_to(app, "init", init, "a commented policy file to begin with", "windowkeeper policy init -o policy.toml")
