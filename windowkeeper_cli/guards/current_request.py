"""Keeps the message that the run is working on."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="current-request",
    kind="refusal reason",
    what="The message that the run is working on never leaves.",
    why="A window without it leaves a model working from momentum: a different task, not a smaller context.",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(),
        expect=("current-request", 0),
        refused=True,
    ),
)


class CurrentRequest(Guard):
    """The message that the run is working on never leaves."""

    text = TEXT

    def keeps_item(self, case: Case, at: int) -> bool:
        anchor = case.anchor
        return at == anchor or (anchor >= 0 and case.items[at].expands == anchor)


GUARD = CurrentRequest()
