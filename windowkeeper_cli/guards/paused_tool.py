"""Keeps the turn of the tool call that the run is paused on."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.guards.waiting import waits_in
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="paused-tool",
    kind="refusal reason",
    what="The turn that a paused run is waiting on never leaves.",
    why="The answer will come for that call; without the call the answer has no question.",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(
            asks("Check d1"), calls(1), gives(1), calls(2), gives(2), paused={"toolCallId": "c1", "checkIn": False}
        ),
        policy=tight(),
        expect=("paused-tool", 1),
        refused=True,
    ),
)


class PausedTool(Guard):
    """The turn that a paused run is waiting on never leaves."""

    text = TEXT
    moves = False

    def keeps_turn(self, case: Case, turn: int) -> bool:
        paused = case.paused
        return paused is not None and not paused.check_in and waits_in(case, turn, paused.tool_call_id)


GUARD = PausedTool()
