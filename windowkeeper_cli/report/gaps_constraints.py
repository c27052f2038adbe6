"""Which values of `protect.patterns` would have kept the constraints that left, ready to be pasted?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from windowkeeper_cli.replay.gaps.constraint import constraint_of
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.report.sheet import Prose
from windowkeeper_cli.report.subject import Subject

MOST = 12
"""Patterns that a page shows; the document has all."""
_DELETE = {0x7F: "\\u007f"}


def pattern_of(subject: Subject, gap: Gap) -> str | None:
    """Return a pattern that keeps what a constraint gap speaks of, None for another gap."""
    found = constraint_of(subject.transcript, gap)
    return None if found is None else found.pattern


def patterns_of(subject: Subject, gaps: Sequence[Gap]) -> tuple[str, ...]:
    """Return the fewest patterns that keep every item with a constraint gap: one for each of these items, in order."""
    by_item: dict[int | None, str] = {}
    for gap in gaps:
        found = pattern_of(subject, gap)
        if found is not None:
            by_item.setdefault(gap.source, found)
    return tuple(dict.fromkeys(by_item.values()))


def keeping(subject: Subject, gaps: Sequence[Gap]) -> Iterator[Prose]:
    """Yield a section of a policy file that keeps the constraints that left, where there are any.

    A pattern holds no character that JSON and TOML would write differently.
    """
    patterns = patterns_of(subject, gaps)
    if not patterns:
        return
    shown = [f"    {json.dumps(pattern, ensure_ascii=False)}," for pattern in patterns[:MOST]]
    if len(patterns) > MOST:
        shown.append(f"    # and {len(patterns) - MOST:,} more, which the JSON document has")
    text = "\n".join(("[protect]", "patterns = [", *shown, "]"))
    yield Prose(text, "what keeps these constraints, in a policy file", as_is=True)
