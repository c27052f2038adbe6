"""Keeps what the current request refers to."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="resurfaced",
    kind="refusal reason",
    what="An item that the current request names stays in full while that request is the current one.",
    why="The person has just pointed at it.",
    key="resurface.identifiers",
    example=Example(
        transcript=session(
            asks("Look around"),
            calls(8, "read_file", path="src/auth/redis.ts"),
            gives(8),
            asks("Fix src/auth/redis.ts"),
            calls(1),
            gives(1),
            calls(2),
            gives(2),
        ),
        policy=tight(toolResults={"evictAfterTurns": 0}),
        expect=("resurfaced", 2),
        refused=True,
    ),
)


class Resurfaced(Guard):
    """An item that the current request names stays in full while that request is the current one."""

    text = TEXT
    by_flag = True

    def keeps_item(self, case: Case, at: int) -> bool:
        return case.anchor >= 0 and case.view.kept_for(at) == case.anchor


GUARD = Resurfaced()
