"""The refusal of a fold whose summarizer raised."""

from __future__ import annotations

from windowkeeper_cli.model.rule import RuleText

FAILED = "summarizer-failed"
TEXT = RuleText(
    name=FAILED,
    kind="refusal reason",
    what="Nothing is folded while the summarizer fails; it is asked again at the next visit.",
    why="A fold without a summary would be a silent removal. Offline no summarizer fails, so only code meets this.",
    key="summarizeOldest.thresholdTokens",
    source="agentfootprint 9.62.0, window strategies",
)
