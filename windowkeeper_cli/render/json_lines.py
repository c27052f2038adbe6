"""How a report looks as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.unprintable import json_safe
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import Report


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Return the report's lines; raise UsageError where it has none."""
    lines = report.lines()
    if lines is None:
        raise UsageError(f"{report.name} has no jsonl format", "use -f json")
    return (json_safe(line) for line in lines)
