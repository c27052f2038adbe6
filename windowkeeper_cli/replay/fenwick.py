"""Prefix sums over changes: what the decisions took out of the tokens before a position."""

from __future__ import annotations


class Fenwick:
    """A Fenwick tree over `size` positions; both operations take O(log size) steps.

    Source: P. Fenwick, A new data structure for cumulative frequency tables, 1994.
    """

    def __init__(self, size: int) -> None:
        self._tree = [0] * (size + 1)

    def add(self, at: int, amount: int) -> None:
        """Add `amount` at position `at`."""
        index, tree = at + 1, self._tree
        while index < len(tree):
            tree[index] += amount
            index += index & -index

    def before(self, at: int) -> int:
        """Return the sum of the amounts at positions before `at`."""
        total, index, tree = 0, at, self._tree
        while index > 0:
            total += tree[index]
            index -= index & -index
        return total
