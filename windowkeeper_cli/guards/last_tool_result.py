"""Keeps the turns that hold a tool's latest result: evidence pins."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="last-tool-result",
    kind="refusal reason",
    what="A turn with a tool's latest result stays, for as many turns as pins.keepLastToolResults admits.",
    why="A model that keeps its task and loses the ids to act on makes them up; after two blocked visits a pin yields.",
    key="pins.keepLastToolResults",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(asks("Check d1"), calls(1, "list_ids"), gives(1), calls(2), gives(2), calls(3), gives(3)),
        policy={"strategy": "sliding-window", "slidingWindow": {"keepRecentTurns": 1}},
        expect=("last-tool-result", 1),
        refused=True,
    ),
)


class LastToolResult(Guard):
    """A turn with a tool's latest result stays, for as many turns as the limit admits."""

    text = TEXT
    moves = False

    def keeps_turn(self, case: Case, turn: int) -> bool:
        return turn in case.pinned


GUARD = LastToolResult()
