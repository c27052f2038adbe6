"""Keeps what its author pinned."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="pinned",
    kind="refusal reason",
    what="An item that its author pinned stays in full.",
    why="Its author said so; a policy that guesses better cannot be audited.",
    key="protect.pinned",
    example=Example(
        transcript=session(
            asks("Never touch prod", pinned=True), asks("Check d1"), calls(1), gives(1), calls(2), gives(2)
        ),
        policy=tight(),
        expect=("pinned", 0),
        refused=True,
    ),
)


class Pinned(Guard):
    """An item that its author pinned stays in full."""

    text = TEXT
    by_flag = True
    settled = True

    def keeps_item(self, case: Case, at: int) -> bool:
        return case.protect.pinned and case.items[at].pinned


GUARD = Pinned()
