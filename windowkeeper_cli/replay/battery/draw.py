"""Where does chance come from? From a seed alone, the same on every machine and in every version of Python.

The numbers are those of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, Protocol, TypeVar

Value = TypeVar("Value")
_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


class Draw(Protocol):
    """What the generators ask of chance; `random.Random` has it too."""

    def random(self) -> float:
        """Return a number from 0 to 1, never 1."""
        ...

    def randrange(self, start: int, /) -> int:
        """Return a number from 0 to below `start`."""
        ...

    def choice(self, seq: Sequence[Value], /) -> Value:
        """Return one of the values."""
        ...

    def choices(self, population: Sequence[Value], weights: Sequence[int], /) -> list[Value]:
        """Return a list of one value, drawn by the weights."""
        ...

    def sample(self, population: Sequence[Value], k: int, /) -> list[Value]:
        """Return `k` of the values, each once."""
        ...

    def shuffle(self, x: list[Any], /) -> None:
        """Put the values in another order."""
        ...


class Seeded:
    """Chance from a seed and the number of what is drawn."""

    def __init__(self, seed: int, number: int = 0) -> None:
        self._numbers = _splitmix(seed * _GAMMA + number)

    def random(self) -> float:
        """Return a number from 0 to 1, never 1: 53 bits of the next one."""
        return (next(self._numbers) >> 11) / (1 << 53)

    def randrange(self, start: int, /) -> int:
        """Return a number from 0 to below `start`."""
        return next(self._numbers) * start >> 64

    def choice(self, seq: Sequence[Value], /) -> Value:
        """Return one of the values."""
        return seq[self.randrange(len(seq))]

    def choices(self, population: Sequence[Value], weights: Sequence[int], /) -> list[Value]:
        """Return a list of one value, drawn by the weights."""
        sums = list(accumulate(weights))
        drawn = self.randrange(sums[-1])
        return [next(value for value, reached in zip(population, sums, strict=True) if drawn < reached)]

    def sample(self, population: Sequence[Value], k: int, /) -> list[Value]:
        """Return `k` of the values, each once."""
        left = list(population)
        return [left.pop(self.randrange(len(left))) for _ in range(k)]

    def shuffle(self, x: list[Any], /) -> None:
        """Put the values in another order."""
        x[:] = self.sample(x, len(x))


def _splitmix(state: int) -> Iterator[int]:
    while True:
        state = (state + _GAMMA) & _MASK
        mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & _MASK
        yield mixed ^ (mixed >> 31)
