"""Where do two policies' windows part, and which items does one hold in full that the other does not?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.in_force import place

FULL, OUT = Form.FULL, Form.OUT


class Held(NamedTuple):
    """How one side holds an item: its form, its tokens in the window, and the rule of its last move, if any."""

    form: Form
    tokens: int
    rule: str | None


class Apart(NamedTuple):
    """An item that one side has in full (`in_a`: side A) and the other not, from call `since`, up to `until`.

    `until` is the call at which that ended, None where it still holds. `gap` is the first use, under the side that
    lacks it, that the item was the source for.
    """

    at: int
    in_a: bool
    since: int
    until: int | None
    a: Held
    b: Held
    gap: Gap | None = None


class Parting(NamedTuple):
    """The first call at which the windows differ: both sides' steps, and the lowest slot that differs.

    `in_a` and `in_b` are the lines in force on that slot, None where no line ever moved it.
    """

    call: int
    a: Step
    b: Step
    slot: int
    in_a: DecisionLine | None
    in_b: DecisionLine | None


class Difference(NamedTuple):
    """How two runs over one transcript differ: where they part (None: never), and the items up to the call asked for.

    `otherwise` counts items that neither side has in full there, in another form or text.
    """

    parts: Parting | None
    items: tuple[Apart, ...]
    otherwise: int


def parting_of(a: Sequence[Step], b: Sequence[Step]) -> Parting | None:
    """Return the first call at which the windows of two runs over one transcript differ, None where they never do."""
    comparing = _Comparing(())
    for one, other in zip(a, b, strict=True):
        comparing.take(one, other)
        if comparing.parts is not None:
            return comparing.parts
    return None


def difference_of(
    a: Sequence[Step], b: Sequence[Step], tokens: Sequence[int], call: int | None = None, *, ever: bool = False
) -> Difference:
    """Return how two runs over one transcript differ; both have a step for each call, from the first.

    `tokens` are those of the items in full. Items are those at `call`, None for the last call that moved something on
    either side; with `ever`, a row for each stretch of calls up to it.
    """
    if call is None:
        call = last_moving(a, b)
    comparing = _Comparing(tokens)
    for one, other in zip(a, b, strict=True):
        if one.call > call:
            break
        comparing.take(one, other)
    parts = comparing.parts or parting_of(a, b)
    return Difference(parts, comparing.items(ever=ever), comparing.otherwise())


def last_moving(a: Iterable[Step], b: Iterable[Step]) -> int:
    """Return the last call at which either side moved something; the last call where none ever did."""
    last = moved = 0
    for one, other in zip(a, b, strict=True):
        last = one.call
        if any(line.moves for line in (*one.lines, *other.lines)):
            moved = last
    return moved or last


def with_gaps(items: Iterable[Apart], a: Iterable[Gap], b: Iterable[Gap]) -> tuple[Apart, ...]:
    """Return the items with the gap that followed under the side that lacks each, within the stretch it speaks of."""
    by_source: tuple[dict[int, list[Gap]], dict[int, list[Gap]]] = ({}, {})
    for side, gaps in zip(by_source, (a, b), strict=True):
        for gap in gaps:
            if gap.source is not None:
                side.setdefault(gap.source, []).append(gap)
    return tuple(one._replace(gap=_followed(one, by_source[one.in_a].get(one.at, ()))) for one in items)


def _followed(one: Apart, gaps: Iterable[Gap]) -> Gap | None:
    """Return the first gap of the departure that an item is apart by."""
    for gap in gaps:
        ended = one.until is not None and gap.call >= one.until
        if gap.call >= one.since and not ended and (gap.left_call is None or gap.left_call <= one.since):
            return gap
    return None


class _Comparing:
    """Both sides as their decision lines leave them; only slots that a visit touched are looked at again."""

    def __init__(self, tokens: Sequence[int]) -> None:
        self.parts: Parting | None = None
        self._tokens = tokens
        self._sides: tuple[dict[int, DecisionLine], dict[int, DecisionLine]] = ({}, {})
        self._differ: set[int] = set()
        self._since: dict[int, tuple[int, bool]] = {}
        self._closed: list[Apart] = []
        self._held: dict[int, tuple[Held, Held]] = {}

    def take(self, a: Step, b: Step) -> None:
        """Take in one call of both sides."""
        if not (a.lines or b.lines):
            return
        touched: dict[int, None] = {}
        for side, step in zip(self._sides, (a, b), strict=True):
            for line in step.lines:
                if line.moves:
                    side[place(line)] = line
                    touched[place(line)] = None
        for slot in touched:
            one, other = (side.get(slot) for side in self._sides)
            if _shown(one) == _shown(other):
                self._differ.discard(slot)
            else:
                self._differ.add(slot)
            if slot % 2 and self._tokens:
                self._compare(slot // 2, one, other, a.call)
        if self.parts is None and self._differ:
            slot = min(self._differ)
            self.parts = Parting(a.call, a, b, slot, *(side.get(slot) for side in self._sides))

    def _compare(self, at: int, one: DecisionLine | None, other: DecisionLine | None, call: int) -> None:
        """Note whether the item is in full on one side only, since when, and how both hold it."""
        held = (self._hold(at, one), self._hold(at, other))
        in_a, in_b = held[0].form is FULL, held[1].form is FULL
        was = self._since.get(at)
        if was is not None and (in_a, in_b) != (was[1], not was[1]):
            del self._since[at]
            self._closed.append(Apart(at, was[1], was[0], call, *self._held[at]))
            was = None
        if was is None and in_a != in_b:
            self._since[at] = (call, in_a)
        self._held[at] = held

    def _hold(self, at: int, line: DecisionLine | None) -> Held:
        if line is None:
            return Held(FULL, self._tokens[at], None)
        return Held(line.form_after, line.tokens_after, line.rule)

    def items(self, *, ever: bool) -> tuple[Apart, ...]:
        """Return the items that are apart now, with `ever` those that were too, by place and call."""
        found = [Apart(at, in_a, since, None, *self._held[at]) for at, (since, in_a) in self._since.items()]
        return tuple(sorted([*found, *self._closed] if ever else found, key=lambda one: (one.at, one.since)))

    def otherwise(self) -> int:
        """Return how many items neither side has in full now, and that stand differently."""
        return sum(1 for slot in self._differ if slot % 2 and slot // 2 not in self._since)


def _shown(line: DecisionLine | None) -> object:
    """Return what the window has at a slot after a line, None for an item in full and for no text of ours."""
    if line is None or line.action == "retract" or (line.at is not None and line.form_after is FULL):
        return None
    if line.at is None:
        return line.stands, line.item, line.text
    return (OUT,) if line.form_after is OUT else (line.form_after, line.text, line.cut)
