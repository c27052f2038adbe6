"""Tiered: pin, state, evict, compact; classes by flags, in one batch at a share of the limit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from windowkeeper_cli.model.block import Text, units_of
from windowkeeper_cli.model.decision import FULL, Insert, Removable, TakeOut
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.item import SUMMARY_PREFIX, Item
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Protect, Settings
from windowkeeper_cli.rules.over_limit import OverLimit, what_holds
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.stub import args_of_call, outcome_of, subject_of
from windowkeeper_cli.rules.visit import Facts, Moves, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain
from windowkeeper_cli.strategies.summarizer import Modelled

RULE = "tiered.targetShare"
EVICT = "tiered.evictOverTokens"
STATE = "state"
TEXT = RuleText(
    name="tiered",
    kind="strategy",
    what="Over a share of the limit: bulk results become receipts, irreversible facts lines, the middle a summary.",
    why="What can be had again should go first; what was done must never be forgotten, or it is done twice.",
    key=RULE,
    source="an article on what an agent should forget",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1, "log line " * 400), calls(2), gives(2)),
        policy={"strategy": "tiered", "tiered": {"limit": 500, "keepRecentItems": 2}},
        expect=("evict", 2),
    ),
)
READS = ("tiered",)


@dataclass(slots=True)
class Batch:
    """What one visit folds: whole turns, and the state lines that stay of them."""

    turns: list[Removable] = field(default_factory=list)
    items: int = 0


class Tiered(Plain):
    """Keeps pins, lists state, files receipts, and folds the rest of the middle once there is enough of it."""

    name = TEXT.name
    reads = READS
    protect = Protect(latest_user_turns=0, recent_turns=0, pinned=True, tags=(), task=True)
    guards = (
        "current-request",
        "system-envelope",
        "paused-tool",
        "pending-check-in",
        "unresolved-tool-call",
        "pinned",
        "protected-task",
        "split-pair",
    )

    def __init__(self, settings: Settings) -> None:
        self._own = settings.tiered
        self.limit = int(round(self._own.limit * self._own.target_share, 6))
        self._told: set[int] = set()
        self._state: list[str] = []
        self._slot: int | None = None
        self._folded = 0
        self._ask = Modelled(self._own.summary_tokens)
        self._over_limit = OverLimit()

    def plan(self, visit: Visit) -> Plan:
        """Act in one batch where the window is over its share of the limit."""
        assert self.limit is not None
        if visit.view.tokens <= self.limit:
            self._over_limit.end_stretch()
            return None
        now = Pass(visit, self.limit, self.limit, self._told)
        end = visit.view.held - self._own.keep_recent_items
        batch = self._foldable(now, end)
        yield from self._receipts(now, end, {at for turn in batch.turns for at in turn.items})
        yield from self._fold(visit, batch)
        if now.over_limit:
            yield from self._fold(visit, self._receipted(now, end))
        holds = what_holds(visit) if now.over_limit else ()
        yield from self._over_limit.step(now, holds)
        return Facts(
            ("tokens",),
            limit=self.limit,
            target=self.limit,
            replanned=True,
            refusals=tuple(now.refusals),
            target_missed=holds,
            fields={"summary": self._how} if batch.turns and self._folded else {},
        )

    def _foldable(self, now: Pass, end: int) -> Batch:
        """Return the turns of the middle that hold nothing to be kept in place; too few of them are left alone."""
        found = Batch()
        lines: dict[int, str] = {}
        for verdict in now.visit.gate.verdicts():
            if not isinstance(verdict, Removable):
                now.refused(verdict)
            elif all(at < end and self._folds(now.visit, at) for at in verdict.items):
                found.turns.append(verdict)
                found.items += sum(now.visit.item(at).retention != STATE for at in verdict.items)
        if found.items < self._own.min_middle:
            found.turns = [turn for turn in found.turns if any(_is_state(now.visit.item(at)) for at in turn.items)]
            found.items = 0
        for turn in found.turns:
            lines.update((at, _fact(now.visit, at)) for at in turn.items if _is_state(now.visit.item(at)))
        self._state.extend(lines[at] for at in sorted(lines))
        return found

    def _receipted(self, now: Pass, end: int) -> Batch:
        """Return as many of the oldest turns of the middle, their receipts with them, as bring it under the limit."""
        assert self.limit is not None
        found = Batch()
        need = now.visit.view.tokens - self.limit
        for verdict in now.visit.gate.verdicts():
            if need <= 0:
                break
            if isinstance(verdict, Removable) and all(at < end for at in verdict.items):
                found.turns.append(verdict)
                found.items += len(verdict.items)
                need -= verdict.tokens
        states = (at for turn in found.turns for at in turn.items if _is_state(now.visit.item(at)))
        self._state.extend(_fact(now.visit, at) for at in sorted(states))
        return found

    def _folds(self, visit: Visit, at: int) -> bool:
        item = visit.item(at)
        if not item.is_result or item.effect is not None:
            return True
        return visit.view.form(at) is FULL and visit.view.size(at) <= self._own.evict_over_tokens

    def _receipts(self, now: Pass, end: int, folded: set[int]) -> Moves:
        for at in _middle(now.visit, end):
            item = now.visit.item(at)
            if at in folded or not item.is_result or now.visit.view.form(at) is not FULL:
                continue
            if now.visit.view.size(at) <= self._own.evict_over_tokens or now.refused(now.visit.gate.may_move(at)):
                continue
            move = now.stub(at, "evict", EVICT, "")
            if move is not None:
                yield move

    def _fold(self, visit: Visit, batch: Batch) -> Moves:
        if not batch.turns:
            return
        for turn in batch.turns:
            yield TakeOut("fold", RULE, turn.items)
        self._folded += batch.items
        first = min(min(turn.items) for turn in batch.turns) * 2
        slot = first if self._slot is None else min(first, self._slot)
        yield self._stand_in(visit, slot)
        self._slot = slot

    def _stand_in(self, visit: Visit, slot: int) -> Insert:
        list_id = hashlib.sha256(f"fold:{visit.item(0).id}".encode()).hexdigest()[:12]
        text, self._how = self._ask(visit) if self._folded else ("", "")
        facts = "".join(f"- {line}\n" for line in self._state)
        head = f'{SUMMARY_PREFIX}: recall("{list_id}") lists what this stands for.]\n'
        whole = f"{head}{facts}{text}"
        return Insert(
            slot,
            "summary" if self._folded else "state",
            list_id,
            whole,
            visit.counter.blocks((Text(whole),)),
            units_of(whole),
            RULE,
            replaces=() if self._slot is None else (self._slot,),
            detail=f"{len(self._state)} facts, {self._folded} items folded",
        )

    _how = ""


def _is_state(item: Item) -> bool:
    return item.retention == STATE


def _fact(visit: Visit, at: int) -> str:
    """Return the line that keeps an irreversible fact: tool, arguments, outcome, id."""
    item, blocks = visit.item(at), visit.blocks(at)
    args = args_of_call(visit.blocks(item.answers), item.tool_call_id) if item.answers >= 0 else ""
    return f'done: {subject_of(item, args)}; {outcome_of(item, blocks)}; recall("{item.id}")'


def _middle(visit: Visit, end: int) -> Iterator[int]:
    turn = visit.view.oldest()
    while turn is not None:
        for at in visit.view.turn_items(turn):
            if at < end:
                yield at
        turn = visit.view.after(turn)


make = Tiered
