"""What did the provider report for each reply? Its lines repeat the input side; the output grows to the last one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windowkeeper_cli.formats.claude_code.lines import Line
from windowkeeper_cli.model.call import Usage


def usage_of(lines: Iterable[Line]) -> Usage | None:
    """Return the usage of one reply from all its lines, None where no line reports any."""
    first: dict[str, Any] | None = None
    output, final = 0, False
    for line in lines:
        reported = line.usage
        if reported is not None:
            if first is None:
                first = reported
            said = reported.get("output_tokens")
            if type(said) is int and said > output:
                output = said
            final = final or line.stopped
    if first is None:
        return None
    read, written = first.get("cache_read_input_tokens"), first.get("cache_creation_input_tokens")
    return Usage(_figure(first.get("input_tokens")), output, _figure(read), _figure(written), final)


def _figure(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0
