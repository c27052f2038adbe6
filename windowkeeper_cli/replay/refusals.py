"""Refusals of a session: what was asked to leave and stayed, by reason, and the visits that removed nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from windowkeeper_cli.guards.removal import LONE_SUMMARY
from windowkeeper_cli.model.decision import Form, Refusal
from windowkeeper_cli.model.ledger import Step, VisitLine
from windowkeeper_cli.replay.fold import Fold

LEFT, RELEASED, HOLDS = "left", "released", "holds"
_PASSIVE = frozenset({"waiting", "resurface", "expire"})
Key = tuple[str, str, int, int]


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """One reason that kept one turn or item: `tokens` is what it held when it was last asked.

    `ended` is `left` (it is no longer in full), `released` (the last visit that asked did not refuse it), or
    `holds`.
    """

    reason: str
    scope: str
    turn: int
    at: int
    tokens: int
    first_call: int
    last_call: int
    visits: int
    ended: str = HOLDS


@dataclass(frozen=True, slots=True)
class EmptyVisit:
    """A visit that wanted to remove something and removed nothing, with its refusals counted by reason."""

    call: int
    trigger: str
    tokens: int
    limit: int | None
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Wedge:
    """A run of visits, `first` to `last`, that one reason kept from removing anything, without an end of its own."""

    reason: str
    first: int
    last: int


@dataclass(slots=True)
class Refusals:
    """What `refusals` reports; made from the steps of a session, one after another."""

    rows: dict[Key, RefusalRow] = field(default_factory=dict)
    empty: list[EmptyVisit] = field(default_factory=list)
    stand_downs: list[int] = field(default_factory=list)
    wedges: list[Wedge] = field(default_factory=list)
    _last_asking: int = 0
    _wedged: list[int] = field(default_factory=list)

    def add(self, step: Step) -> None:
        """Take in one step."""
        visit = step.visit
        if visit is None:
            return
        moved = any(line.moves for line in step.lines)
        if visit.refusals:
            self._last_asking = visit.call
        for refusal in visit.refusals:
            self._note(refusal, visit.call)
        if not moved and not set(visit.trigger.split("+")) <= _PASSIVE:
            counted = Counter(refusal.reason for refusal in visit.refusals)
            self.empty.append(
                EmptyVisit(visit.call, visit.trigger, visit.tokens_before, visit.limit, tuple(counted.items()))
            )
        observations = visit.facts.get("observations")
        if isinstance(observations, dict) and observations.get("standDown"):
            self.stand_downs.append(visit.call)
        self._follow_wedge(visit, moved=moved)

    def finish(self, fold: Fold) -> list[RefusalRow]:
        """Return the rows in order of first refusal, each with how it ended in the last window."""
        self._close_wedge()
        return [replace(row, ended=self._ended(row, fold)) for row in self.rows.values()]

    def _note(self, refusal: Refusal, call: int) -> None:
        key = (refusal.reason, refusal.scope, refusal.turn, refusal.at)
        old = self.rows.get(key)
        first, visits = (call, 1) if old is None else (old.first_call, old.visits + (old.last_call != call))
        self.rows[key] = RefusalRow(
            refusal.reason, refusal.scope, refusal.turn, refusal.at, refusal.tokens, first, call, visits
        )

    def _ended(self, row: RefusalRow, fold: Fold) -> str:
        if row.turn < 0:
            return HOLDS if row.last_call == self._last_asking else LEFT
        form = fold.form(row.at)
        if form is Form.OUT or (row.scope == "item" and form is not Form.FULL):
            return LEFT
        return HOLDS if row.last_call == self._last_asking else RELEASED

    def _follow_wedge(self, visit: VisitLine, *, moved: bool) -> None:
        if not moved and any(refusal.reason == LONE_SUMMARY for refusal in visit.refusals):
            self._wedged.append(visit.call)
        else:
            self._close_wedge()

    def _close_wedge(self) -> None:
        if len(self._wedged) > 1:
            self.wedges.append(Wedge(LONE_SUMMARY, self._wedged[0], self._wedged[-1]))
        self._wedged = []


def refusals_of(steps: Iterable[Step]) -> Refusals:
    """Return the refusals of a session's steps; the session must be run to the call asked for."""
    found = Refusals()
    for step in steps:
        found.add(step)
    return found
