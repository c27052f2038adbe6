"""Where in a text does something stand: lines and columns, counted from 1 in characters, lines ending at LF."""

from __future__ import annotations

from bisect import bisect_left

from windowkeeper_cli.model.value import NamedTuple

Path = tuple[str | int, ...]
DEEPEST = 32
"""Levels of nesting that a policy file may have; a policy itself has three."""


class Place(NamedTuple):
    """A line and a column."""

    line: int
    column: int


class Lines:
    """The line ends of a text, so that an offset becomes a place in O(log lines)."""

    def __init__(self, text: str) -> None:
        self._ends = [at for at, char in enumerate(text) if char == "\n"]

    def place(self, at: int) -> Place:
        """Return the place of the character at offset `at`."""
        line = bisect_left(self._ends, at)
        return Place(line + 1, at - (self._ends[line - 1] if line else -1))


class DamagedTextError(Exception):
    """A text is not what its kind demands; holds the place, what is wrong and what to do."""

    def __init__(self, place: Place, what: str, todo: str) -> None:
        super().__init__(what)
        self.place = place
        self.what = what
        self.todo = todo


class Repeat(NamedTuple):
    """A key that one object holds a second time, at `place`; the first one stands on `first_line`."""

    path: Path
    place: Place
    first_line: int


class Tree(NamedTuple):
    """A parsed text: its value, the place of every key and list element in it, and its repeated keys."""

    value: object
    places: dict[Path, Place]
    repeats: tuple[Repeat, ...]
