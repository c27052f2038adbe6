"""What does a true request keep of the window before it? The gaps between the messages that stand in both."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from windowkeeper_cli.model.value import NamedTuple


class Gap(NamedTuple):
    """Old places `start` to `end` gave way to new places `first` to `last`; `final` is the gap at the end of both."""

    start: int
    end: int
    first: int
    last: int
    final: bool


def gaps_between(old: Sequence[int], new: Sequence[int]) -> list[Gap]:
    """Return the gaps in order, empty ones left out; the most common case, mere growth, takes one pass."""
    same = 0
    for before, after in zip(old, new, strict=False):
        if before != after:
            break
        same += 1
    if same == len(old):
        return [Gap(same, same, same, len(new), final=True)] if same < len(new) else []
    blocks = SequenceMatcher(None, old[same:], new[same:], autojunk=False).get_matching_blocks()
    found: list[Gap] = []
    start = first = same
    for block in blocks:
        end, last = same + block.a, same + block.b
        if end > start or last > first:
            found.append(Gap(start, end, first, last, final=end == len(old) and last == len(new)))
        start, first = end + block.size, last + block.size
    return found
