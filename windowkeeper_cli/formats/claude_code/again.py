"""What does a record that is read once more hold? The result that stood alone in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.formats.claude_code.lines import Line, agent_line, read_line
from windowkeeper_cli.formats.listed import one_by_one
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.model.block import ToolResult
from windowkeeper_cli.model.item import Origin

_NOWHERE = Origin(0, 0, 0, 0)


def results_in(value: Any) -> Iterator[ToolResult]:
    """Yield the results that stand alone in a line, in a subagent's progress line, or in lines kept as one list."""
    for record in one_by_one([Record(value, _NOWHERE)]):
        for line in _lines(record):
            if len(line.blocks) == 1 and type(line.blocks[0]) is ToolResult:
                yield line.blocks[0]


def _lines(record: Record) -> Iterator[Line]:
    line = read_line(record, 0)
    if line is not None:
        yield line
        inner = agent_line(record, 0) if line.kind == "progress" else None
        if inner is not None:
            yield inner
