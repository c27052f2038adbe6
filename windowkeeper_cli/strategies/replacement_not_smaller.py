"""The refusal of a removal that would not make the window smaller."""

from __future__ import annotations

from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText

NOT_SMALLER = "replacement-not-smaller"
TEXT = RuleText(
    name=NOT_SMALLER,
    kind="refusal reason",
    what="A removal is abandoned where what would stand in its place is not smaller than what it replaces.",
    why="A window that grows by forgetting is worse than one that stays; a summary is not paid for twice.",
    key="summarizeOldest.thresholdTokens",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1, "fine"), calls(2), gives(2), calls(3), gives(3)),
        policy={
            "strategy": "summarize-oldest",
            "summarizeOldest": {"thresholdTokens": 200, "keepRecentTurns": 2},
            "pins": {"keepLastToolResults": False},
        },
        expect=(NOT_SMALLER, 1),
        refused=True,
    ),
)
