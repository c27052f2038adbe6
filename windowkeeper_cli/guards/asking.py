"""Asking: which of some guards, in order, is the first to keep an item or a turn?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard

_FREE, _HELD = 1, 2
Question = Callable[[Case, int], bool]


class Asking:
    """Remembers of each item whether a guard whose answer is settled keeps it; the others are asked every time."""

    def __init__(self, guards: Sequence[Guard], case: Case) -> None:
        self.guards = guards
        self._case = case
        self._settled = [guard for guard in guards if guard.settled]
        self._every = [_questions(guard) for guard in guards]
        self._open = [_questions(guard) for guard in guards if not guard.settled]
        self._known = bytearray(len(case.items))

    def item(self, at: int) -> str | None:
        """Return the name of the first guard that keeps the item at `at`, None where none does."""
        case = self._case
        for keeps_item, _, name in self._open if (self._known[at] or self._settle(at)) == _FREE else self._every:
            if keeps_item(case, at):
                return name
        return None

    def turn(self, turn: int) -> str | None:
        """Return the name of the first guard that keeps the turn, None where none does."""
        case, known, asking = self._case, self._known, self._open
        items = case.view.turn_items(turn)
        for at in items:
            if (known[at] or self._settle(at)) == _HELD:
                asking = self._every
                break
        for keeps_item, keeps_turn, name in asking:
            if keeps_turn is not None:
                if keeps_turn(case, turn):
                    return name
            else:
                for at in items:
                    if keeps_item(case, at):
                        return name
        return None

    def _settle(self, at: int) -> int:
        found = _FREE
        for guard in self._settled:
            if guard.keeps_item(self._case, at):
                found = _HELD
        self._known[at] = found
        return found


def _questions(guard: Guard) -> tuple[Question, Question | None, str]:
    """Return a guard's answer for an item, that for a turn where it is more than its items' answers, and its name."""
    own = type(guard).keeps_turn is not Guard.keeps_turn
    return guard.keeps_item, guard.keeps_turn if own else None, guard.text.name
