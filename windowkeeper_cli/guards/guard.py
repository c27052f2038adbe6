"""What a guard is: a reason with its own explanation, asked for one item or one turn."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.model.rule import RuleText


class Guard:
    """Keeps an item or a turn from leaving; a subclass answers for items, for turns, or both.

    `by_flag` is true where the author of the transcript or policy named the item itself, rather than its place:
    such an item is not even cut when a run is about to sink. `settled` is true where the answer for an item is the
    same at every visit of a session. `moves` is false for guards that keep whole turns together and have no say over
    one item.
    """

    text: RuleText
    by_flag = False
    settled = False
    moves = True

    def keeps_item(self, case: Case, at: int) -> bool:
        """Return whether the item at `at` must stay in full."""
        del case, at
        return False

    def keeps_turn(self, case: Case, turn: int) -> bool:
        """Return whether the whole turn must stay: as a rule, because it holds an item that must."""
        return any(self.keeps_item(case, at) for at in case.view.turn_items(turn))
