"""The gate: the guards in order, bound to one visit; the only maker of permissions to leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.guards.asking import Asking
from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.guards.pins import Observations, admit, pin_candidates
from windowkeeper_cli.guards.removal import INSIDE, SPLIT_PAIR, Removal, plan
from windowkeeper_cli.model.decision import Refusal, Removable


def guards_named(names: Sequence[str]) -> tuple[Guard, ...]:
    """Return the guards called `names`, in the one order in which guards are asked."""
    wanted = set(names)
    return tuple(GUARDS.module(name).GUARD for name in GUARDS.names if name in wanted)


class Gate:
    """Answers who may leave at a visit, and remembers whom it let go."""

    def __init__(self, guards: Sequence[Guard], case: Case, keep_recent: int) -> None:
        self._guards = guards
        self._all = Asking(guards, case)
        self._movers = Asking([guard for guard in guards if guard.moves], case)
        self._flags = Asking([guard for guard in guards if guard.by_flag], case)
        self._but_place = Asking([guard for guard in guards if guard.text.name not in (SPLIT_PAIR, INSIDE)], case)
        case.others = [guard for guard in guards if guard.text.name != SPLIT_PAIR]
        self._splits = len(case.others) < len(guards)
        self._case = case
        self._keep_recent = keep_recent
        self._granted: set[int] = set()

    @property
    def asked(self) -> int:
        """Return how many questions have been answered in this session."""
        return self._case.asked

    def visit(self) -> None:
        """Bind the gate to the visit that its case was put before; what it let go at the last one is forgotten."""
        case = self._case
        if self._granted:
            self._granted.clear()
        kept = case.view.newest_turns(self._keep_recent)
        case.keep_from = kept[0] if kept else case.newest + 1

    def verdicts(self) -> Iterator[Removable | Refusal]:
        """Yield a verdict for each turn in the window, oldest first, lazily; turns that leave together once."""
        view = self._case.view
        turn = view.oldest()
        seen: set[int] = set()
        while turn is not None:
            if turn not in seen:
                verdict = self._verdict(turn)
                if type(verdict) is Removable and len(verdict.turns) > 1:
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
            observations = admit(pin_candidates(case.view, case.anchor, outside), case.pin_limit)
        case.pinned = frozenset([pin.turn for pin in observations.pinned]) if observations else frozenset()
        removal = plan(case, self._reason_but_place, keep_recent, not_a_lone_summary, self._splits)
        self._granted.update(removal.items)
        return removal._replace(observations=observations)

    def may_move(self, at: int) -> Refusal | None:
        """Return why one item may not be cut, moved out or cleared, or None: then it may."""
        return self._ask(self._movers, at)

    def may_cut(self, at: int) -> Refusal | None:
        """Return why even a sinking run may not cut this item (an author's flag), or None: then it may."""
        return self._ask(self._flags, at)

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
        keeps = guard.keeps_turn(case, case.items[at].turn) if whole_turn else guard.keeps_item(case, at)
        return True if keeps else False if guard.moves else None

    def granted(self, at: int) -> bool:
        """Return whether this gate gave the item leave to go at this visit."""
        return at in self._granted

    def _ask(self, asking: Asking, at: int) -> Refusal | None:
        self._case.asked += 1
        name = asking.item(at)
        if name is not None:
            case = self._case
            return Refusal(name, case.items[at].turn, at, case.view.size(at), "item")
        self._granted.add(at)
        return None

    def _verdict(self, turn: int) -> Removable | Refusal:
        view = self._case.view
        self._case.asked += 1
        reason = self._all.turn(turn)
        if reason is not None:
            return Refusal(reason, turn, view.turn_items(turn).start, view.turn_tokens(turn))
        turns: tuple[int, ...]
        if not self._splits or turn not in self._case.links:
            turns, items = (turn,), tuple(view.standing_items(turn))
        else:
            turns = self._case.partners(turn)
            items = tuple([at for each in turns for at in view.standing_items(each)])
        self._granted.update(items)
        return Removable(turns, items, sum(map(view.size, items)))

    def _reason_but_place(self, turn: int) -> str | None:
        """Ask the guards that do not depend on the span or on the number of turns."""
        self._case.asked += 1
        return self._but_place.turn(turn)
