"""Keeps error results for some turns."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="keep-error",
    kind="refusal reason",
    what="A tool result that reports an error stays in full for a number of turns.",
    why="A model that no longer sees its error makes it again; kept for ever, errors alone sink a long run.",
    key="toolResults.keepErrors",
    example=Example(
        transcript=session(asks("Check d1"), calls(8), gives(8, isError=True), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(trim={"enabled": False}, toolResults={"evictAfterTurns": 0}),
        expect=("keep-error", 2),
        refused=True,
    ),
)


class KeepError(Guard):
    """A tool result that reports an error stays in full for a number of turns."""

    text = TEXT

    def keeps_item(self, case: Case, at: int) -> bool:
        if not case.items[at].is_error or not case.tool_results.keep_errors:
            return False
        turns = case.tool_results.keep_errors_turns
        return turns is None or case.age(at) <= turns


GUARD = KeepError()
