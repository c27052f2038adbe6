"""Keeps the turn of the tool call that a person has to check."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.guards.waiting import waits_in
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="pending-check-in",
    kind="refusal reason",
    what="The turn whose tool call waits for a person never leaves.",
    why="That a person is being waited for is the fact one needs in the record, so it has a name of its own.",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(
            asks("Check d1"), calls(1), gives(1), calls(2), gives(2), paused={"toolCallId": "c1", "checkIn": True}
        ),
        policy=tight(),
        expect=("pending-check-in", 1),
        refused=True,
    ),
)


class PendingCheckIn(Guard):
    """The turn whose tool call waits for a person never leaves."""

    text = TEXT
    moves = False

    def keeps_turn(self, case: Case, turn: int) -> bool:
        paused = case.paused
        return paused is not None and paused.check_in and waits_in(case, turn, paused.tool_call_id)


GUARD = PendingCheckIn()
