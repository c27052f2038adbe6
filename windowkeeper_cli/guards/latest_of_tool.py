"""Keeps the latest results of each tool."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="latest-of-tool",
    kind="refusal reason",
    what="The latest results of each tool stay in full.",
    why="A model that loses the newest answer of a tool it works with makes the ids up.",
    key="toolResults.keepLatestPerTool",
    example=Example(
        transcript=session(asks("Check d1"), calls(8, "list_ids"), gives(8), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(toolResults={"keepLatestPerTool": 1, "evictAfterTurns": 0}),
        expect=("latest-of-tool", 2),
        refused=True,
    ),
)


class LatestOfTool(Guard):
    """The latest results of each tool stay in full."""

    text = TEXT

    def keeps_item(self, case: Case, at: int) -> bool:
        if not case.items[at].is_result:
            return False
        count = case.tool_results.keep_latest_per_tool
        return count > 0 and case.view.is_latest_of_tool(at, count)


GUARD = LatestOfTool()
