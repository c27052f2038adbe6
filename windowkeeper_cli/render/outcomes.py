"""The outcomes of a report, for the formats that pipelines read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.outcome import Outcome, Tested
from windowkeeper_cli.report.sheet import Report


def outcomes_of(report: Report, format_name: str) -> Iterable[Outcome]:
    """Return a report's outcomes; raise UsageError where it tests nothing."""
    if not hasattr(report, "outcomes"):
        raise UsageError(f"{report.name} has no {format_name} format", "use -f json")
    return cast(Tested, report).outcomes()
