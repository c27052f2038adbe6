"""Keeps the original task, when the policy asks for it."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="protected-task",
    kind="refusal reason",
    what="An item flagged as the task stays in full; where none is flagged, the first request is the task.",
    why="The oldest message is usually the task, and dropping the oldest first drops it first.",
    key="protect.task",
    example=Example(
        transcript=session(asks("Keep the shop open"), asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(protect={"task": True}),
        expect=("protected-task", 0),
        refused=True,
    ),
)


class ProtectedTask(Guard):
    """An item flagged as the task stays in full; where none is flagged, the first request is the task."""

    text = TEXT
    by_flag = True
    settled = True

    def keeps_item(self, case: Case, at: int) -> bool:
        return case.protect.task and case.items[at].task


GUARD = ProtectedTask()
