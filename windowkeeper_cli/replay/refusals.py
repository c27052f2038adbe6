"""Refusals of a session: what was asked to leave and stayed, by reason, and the visits that removed nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from windowkeeper_cli.guards.removal import LONE_SUMMARY
from windowkeeper_cli.model.decision import Form, Refusal
from windowkeeper_cli.model.ledger import Step, VisitLine
from windowkeeper_cli.replay.session import Session

LEFT, RELEASED, HOLDS = "left", "released", "holds"
PASSIVE = frozenset({"resurface", "expire"})
"""Triggers that ask for no room: such a visit wanted nothing to leave."""
Key = tuple[str, str, int, int, str | None]


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """One reason that kept one turn, item or text of ours: `tokens` is what it held when it was last refused.

    `turn` is -1 for a text of ours, and `ours` then its id, `stands` what it is. `ended` is `left` (it is no longer
    there, or for an item no longer in full), `holds` (the reason still keeps it), or `released` (it is there, and
    the reason keeps it no longer).
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
    ours: str | None = None
    stands: str | None = None


@dataclass(frozen=True, slots=True)
class EmptyVisit:
    """A visit that wanted room and removed nothing, with its refusals counted by reason.

    `tokens` is the window that it met. No reason at all means that nothing was asked (trigger `waiting`), or that
    nothing was there to ask.
    """

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
    """What `refusals` reports; made from the steps of a session, one after another.

    `engaged` counts the visits that engaged, `refusing` those that met a refusal, `by_reason` those that met each
    reason.
    """

    rows: dict[Key, RefusalRow] = field(default_factory=dict)
    empty: list[EmptyVisit] = field(default_factory=list)
    stand_downs: list[int] = field(default_factory=list)
    engaged: int = 0
    refusing: int = 0
    by_reason: Counter[str] = field(default_factory=Counter)
    _last_asking: int = 0
    _runs: list[list[int]] = field(default_factory=lambda: [[]])
    _ours: dict[int, tuple[str, str]] = field(default_factory=dict)

    def add(self, step: Step) -> None:
        """Take in one step."""
        visit = step.visit
        if visit is None:
            return
        self.engaged += 1
        self.refusing += bool(visit.refusals)
        self.by_reason.update(dict.fromkeys((refusal.reason for refusal in visit.refusals), 1))
        for refusal in visit.refusals:
            self._note(refusal, visit.call)
        removed = _removed(step, visit)
        if not set(visit.trigger.split("+")) <= PASSIVE:
            self._last_asking = visit.call
            if not removed:
                self._note_empty(visit)
        observations = visit.facts.get("observations")
        if isinstance(observations, dict) and observations.get("standDown"):
            self.stand_downs.append(visit.call)
        self._follow_wedge(visit, removed=removed)
        for line in step.lines:
            if line.slot is not None and line.action == "insert":
                self._ours[line.slot] = (line.item, line.stands or "")

    @property
    def wedges(self) -> list[Wedge]:
        """Return the runs of two visits or more that could only refuse one summary, the present one included."""
        return [Wedge(LONE_SUMMARY, run[0], run[-1]) for run in self._runs if len(run) > 1]

    def finish(self, session: Session) -> list[RefusalRow]:
        """Return the rows in order of first refusal, each with how it ended in the session's window now."""
        return [replace(row, ended=self._ended(row, session)) for row in self.rows.values()]

    def _note(self, refusal: Refusal, call: int) -> None:
        ours, stands = self._ours.get(2 * refusal.at, (None, None)) if refusal.turn < 0 else (None, None)
        key = (refusal.reason, refusal.scope, refusal.turn, refusal.at, ours)
        old = self.rows.get(key)
        first, visits = (call, 1) if old is None else (old.first_call, old.visits + (old.last_call != call))
        self.rows[key] = RefusalRow(
            refusal.reason,
            refusal.scope,
            refusal.turn,
            refusal.at,
            refusal.tokens,
            first,
            call,
            visits,
            ours=ours,
            stands=stands,
        )

    def _note_empty(self, visit: VisitLine) -> None:
        counted = Counter(refusal.reason for refusal in visit.refusals)
        self.empty.append(
            EmptyVisit(visit.call, visit.trigger, visit.tokens_before, visit.limit, tuple(counted.items()))
        )

    def _ended(self, row: RefusalRow, session: Session) -> str:
        still: bool | None = None
        if row.ours is not None:
            standing = session.fold.insert_at(2 * row.at)
            if standing is None or standing.item != row.ours:
                return LEFT
        else:
            form = session.fold.form(row.at)
            if form is Form.OUT or (row.scope == "item" and form is not Form.FULL):
                return LEFT
            still = session.gate.still_keeps(row.reason, row.at, whole_turn=row.scope == "turn")
        if still is None:
            still = row.last_call == self._last_asking
        return HOLDS if still else RELEASED

    def _follow_wedge(self, visit: VisitLine, *, removed: bool) -> None:
        if not removed and any(refusal.reason == LONE_SUMMARY for refusal in visit.refusals):
            self._runs[-1].append(visit.call)
        elif self._runs[-1]:
            self._runs.append([])


def _removed(step: Step, visit: VisitLine) -> bool:
    """Return whether a visit took anything out: an item of the transcript, or a text of ours by the record."""
    told = visit.facts.get("removedMessageCount")
    if isinstance(told, int) and told > 0:
        return True
    return any(line.at is not None and line.moves and line.form_after < line.form_before for line in step.lines)


def refusals_of(steps: Iterable[Step]) -> Refusals:
    """Return the refusals of a session's steps; the session must be run to the call asked for."""
    found = Refusals()
    for step in steps:
        found.add(step)
    return found
