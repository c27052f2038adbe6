"""How outcomes look as annotations of GitHub Actions: one workflow command a line for each that fails or warns.

The format is GitHub's: documentation, Workflow commands; how values are escaped is that of actions/toolkit, command.ts.
"""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.outcomes import outcomes_of
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.outcome import BROKEN, FAILED, WARNED, Outcome
from windowkeeper_cli.report.sheet import Report

LEVELS = {FAILED: "error", BROKEN: "error", WARNED: "warning"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Return one line for each outcome that is not passed; raise UsageError where the report tests nothing."""
    outcomes = outcomes_of(report, "github")
    return (_annotation(report.name, one).encode() for one in outcomes if one.state in LEVELS)


def _annotation(report: str, outcome: Outcome) -> str:
    """Return a workflow command; nothing of a value can end it or begin another."""
    properties = []
    if outcome.file is not None and _is_in_checkout(outcome.file):
        properties.append(f"file={_property(outcome.file)}")
        properties += [f"line={outcome.line}"] if outcome.line is not None else []
    properties.append(f"title={_property(f'windowkeeper {report}: {outcome.name}')}")
    lines = (f"{outcome.group}: {outcome.title}", *outcome.lines)
    message = "%0A".join(escape(line).translate(_DATA) for line in lines)
    return f"::{LEVELS[outcome.state]} {','.join(properties)}::{message}\n"


def _property(value: str) -> str:
    return escape(value).translate(_PROPERTY)


def _is_in_checkout(path: str) -> bool:
    """Return whether a path can be one of the repository: GitHub shows annotations on such files alone."""
    return not path.startswith(("/", "~", "-")) and ".." not in path.replace("\\", "/").split("/") and ":" not in path
