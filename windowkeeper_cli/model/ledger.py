"""Ledger lines: one for each decision and for each visit that engaged, keys in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from windowkeeper_cli.model.decision import SAYING, Cut, Form, Refusal
from windowkeeper_cli.model.value import NamedTuple


class Late:
    """A field that costs much to make, and so is made when a ledger line is written."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    def value(self) -> object:
        """Return the field's value; the same at each call."""
        return self._make()


def settled(value: object) -> object:
    """Return a field's value with everything late in it made."""
    if isinstance(value, Late):
        return value.value()
    if isinstance(value, Mapping):
        return {key: settled(part) for key, part in value.items()}
    if isinstance(value, list):
        return [settled(part) for part in value]
    return value


NOTHING: Mapping[str, int] = MappingProxyType({})
NO_FACTS: Mapping[str, object] = MappingProxyType({})
SCHEMA = 1


class LedgerHead(NamedTuple):
    """The first line: which transcript, policy, strategy and counter the ledger speaks of."""

    windowkeeper: str
    mode: str
    transcript: str
    policy: str
    strategy: str
    counter: str

    def as_dict(self) -> dict[str, object]:
        """Return the line's keys in order."""
        return {
            "kind": "ledger",
            "schema": SCHEMA,
            "windowkeeper": self.windowkeeper,
            "mode": self.mode,
            "transcript": self.transcript,
            "policy": self.policy,
            "strategy": self.strategy,
            "counter": self.counter,
        }


class DecisionLine(NamedTuple):
    """One move of one item (`at` is set) or one text of ours (`slot` and `stands` are), net over one visit.

    `tokens_before` and `tokens_after` are the item's share of the window. `form_before` and `form_after` are not
    written: the ledger rebuilds them. `holds` (tokens by rule) and `largest` (item ids) belong to `over-limit`.
    """

    call: int
    action: str
    rule: str
    item: str
    tokens_before: int
    tokens_after: int
    at: int | None = None
    slot: int | None = None
    stands: str | None = None
    turn: int | None = None
    tool: str | None = None
    text: str | None = None
    cut: Cut | None = None
    detail: str = ""
    holds: Mapping[str, int] = NOTHING
    largest: tuple[str, ...] = ()
    form_before: Form = Form.FULL
    form_after: Form = Form.FULL

    @property
    def moves(self) -> bool:
        """Return whether the line changes the window, rather than only saying something."""
        return self.action not in SAYING

    def as_dict(self) -> dict[str, object]:
        """Return the line's keys in order, absent ones left out."""
        line: dict[str, object] = {
            "kind": "decision",
            "call": self.call,
            "action": self.action,
            "rule": self.rule,
        }
        optional: tuple[tuple[str, object], ...] = (
            ("at", self.at),
            ("slot", self.slot),
            ("stands", self.stands),
        )
        line.update((key, value) for key, value in optional if value is not None)
        line["item"] = self.item
        line.update((key, value) for key, value in (("turn", self.turn), ("tool", self.tool)) if value is not None)
        line["tokensBefore"] = self.tokens_before
        line["tokensAfter"] = self.tokens_after
        tail: tuple[tuple[str, object], ...] = (
            ("text", self.text),
            ("cut", None if self.cut is None else list(self.cut)),
            ("detail", self.detail or None),
            ("holds", dict(self.holds) or None),
            ("largest", list(self.largest) or None),
        )
        line.update((key, value) for key, value in tail if value is not None)
        return line


class VisitLine(NamedTuple):
    """One visit that engaged. Tokens count the whole window, envelope included, before and after it decided.

    `new` counts its decision lines that moved something, `in_force` the standing ones from earlier visits.
    `target_missed` says what holds a window that ended over the target, in tokens by rule. `broke_at` is the
    position before which the previous request's prefix ends, where it broke.
    """

    call: int
    run: int
    iteration: int
    trigger: str
    tokens_before: int
    tokens_after: int
    limit: int | None
    target: int | None
    new: int
    in_force: int
    recalled: int
    refusals: tuple[Refusal, ...] = ()
    target_missed: Mapping[str, int] = NOTHING
    broke_at: int | None = None
    facts: Mapping[str, object] = NO_FACTS

    def as_dict(self) -> dict[str, object]:
        """Return the line's keys in order, absent ones left out."""
        line: dict[str, object] = {
            "kind": "visit",
            "call": self.call,
            "run": self.run,
            "iteration": self.iteration,
            "engaged": True,
            "trigger": self.trigger,
            "tokensBefore": self.tokens_before,
            "tokensAfter": self.tokens_after,
        }
        line.update(
            (key, value) for key, value in (("limit", self.limit), ("target", self.target)) if value is not None
        )
        line.update({"new": self.new, "inForce": self.in_force, "recalled": self.recalled})
        if self.target_missed:
            line["targetMissed"] = dict(self.target_missed)
        if self.broke_at is not None:
            line["brokeAt"] = self.broke_at
        line.update((key, settled(value)) for key, value in self.facts.items())
        line["refusals"] = [refusal_dict(refusal) for refusal in self.refusals]
        return line


def refusal_dict(refusal: Refusal) -> dict[str, object]:
    """Return a refusal as it stands in a visit line."""
    line: dict[str, object] = {
        "reason": refusal.reason,
        "scope": refusal.scope,
        "turn": refusal.turn,
        "at": refusal.at,
        "tokens": refusal.tokens,
    }
    if refusal.turn_index is not None:
        line["turnIndex"] = refusal.turn_index
        line["messageIndex"] = refusal.message_index
    return line


class Meter(NamedTuple):
    """What one call cost: tokens of its window, and of the prefix it shares with the previous request.

    `broken` says that the window did not begin with the whole previous request.
    """

    window: int
    prefix: int
    broken: bool
    over_limit: bool = False
    replanned: bool = False


class Step(NamedTuple):
    """One call of a session under a strategy: its visit (None: it did not engage), decision lines and meter."""

    call: int
    visit: VisitLine | None
    lines: tuple[DecisionLine, ...]
    meter: Meter
