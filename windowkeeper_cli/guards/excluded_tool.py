"""Keeps the results of tools that the policy leaves alone."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="excluded-tool",
    kind="refusal reason",
    what="Results of the tools that a policy excludes stay in full.",
    why="Some results are the state of the work itself: a plan, a to-do list.",
    key="toolResults.excludeTools",
    example=Example(
        transcript=session(asks("Check d1"), calls(8, "plan"), gives(8), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(toolResults={"excludeTools": ["plan"], "evictAfterTurns": 0}),
        expect=("excluded-tool", 2),
        refused=True,
    ),
)


class ExcludedTool(Guard):
    """Results of the tools that a policy excludes stay in full."""

    text = TEXT
    by_flag = True
    settled = True

    def keeps_item(self, case: Case, at: int) -> bool:
        excluded = case.tool_results.exclude_tools
        item = case.items[at]
        return bool(excluded) and item.is_result and item.tool_name in excluded


GUARD = ExcludedTool()
