"""The gate: the guards in order, bound to one visit; the only maker of permissions to leave."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.guards.pins import Observations, admit, pin_candidates
from windowkeeper_cli.guards.removal import INSIDE, SPLIT_PAIR, Removal, plan
from windowkeeper_cli.model.decision import Form, Refusal, Removable


def guards_named(names: Sequence[str]) -> tuple[Guard, ...]:
    """Return the guards called `names`, in the one order in which guards are asked."""
    wanted = set(names)
    return tuple(GUARDS.module(name).GUARD for name in GUARDS.names if name in wanted)


class Gate:
    """Answers who may leave at this visit, and remembers whom it let go; `asked` counts the questions."""

    def __init__(self, guards: Sequence[Guard], case: Case, keep_recent: int) -> None:
        self._guards = guards
        self._item_guards = tuple(guard for guard in guards if guard.moves)
        self._flag_guards = tuple(guard for guard in guards if guard.by_flag)
        self._splits = any(guard.text.name == SPLIT_PAIR for guard in guards)
        self._case = case
        self._granted: set[int] = set()
        self.asked = 0
        case.keep_from = _keep_from(case, keep_recent)
        case.others_refuse = self._others_refuse

    def verdicts(self) -> Iterator[Removable | Refusal]:
        """Yield a verdict for each turn in the window, oldest first, lazily; turns that leave together once."""
        view = self._case.view
        turn = view.oldest()
        seen: set[int] = set()
        while turn is not None:
            if turn not in seen:
                verdict = self._verdict(turn)
                if isinstance(verdict, Removable):
                    seen.update(verdict.turns)
                yield verdict
            turn = view.after(turn)

    def plan_removal(self, keep_recent: int, *, not_a_lone_summary: bool = False) -> Removal:
        """Plan the first run of turns, older than the newest `keep_recent`, that nothing holds, and grant it."""
        case = self._case
        outside = max(0, case.view.turn_count - keep_recent)
        observations: Observations | None = None
        if case.stand_down:
            observations = Observations((), 0, case.pin_limit, stand_down=True)
        elif outside and case.pin_limit:
            observations = admit(pin_candidates(case.view, case.anchor), case.pin_limit, outside)
        case.pinned = frozenset(pin.turn for pin in observations.pinned) if observations else frozenset()
        removal = plan(case, self._reason_but_place, keep_recent, not_a_lone_summary, self._splits)
        self._granted.update(removal.items)
        return replace(removal, observations=observations)

    def may_move(self, at: int) -> Refusal | None:
        """Return why one item may not be cut, moved out or cleared, or None: then it may."""
        return self._ask(self._item_guards, at)

    def may_cut(self, at: int) -> Refusal | None:
        """Return why even a sinking run may not cut this item (an author's flag), or None: then it may."""
        return self._ask(self._flag_guards, at)

    def partners(self, turn: int) -> tuple[int, ...]:
        """Return the turns that calls and results bind together with `turn`, itself included, oldest first."""
        return self._case.partners(turn)

    def still_keeps(self, reason: str, at: int, *, whole_turn: bool) -> bool | None:
        """Return whether the guard `reason` keeps an item, or its whole turn, as the window stands now.

        None where that cannot be told without another plan: a pin, a pair of a planned span, or no guard's reason.
        """
        guard = next((guard for guard in self._guards if guard.text.name == reason), None)
        if guard is None:
            return None
        case = self._case
        keeps = guard.keeps_turn(case, case.item(at).turn) if whole_turn else guard.keeps_item(case, at)
        return True if keeps else False if guard.moves else None

    def granted(self, at: int) -> bool:
        """Return whether this gate gave the item leave to go at this visit."""
        return at in self._granted

    def _ask(self, guards: Sequence[Guard], at: int) -> Refusal | None:
        self.asked += 1
        case = self._case
        for guard in guards:
            if guard.keeps_item(case, at):
                return Refusal(guard.text.name, case.item(at).turn, at, case.view.size(at), scope="item")
        self._granted.add(at)
        return None

    def _verdict(self, turn: int) -> Removable | Refusal:
        case = self._case
        reason = self._reason(turn)
        if reason is not None:
            return Refusal(reason, turn, case.view.turn_items(turn).start, case.view.turn_tokens(turn))
        turns = case.partners(turn) if self._splits else (turn,)
        items = tuple(at for each in turns for at in case.view.turn_items(each) if case.view.form(at) is not Form.OUT)
        self._granted.update(items)
        return Removable(turns, items, sum(case.view.size(at) for at in items))

    def _reason(self, turn: int, but: Container[str] = ()) -> str | None:
        self.asked += 1
        for guard in self._guards:
            name = guard.text.name
            if name not in but and guard.keeps_turn(self._case, turn):
                return name
        return None

    def _others_refuse(self, turn: int) -> bool:
        return self._reason(turn, (SPLIT_PAIR,)) is not None

    def _reason_but_place(self, turn: int) -> str | None:
        """Ask the guards that do not depend on the span or on the number of turns."""
        return self._reason(turn, (SPLIT_PAIR, INSIDE))


def _keep_from(case: Case, keep_recent: int) -> int:
    turn = case.view.newest()
    if turn is None or keep_recent <= 0:
        return case.newest + 1
    for _ in range(keep_recent - 1):
        older = case.view.before(turn)
        if older is None:
            break
        turn = older
    return turn
