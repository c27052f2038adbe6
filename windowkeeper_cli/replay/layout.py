"""Layout: where turns begin in a transcript, and what the items before a position take in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from windowkeeper_cli.model.item import Item


class Layout:
    """Sums over a whole transcript, made once, so that appending items costs no look at each of them.

    `heads` are the positions of the turns' first items, `first` that of the first turn; `tokens[at]` and `units[at]`
    are the sums before a position, the envelope's text not counted among the units.
    """

    __slots__ = ("first", "heads", "tokens", "units")

    def __init__(self, items: Sequence[Item], tokens: Sequence[int]) -> None:
        heads: list[int] = []
        turns = 0
        for at, item in enumerate(items):
            if item.turn == turns:
                heads.append(at)
                turns += 1
        self.heads = heads
        self.first = heads[0] if heads else len(items)
        self.tokens = [0, *accumulate(tokens)]
        self.units = [0, *accumulate([item.units if item.turn >= 0 else 0 for item in items])]
