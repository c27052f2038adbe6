"""Keeps system text, wherever it stands."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="system-envelope",
    kind="refusal reason",
    what="System text never leaves; a turn that holds any stays whole.",
    why="It is what the harness sends with every call, not history.",
    source="agentfootprint 9.62.0, window strategies",
    example=Example(
        transcript=session(
            asks("Check d1"),
            {"role": "system", "content": "Mind the staging rules."},
            calls(1),
            gives(1),
            calls(2),
            gives(2),
        ),
        policy=tight(),
        expect=("system-envelope", 1),
        refused=True,
    ),
)


class SystemEnvelope(Guard):
    """System text never leaves; a turn that holds any stays whole."""

    text = TEXT
    by_flag = True
    settled = True

    def keeps_item(self, case: Case, at: int) -> bool:
        return case.items[at].role == "system"


GUARD = SystemEnvelope()
