"""Trim: whole turns leave, oldest first, behind one constant notice."""

from __future__ import annotations

import hashlib
from bisect import insort

from windowkeeper_cli.model.block import Text, units_of
from windowkeeper_cli.model.decision import Insert, Removable, Retract, TakeOut
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.item import NOTICE_PREFIX
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.visit import Moves, Visit

TEXT = RuleText(
    name="trim.enabled",
    kind="rule",
    what="At a re-plan, whole turns leave, oldest first, and one notice that never changes stands for them all.",
    why="Where cutting and moving out is not enough, the oldest turns go; a constant notice keeps the cache.",
    key="trim.enabled",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(),
        expect=("trim", 1),
    ),
)


def trim_list_id(first_id: str) -> str:
    """Return the id of a session's trim list: 12 hex digits of the SHA-256 of `trim:` and its first item's id."""
    return hashlib.sha256(f"trim:{first_id}".encode()).hexdigest()[:12]


def notice_text(list_id: str) -> str:
    """Return the notice that stands at the first missing turn."""
    return (
        f"{NOTICE_PREFIX}: earlier turns have left this window to make room. Nothing was summarized or deleted; "
        f'recall("{list_id}") lists what left, with the id of each part.]'
    )


class Trim:
    """Knows which turns are missing, and where the notice stands."""

    def __init__(self) -> None:
        self._missing: list[int] = []
        self._slot: int | None = None
        self._adopted = False

    def step(self, now: Pass) -> Moves:
        """Take out removable turns until the target is met, the notice counted in."""
        view = now.visit.view
        self._adopt(now.visit)
        price = 0 if self._slot is not None else self._notice(now.visit).tokens
        need = view.tokens + price - now.target
        picked: list[Removable] = []
        freed = 0
        for verdict in now.visit.gate.verdicts():
            if freed >= need:
                break
            if isinstance(verdict, Removable):
                picked.append(verdict)
                freed += verdict.tokens
            else:
                now.refused(verdict)
        if freed <= price:
            return
        for removable in picked:
            for turn in removable.turns:
                insort(self._missing, turn)
            yield TakeOut("trim", TEXT.name, removable.items, "whole turn")

    def returned(self, turn: int) -> None:
        """Note that a turn has come back."""
        if turn in self._missing:
            self._missing.remove(turn)

    def settle(self, visit: Visit) -> Moves:
        """Put the notice at the first missing turn, and take it away where nothing is missing."""
        self._adopt(visit)
        want = 2 * visit.view.turn_items(self._missing[0]).start if self._missing else None
        if want == self._slot:
            return
        if want is None:
            assert self._slot is not None
            yield Retract(self._slot, TEXT.name, detail="nothing is missing any more")
        else:
            yield self._notice(visit, want, () if self._slot is None else (self._slot,))
        self._slot = want

    def _adopt(self, visit: Visit) -> None:
        """Take over, once, a notice that stands from visits before the first of this strategy."""
        if self._adopted:
            return
        self._adopted = True
        view = visit.view
        self._slot = next((insert.slot for insert in view.inserted() if insert.rule == TEXT.name), None)
        if self._slot is not None:
            turns = range(visit.item(view.held - 1).turn + 1)
            self._missing = [turn for turn in turns if not view.standing_items(turn)]

    def _notice(self, visit: Visit, slot: int = 0, replaces: tuple[int, ...] = ()) -> Insert:
        list_id = trim_list_id(visit.item(0).id)
        text = notice_text(list_id)
        tokens = visit.counter.blocks((Text(text),))
        return Insert(slot, "notice", list_id, text, tokens, units_of(text), TEXT.name, replaces=replaces)
