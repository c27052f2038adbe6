"""Keeps the newest turns."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="inside-keep-window",
    kind="refusal reason",
    what="The newest turns of the window never leave.",
    why="They are what the model is reasoning over right now.",
    key="protect.recentTurns",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(protect={"recentTurns": 2}),
        expect=("inside-keep-window", 1),
        refused=True,
    ),
)


class InsideKeepWindow(Guard):
    """The newest turns of the window never leave."""

    text = TEXT

    def keeps_item(self, case: Case, at: int) -> bool:
        return case.items[at].turn >= case.keep_from

    def keeps_turn(self, case: Case, turn: int) -> bool:
        return turn >= case.keep_from


GUARD = InsideKeepWindow()
