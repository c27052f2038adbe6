"""The counter behind `estimate` and `calibrated`: weights of byte pairs, scaled in whole numbers."""

from __future__ import annotations

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.counter import CounterLabel
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.tokens.tally import Tally, tally
from windowkeeper_cli.tokens.weigh import UNIT, weigh

SCALE = 10_000
"""`scale` is per this many: 10,000 leaves the estimate as it is."""


@dataclass(frozen=True, slots=True)
class ScaledCounter:
    """Counts texts by weight times `scale`, rounded up once an item; images and documents are not scaled."""

    label: CounterLabel
    scale: int = SCALE

    def text(self, text: str) -> int:
        """Return the tokens of a plain text; 0 for none, 1 at least for any."""
        return self.tokens(weigh(text), 0)

    def blocks(self, blocks: Blocks) -> int:
        """Return the tokens of an item's blocks."""
        found = tally(blocks, weigh)
        return self.tokens(found.size, found.fixed)

    def tokens(self, weight: int, fixed: int) -> int:
        """Return the tokens of texts that weigh `weight`, and of `fixed` tokens of images and documents."""
        return -(-weight * self.scale // (UNIT * SCALE)) + fixed

    def all_tokens(self, tallies: list[Tally]) -> tuple[int, ...]:
        """Return the tokens of every item by its tally."""
        scale, whole = self.scale, UNIT * SCALE
        return tuple([-(-size * scale // whole) + fixed for size, _, fixed, _ in tallies])
