"""What did the provider report for each reply? Its lines repeat the input side; the output grows to the last one."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.formats.claude_code.lines import Line, Reported
from windowkeeper_cli.model.call import Usage


def usage_of(lines: Iterable[Line]) -> Usage | None:
    """Return the usage of one reply from all its lines, None where no line reports any."""
    first: Reported | None = None
    output, final = 0, False
    for line in lines:
        reported = line.usage
        if reported is not None:
            if first is None:
                first = reported
            if reported.output > output:
                output = reported.output
            final = final or line.stopped
    return None if first is None else Usage(first.input, output, first.cache_read, first.cache_write, final)
