"""Does a later result show lines that an earlier one showed, and are they still the same?"""

from __future__ import annotations

import re
from typing import NamedTuple

from windowkeeper_cli.replay.trace_names import REMINDER

_NUMBERED = re.compile("[ \t]*([0-9]{1,7})(?:\u2192|\t)(.*)", re.DOTALL)


class Shown(NamedTuple):
    """What a result shows: its text without what a harness added, and its lines by number where most have one."""

    text: str
    lines: dict[int, str] | None


class Overlap(NamedTuple):
    """What two results have in common: `changed` where they contradict each other, else the numbers of lines that
    both have (None: all of the later result)."""

    changed: bool
    numbers: frozenset[int] | None


def shown(text: str) -> Shown:
    """Return what a result's text shows."""
    body = text.partition(REMINDER)[0].rstrip()
    lines: dict[int, str] = {}
    count = 0
    for line in body.split("\n"):
        count += bool(line.strip())
        match = _NUMBERED.match(line)
        if match:
            lines[int(match[1])] = match[2]
    return Shown(body, lines if 2 * len(lines) > count else None)


def overlap(new: Shown, old: Shown, *, same_question: bool) -> Overlap:
    """Return what a result has in common with an earlier one; `same_question` says that both calls asked the same.

    Results without line numbers can be compared only whole: two that differ contradict each other where the question
    was the same, and have nothing in common where it was not.
    """
    if new.text == old.text:
        return Overlap(False, None)
    if new.lines is None or old.lines is None:
        return Overlap(same_question, frozenset())
    common = new.lines.keys() & old.lines.keys()
    changed = any(new.lines[number] != old.lines[number] for number in common)
    return Overlap(changed, frozenset(common))


def share(new: Shown, numbers: frozenset[int] | None) -> float:
    """Return the part of a result, by characters, that these lines of it make up."""
    if numbers is None or not new.lines:
        return 1.0 if numbers is None else 0.0
    whole = sum(len(line) + 1 for line in new.lines.values())
    return sum(len(new.lines[number]) + 1 for number in numbers) / whole
