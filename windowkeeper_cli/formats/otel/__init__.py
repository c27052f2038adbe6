"""Is an input a trace of an agent: OpenTelemetry spans with gen_ai attributes, or OpenInference's?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.otel.spans import is_generative, spans_in
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "OpenTelemetry spans with gen_ai.* or OpenInference attributes, as OTLP JSON or as an exporter prints them"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values hold such spans, and why."""
    for value in values:
        for raw, _ in spans_in(value):
            family = is_generative(raw)
            if family is not None:
                return Verdict(CERTAIN, f"spans with {family} attributes")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the outermost agent's conversation, or of the agent that is asked for."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.otel.reader import read as read_trace

    return read_trace(reading)
