"""Does a later result show lines that an earlier one showed, and are they still the same?"""

from __future__ import annotations

import re
from functools import cached_property

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.trace_names import REMINDER

_NUMBERED = re.compile("^[ \t]*([0-9]{1,7})(?:\u2192|\t)([^\n]*)", re.MULTILINE)


class Shown:
    """What a result shows: its text without what a harness added, and its lines by number where most have one."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> dict[int, str] | None:
        """The lines by number, taken apart when they are asked for."""
        found = {int(number): line for number, line in _NUMBERED.findall(self.text)}
        return found if 2 * len(found) > self.text.count("\n") + 1 else None


class Overlap(NamedTuple):
    """What two results have in common: `changed` where they contradict each other, else the numbers of lines that
    both have (None: all of the later result)."""

    changed: bool
    numbers: frozenset[int] | None


def shown(text: str) -> Shown:
    """Return what a result's text shows."""
    return Shown(text.partition(REMINDER)[0].rstrip(" \t\r\n"))


def overlap(new: Shown, old: Shown, *, same_question: bool) -> Overlap:
    """Return what a result has in common with an earlier one; `same_question` says that both calls asked the same.

    Two answers to one question that differ contradict each other. Answers to different questions are compared line by
    line where they have numbers, and have nothing in common where they have none.
    """
    if new.text == old.text:
        return Overlap(False, None)
    if same_question:
        return Overlap(True, frozenset())
    if new.lines is None or old.lines is None:
        return Overlap(False, frozenset())
    common = new.lines.keys() & old.lines.keys()
    changed = any(new.lines[number] != old.lines[number] for number in common)
    return Overlap(changed, frozenset(common))


def share(new: Shown, numbers: frozenset[int] | None) -> float:
    """Return the part of a result, by characters, that these lines of it make up."""
    if numbers is None or not new.lines:
        return 1.0 if numbers is None else 0.0
    whole = sum(len(line) + 1 for line in new.lines.values())
    return sum(len(new.lines[number]) + 1 for number in numbers) / whole
