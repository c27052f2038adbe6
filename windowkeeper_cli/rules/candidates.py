"""Candidates of one step: a cursor over what has come, and what it passed over for the time being."""

from __future__ import annotations

from bisect import insort
from collections.abc import Generator


class Candidates:
    """Positions still to be considered, oldest first; each is walked once, and again only if it was held."""

    def __init__(self) -> None:
        self._cursor = 0
        self._held: list[int] = []
        self.walked = 0

    def due(self, upto: int) -> Generator[int, None, None]:
        """Yield the positions before `upto`; a caller that stops early must close the iterator."""
        waiting, self._held = self._held, []
        done = 0
        try:
            for at in waiting:
                done += 1
                self.walked += 1
                yield at
        finally:
            self._held[:0] = waiting[done:]
            self._held.sort()
        while self._cursor < upto:
            self._cursor += 1
            self.walked += 1
            yield self._cursor - 1

    def hold(self, at: int) -> None:
        """Keep a position that was just yielded: its guard may lapse."""
        insort(self._held, at)

    def again(self, at: int) -> None:
        """Consider a position once more; it needs no note where the cursor has not come to it yet."""
        if at < self._cursor and at not in self._held:
            insort(self._held, at)
