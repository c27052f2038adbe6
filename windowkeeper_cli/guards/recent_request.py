"""Keeps the requests of the latest user turns."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="recent-request",
    kind="refusal reason",
    what="The requests of the latest user turns stay in full.",
    why="What a person asked last is what the work is measured by, also once it is no longer the current request.",
    key="protect.latestUserTurns",
    example=Example(
        transcript=session(
            asks("First read d1"), calls(8), gives(8), asks("Now d2"), calls(1), gives(1), calls(2), gives(2)
        ),
        policy=tight(protect={"latestUserTurns": 2}),
        expect=("recent-request", 0),
        refused=True,
    ),
)


class RecentRequest(Guard):
    """The requests of the latest user turns stay in full."""

    text = TEXT

    def keeps_item(self, case: Case, at: int) -> bool:
        item = case.items[at]
        asked = at if item.request else item.expands
        turns = case.protect.latest_user_turns
        return asked >= 0 and turns > 0 and asked in case.requests[-turns:]


GUARD = RecentRequest()
