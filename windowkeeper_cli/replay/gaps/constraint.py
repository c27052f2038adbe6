"""Constraint: has a standing order of a person, or of the system prompt, left the window?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.decision import CLEARED, FULL
from windowkeeper_cli.model.item import PERSON, SYSTEM, Item
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.unprintable import UNPRINTABLE
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.orders import Order, orders
from windowkeeper_cli.replay.gaps.wording import Wording, words_of
from windowkeeper_cli.replay.session import Session

TEXT = RuleText(
    name="constraint",
    kind="gap kind",
    what="A standing order of a person or of the system prompt (never, always, do not, must, only) has left.",
    why="What was ordered once binds to the end; nobody repeats it, and a model that no longer sees it breaks it.",
)
ASKED = False
PATTERN_CHARS, LOOKED_AT = 48, 1_000
"""Characters of a pattern; of an order that are looked at for one, which its phrase is always among."""
LATE = 60
"""Characters of a sentence before its order that are still shown."""
_BLANKS = re.compile("[ \t\r\n]+")
_MARKS = " \t\r\n.,:;!?()\"'*_"
_META = re.compile(r"[.^$*+?{}\[\]\\|()]")


class Constraint(NamedTuple):
    """A standing order in the item at `at`: its sentence on one line, its words, and a pattern that keeps the item."""

    at: int
    text: str
    words: tuple[str, ...]
    pattern: str


def constraints_of(transcript: Transcript) -> tuple[Constraint, ...]:
    """Return the standing orders of persons and of system texts, in order; those of one item each once."""
    return tuple(one for item in transcript.items for one in constraints_in(transcript, item))


def constraints_in(transcript: Transcript, item: Item) -> Iterable[Constraint]:
    """Return the standing orders that an item gives, each once; only a person and the system give any."""
    if item.role != SYSTEM and item.authored_by != PERSON:
        return ()
    found = (order for text in texts_of(transcript.blocks(item.at)) for order in orders(text))
    given = {words_of(order.sentence.raw): order for order in found}
    return [Constraint(item.at, _told(order), words, pattern_of(order)) for words, order in given.items()]


def pattern_of(order: Order) -> str:
    """Return a value of `protect.patterns` that matches the message which holds an order, by the order's own words."""
    raw = next(part for part in _printable(order.sentence.raw[order.cue :][:LOOKED_AT]) if part)
    if len(raw) > PATTERN_CHARS:
        cut = max(raw.rfind(" ", 0, PATTERN_CHARS + 1), raw.rfind("\n", 0, PATTERN_CHARS + 1))
        raw = raw[: cut if cut > 0 else PATTERN_CHARS].rstrip(_MARKS)
    return _BLANKS.sub(lambda run: " " if run[0] == " " else r"\s+", _META.sub(r"\\\g<0>", raw))


def _printable(raw: str) -> Iterator[str]:
    """Yield the parts of a text between characters that a reader could not see, or a file not hold."""
    odd, start = (*UNPRINTABLE, (0xD800, 0xDFFF)), 0
    for place, char in enumerate((*raw, "\0")):
        if char not in " \t\r\n" and any(first <= ord(char) <= last for first, last in odd):
            yield raw[start:place].strip(_MARKS)
            start = place + 1


def constraint_of(transcript: Transcript, gap: Gap) -> Constraint | None:
    """Return the constraint that a gap of this kind speaks of, None for a gap of another kind."""
    if gap.kind != TEXT.name or gap.source is None:
        return None
    given = constraints_in(transcript, transcript.items[gap.source])
    return next((one for one in given if one.text == gap.use), None)


class Leaving:
    """Counts the copies of each order that stand in the window; a gap is the last of them leaving."""

    def __init__(self, index: Index) -> None:
        self._in_item: dict[int, list[Constraint]] = {}
        for one in constraints_of(index.transcript):
            self._in_item.setdefault(one.at, []).append(one)
        self._coming = sorted(self._in_item, reverse=True)
        self._standing: set[int] = set()
        self._copies: dict[tuple[str, ...], int] = {}
        self._summaries: dict[str, Wording] = {}

    def at_call(self, now: AtCall) -> Iterable[Gap]:
        """Return a gap for each order whose last copy left at this call, and that no summary repeats."""
        while self._coming and self._coming[-1] < now.call.at:
            self._stand(self._coming.pop(), 1)
        moved = {line.at for line in now.lines if line.at is not None and line.at in self._in_item}
        turned = [at for at in sorted(moved) if (at in self._standing) != _stands(now.session, at)]
        for at in turned:
            self._stand(at, -1 if at in self._standing else 1)
        left = [at for at in turned if at not in self._standing]
        return [now.gap(TEXT.name, one.text, None, one.at) for one in self._lost(left) if not self._repeated(now, one)]

    def _stand(self, at: int, change: int) -> None:
        (self._standing.add if change > 0 else self._standing.discard)(at)
        for one in self._in_item[at]:
            self._copies[one.words] = self._copies.get(one.words, 0) + change

    def _lost(self, left: Sequence[int]) -> Iterable[Constraint]:
        """Yield the orders of items that have left of which no copy stands, each once, the newest copy for all."""
        newest = {one.words: one for at in left for one in self._in_item[at] if not self._copies[one.words]}
        return newest.values()

    def _repeated(self, now: AtCall, constraint: Constraint) -> bool:
        """Return whether a summary in the window says the order word for word."""
        for insert in now.session.fold.inserted():
            if insert.stands == "summary":
                wording = self._summaries.get(insert.item)
                if wording is None:
                    wording = self._summaries[insert.item] = Wording(insert.text)
                if wording.says(constraint.words):
                    return True
        return False


def _stands(session: Session, at: int) -> bool:
    """Return whether the item's own text stands; a message cleared without a text of ours keeps it."""
    form, text, _ = session.fold.standing(at)
    return form is FULL or (form is CLEARED and text is None)


def _told(order: Order) -> str:
    """Return an order's sentence on one line, from the order itself on where that comes late."""
    raw = order.sentence.raw
    return _BLANKS.sub(" ", raw if order.cue <= LATE else f"\u2026 {raw[order.cue :]}")


finder: Callable[[Index], Leaving] = Leaving
