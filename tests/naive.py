"""The naive engine of every strategy, by name; each runs a session call by call, and knows nothing of the product's."""

from __future__ import annotations

from typing import Any, Protocol

from tests import oracle
from tests.naive_recorded import Recorded
from tests.naive_reference import SlidingWindow, SummarizeOldest, TokenBudget
from tests.naive_tiered import Tiered
from tests.naive_tokens import ClearToolResults, Handles, SlidingTokens
from tests.naive_window import Visited
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript


class Visiting(Protocol):
    """One visit of a naive strategy."""

    def __init__(self, *parts: Any) -> None: ...

    def visit(self) -> Visited: ...


NAIVE: dict[str, type[Visiting]] = {
    "sliding-window": SlidingWindow,
    "token-budget": TokenBudget,
    "summarize-oldest": SummarizeOldest,
    "sliding-tokens": SlidingTokens,
    "clear-tool-results": ClearToolResults,
    "handles": Handles,
    "tiered": Tiered,
    "recorded": Recorded,
}
"""Strategies beside those of `tests/oracle.py`: `windowkeeper` and `none`."""
UNMEASURABLE = "unmeasurable"


def run(transcript: Transcript, counts: Counts, settings: Settings) -> list[Visited | str]:
    """Return what each call came to; a visit that finds 0 and 0 reported ends the session with a word."""
    if settings.strategy not in NAIVE:
        return list(oracle.run(transcript, counts, settings))
    past: list[Visited] = []
    memory: dict[str, Any] = {}
    for _ in transcript.all_calls():
        try:
            past.append(NAIVE[settings.strategy](transcript, counts, settings, past, memory).visit())
        except CompactionUnmeasurableError:
            return [*past, UNMEASURABLE]
    return list(past)
