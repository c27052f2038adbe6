"""Decisions, insertions and refusals: what a strategy may propose, and what a guard answers."""

from __future__ import annotations

from enum import IntEnum

from windowkeeper_cli.model.value import NamedTuple


class Form(IntEnum):
    """How an item stands in the window."""

    OUT = 0
    CLEARED = 1
    STUB = 2
    TRUNCATED = 3
    FULL = 4


OUT, CLEARED, STUB, TRUNCATED, FULL = Form
"""The forms by name: Python 3.11 takes fifteen times as long to look one up on its class."""
FORM_AFTER = {
    "keep": None,
    "recall": Form.FULL,
    "truncate": Form.TRUNCATED,
    "evict": Form.STUB,
    "expire": Form.STUB,
    "clear": Form.CLEARED,
    "trim": Form.OUT,
    "fold": Form.OUT,
    "insert": None,
    "retract": None,
    "over-limit": None,
    "not-smaller": None,
}
"""Every action, and the form that an item has after it; None where it moves no item."""
SAYING = frozenset({"keep", "over-limit", "not-smaller"})
"""Actions that change nothing: they only say what a visit found."""
Cut = tuple[int, int, int] | tuple[int, int, int, int]
"""(block, from, to) in code points, or (block, from, last block, to) where the cut runs over several blocks."""


class Decision(NamedTuple):
    """One move of one item: `rule` is the policy key, refusal reason or recorded event responsible.

    `text` is the stand-in or marker that takes the place of content. `tokens` and `units` are the item's size in
    the new form. A decision that moves nothing (`keep`, `over-limit`, `not-smaller`) names the form it is in;
    `over-limit` carries `holds`, tokens by protecting rule, and the ids of the `largest` items.
    """

    action: str
    rule: str
    at: int
    form: Form
    tokens: int
    units: int
    text: str | None = None
    cut: Cut | None = None
    detail: str = ""
    holds: tuple[tuple[str, int], ...] = ()
    largest: tuple[str, ...] = ()


class Insert(NamedTuple):
    """A text of ours enters at `slot` (2i stands before item i); `item` is the id that it is recalled by.

    `replaces` are the slots of earlier insertions that it absorbs.
    """

    slot: int
    stands: str
    item: str
    text: str
    tokens: int
    units: int
    rule: str
    replaces: tuple[int, ...] = ()
    detail: str = ""


class Retract(NamedTuple):
    """The text of ours at `slot` leaves, and nothing takes its place."""

    slot: int
    rule: str
    detail: str = ""


class TakeOut(NamedTuple):
    """Items leave the window together, by `trim` or `fold`: a decision for each, proposed at the price of one."""

    action: str
    rule: str
    items: tuple[int, ...]
    detail: str = ""


Proposal = Decision | Insert | Retract | TakeOut


class Refusal(NamedTuple):
    """A guard's answer: `reason` is its name; `turn` and `at` (its first item, or the item) are transcript places.

    `scope` is `turn` or `item`; `tokens` is what the refusal holds in the window now. `turn_index` and
    `message_index` are positions in the window that was visited, where the strategy works by them.
    """

    reason: str
    turn: int
    at: int
    tokens: int
    scope: str = "turn"
    turn_index: int | None = None
    message_index: int | None = None


class Removable(NamedTuple):
    """A gate's permission: the turns that leave together, their items in the window and the tokens these hold."""

    turns: tuple[int, ...]
    items: tuple[int, ...]
    tokens: int
