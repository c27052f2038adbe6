"""Keeps messages that match a pattern of the policy."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="protected-pattern",
    kind="refusal reason",
    what="A person's or the system's message that matches a pattern stays in full.",
    why="Standing constraints read alike (never, always, do not), so a pattern can pin them.",
    key="protect.patterns",
    example=Example(
        transcript=session(asks("Never push to main"), asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(protect={"patterns": ["(?i)never "]}),
        expect=("protected-pattern", 0),
        refused=True,
    ),
)


class ProtectedPattern(Guard):
    """A person's or the system's message that matches a pattern stays in full."""

    text = TEXT
    by_flag = True
    settled = True

    def keeps_item(self, case: Case, at: int) -> bool:
        return case.matches(at)


GUARD = ProtectedPattern()
