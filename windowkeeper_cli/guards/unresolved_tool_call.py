"""Keeps a turn whose tool call has no answer yet."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="unresolved-tool-call",
    kind="refusal reason",
    what="A turn with a tool call that no result in the window answers never leaves.",
    why="Its result is still to come, and would then stand in the window with no call before it.",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(asks("Check d1"), calls(9), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(),
        expect=("unresolved-tool-call", 1),
        refused=True,
    ),
)


class UnresolvedToolCall(Guard):
    """A turn with a tool call that no result in the window answers never leaves."""

    text = TEXT
    moves = False

    def keeps_turn(self, case: Case, turn: int) -> bool:
        view, items = case.view, case.items
        for at in view.turn_items(turn):
            for call in items[at].calls:
                if not view.answered(call.id):
                    return True
        return False


GUARD = UnresolvedToolCall()
