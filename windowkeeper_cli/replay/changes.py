"""Changes: what the decisions added to, and took out of, the tokens before a position."""

from __future__ import annotations

_BITS = 5
_SPAN = 1 << _BITS


class Changes:
    """Sums of amounts by position, by 32 positions, by 32 of those, and so on.

    An addition touches one sum of each level; a sum of everything before a position adds up 31 of each at most. Levels
    are a fifth as many as those of a tree of twos, and Python adds a list's slice up far faster than it takes a step.
    """

    def __init__(self, size: int) -> None:
        self._levels = [[0] * max(size, 1)]
        while len(self._levels[-1]) >= _SPAN:
            self._levels.append([0] * ((len(self._levels[-1]) >> _BITS) + 1))

    def add(self, at: int, amount: int) -> None:
        """Add `amount` at position `at`."""
        for level in self._levels:
            level[at] += amount
            at >>= _BITS

    def before(self, at: int) -> int:
        """Return the sum of the amounts at positions before `at`."""
        total = 0
        for level in self._levels:
            total += sum(level[at & -_SPAN : at])
            at >>= _BITS
        return total
