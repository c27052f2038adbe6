"""`chars:N`: characters divided by N, rounded up once an item."""

from __future__ import annotations

import re

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.counter import CounterLabel, Counts
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.tokens.tally import Tally, tally

ARGUMENT = "N"
_DECIMALS = 1_000
_MOST = 1_000
_NUMBER = re.compile(r"([0-9]{1,4})(?:\.([0-9]{1,3}))?")


@dataclass(frozen=True, slots=True)
class CharsCounter:
    """Counts code points; `thousandths` is N times 1,000."""

    label: CounterLabel
    thousandths: int

    def text(self, text: str) -> int:
        """Return the tokens of a plain text."""
        return self._tokens(len(text))

    def blocks(self, blocks: Blocks) -> int:
        """Return the tokens of an item's blocks."""
        return self.tokens(tally(blocks, len))

    def tokens(self, found: Tally) -> int:
        """Return the tokens of an item that was tallied in characters."""
        return self._tokens(found.size) + found.fixed

    def _tokens(self, chars: int) -> int:
        return -(-chars * _DECIMALS // self.thousandths)


def counter(argument: str) -> CharsCounter:
    """Return the counter for N as the user wrote it; raise UsageError unless 0 < N <= 1,000, 3 decimals at most."""
    found = _NUMBER.fullmatch(argument)
    thousandths = int(found[1]) * _DECIMALS + int((found[2] or "").ljust(3, "0")) if found else 0
    if not 0 < thousandths <= _MOST * _DECIMALS:
        raise UsageError(
            f"counter 'chars:{argument}' needs a number of characters a token",
            "give one above 0 and up to 1000, as in chars:4 or chars:2.8",
        )
    return CharsCounter(
        CounterLabel(
            name=f"chars:{argument}",
            sentence=f"chars/{argument}",
            chars_per_token=thousandths / _DECIMALS,
        ),
        thousandths,
    )


def count(transcript: Transcript, argument: str) -> Counts:
    """Count every item of the transcript once."""
    chosen = counter(argument)
    tallies = [tally(transcript.blocks(at), len) for at in range(len(transcript.items))]
    return Counts(tuple(map(chosen.tokens, tallies)), chosen, sum(found.hidden for found in tallies))
