"""Counters: what a token figure counts, and the figures of a transcript's items."""

from __future__ import annotations

from typing import Protocol

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.value import dataclass


@dataclass(frozen=True, slots=True)
class CounterLabel:
    """What a counter says of itself; `sentence` is the words of a report's header.

    `measured` is true where the figures were fitted to the provider's own. `unseen_prefix` is the tokens of what
    was sent and is not in the log. Errors are shares (0.006 is 0.6%) per call.
    """

    name: str
    sentence: str
    measured: bool = False
    chars_per_token: float | None = None
    unseen_prefix: int = 0
    fitted_on: int = 0
    error_median: float | None = None
    error_p90: float | None = None


class Counter(Protocol):
    """Counts tokens; both methods are pure, and a longer text never counts less than its own beginning."""

    @property
    def label(self) -> CounterLabel:
        """Return what the figures count."""
        ...

    def text(self, text: str) -> int:
        """Return the tokens of a plain text."""
        ...

    def blocks(self, blocks: Blocks) -> int:
        """Return the tokens of an item's blocks."""
        ...


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens of every item by position, counted once, and the counter that made them.

    `hidden_thinking` is how many reasoning blocks have no text in the log; they count 0.

    `explicit` is true where the user chose the counter, and so accepts its figures where none were reported.
    """

    tokens: tuple[int, ...]
    counter: Counter
    hidden_thinking: int = 0
    explicit: bool = False
