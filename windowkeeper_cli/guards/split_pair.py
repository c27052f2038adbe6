"""Keeps a call and its late answer together."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="split-pair",
    kind="refusal reason",
    what="A turn whose call is answered in another turn leaves only together with it.",
    why="Providers reject a tool result without its call, and a call without its result.",
    example=Example(
        transcript=session(
            asks("Check d1"), calls(1), asks("d2 too", injected=True, pinned=True), gives(1), calls(2), gives(2)
        ),
        policy=tight(),
        expect=("split-pair", 1),
        refused=True,
    ),
)


class SplitPair(Guard):
    """A turn whose call is answered in another turn leaves only together with it."""

    text = TEXT
    moves = False

    def keeps_turn(self, case: Case, turn: int) -> bool:
        if turn not in case.links:
            return awaits(case, turn)
        turns = case.partners(turn)
        return any(case.others_refuse(other) for other in turns if other != turn) or any(
            awaits(case, other) for other in turns
        )


def awaits(case: Case, turn: int) -> bool:
    """Return whether a call of the turn has no result of its own yet, though a reused id may pass for answered."""
    held, items = case.view.held, case.items
    for at in case.view.turn_items(turn):
        for call in items[at].calls:
            if case.pairs.get((at, call.id), held) >= held:
                return True
    return False


GUARD = SplitPair()
