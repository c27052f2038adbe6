"""Where does a plan stand still? A strategy's visits bounded by proposals and by lines, never by a clock.

The lines are those of the strategy's own file; a loop that never ends in another module is not seen.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any

from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Strategy

LINES, PROPOSALS = 1_000, 20
"""Lines and proposals that one visit may take for each item that the window holds."""
SPARE = 100
"""Items that are added to those of the window: a small one must not be held to a handful of lines."""


class EndlessError(BaseException):
    """A visit passed its bound; no `except Exception` of a strategy's own takes it for one of its errors."""


def bounded(strategy: Strategy) -> Strategy:
    """Return the strategy with its visits bounded; raises EndlessError from a visit that passes its bound."""
    plan, file = strategy.plan, file_of(strategy)

    def within(visit: Visit) -> Plan:
        size = visit.view.held + SPARE
        lines = _Lines(file, LINES * size)
        with lines:
            moves = plan(visit)
        for _ in range(PROPOSALS * size):
            with lines:
                try:
                    proposal = next(moves)
                except StopIteration as end:
                    facts: Facts | None = end.value
                    return facts
            yield proposal
        raise EndlessError(f"it made {PROPOSALS * size:,} proposals in one visit: does its loop end?")

    strategy.plan = within  # type: ignore[method-assign]
    return strategy


def file_of(strategy: Strategy) -> str:
    """Return the file that a strategy's class stands in, an empty text where it stands in none."""
    module = sys.modules.get(type(strategy).__module__)
    return getattr(module, "__file__", None) or ""


class _Lines:
    """Counts the lines of one file that run inside it, and raises EndlessError beyond the bound."""

    def __init__(self, file: str, most: int) -> None:
        self._file, self._most, self._left = file, most, most
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        sys.settrace(self._enter)

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        sys.settrace(self._before)

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        return self._line if frame.f_code.co_filename == self._file else None

    def _line(self, frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            self._left -= 1
            if self._left < 0:
                text = (
                    f"it ran {self._most:,} lines in one visit, the last is line {frame.f_lineno}: does its loop end?"
                )
                raise EndlessError(text)
        return self._line
