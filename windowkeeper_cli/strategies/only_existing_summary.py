"""The refusal of a span that is one earlier summary and nothing else."""

from __future__ import annotations

from windowkeeper_cli.guards.removal import LONE_SUMMARY
from windowkeeper_cli.model.example import LONG, asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name=LONE_SUMMARY,
    kind="refusal reason",
    what="Summarize-oldest does not fold a lone summary into another one.",
    why="It would pay for a paraphrase of a paraphrase. In a later user turn this can hold for ever, and is a wedge.",
    key="summarizeOldest.thresholdTokens",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(
            asks("[compacted history: earlier work]" + LONG, injected=True),
            asks("Check d1"), calls(1), gives(1), calls(2), gives(2),
        ),
        policy={"strategy": "summarize-oldest", "summarizeOldest": {"thresholdTokens": 200, "keepRecentTurns": 2}},
        expect=(LONE_SUMMARY, 0),
        refused=True,
    ),
)  # fmt: skip
