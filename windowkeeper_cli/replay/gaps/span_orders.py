"""Which standing orders of a span does its summary keep: word for word, in other words, or not at all?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.constraint import Constraint, constraints_in
from windowkeeper_cli.replay.gaps.spans import Span
from windowkeeper_cli.replay.gaps.wording import Wording, words_of

KEPT, REWORDED, LOST = "kept", "reworded", "lost"
SHARE = 2 / 3
"""Share of an order's telling words that one line of the summary has to have to count as its rewording."""
SHORTEST = 4
"""Letters of a word that tells something."""


class Kept(NamedTuple):
    """A standing order of a span: the summary's line (from 1) that keeps or rewords it, None where it is lost."""

    order: Constraint
    state: str
    line: int | None


def kept_orders(span: Span, transcript: Transcript) -> Iterator[Kept]:
    """Yield what became of each standing order that left with the span; rewording is a heuristic."""
    items = transcript.items
    stayed = {one.words for at in span.event.kept for one in constraints_in(transcript, items[at])}
    given = (one for at in span.items for one in constraints_in(transcript, items[at]))
    orders = {one.words: one for one in given if one.words not in stayed}
    if not orders:
        return
    wording = Wording(span.summary)
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(span.summary.split("\n"), start=1):
        for word in dict.fromkeys(words_of(line)):
            lines.setdefault(word, []).append(number)
    for words, order in orders.items():
        telling = {word for word in words if len(word) >= SHORTEST} or set(words)
        hits = Counter(number for word in sorted(telling) for number in lines.get(word, ()))
        nearest, count = min(hits.items(), key=lambda hit: (-hit[1], hit[0]), default=(0, 0))
        if wording.says(words):
            yield Kept(order, KEPT, nearest or None)
        elif count >= SHARE * len(telling):
            yield Kept(order, REWORDED, nearest)
        else:
            yield Kept(order, LOST, None)
