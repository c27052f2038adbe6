"""Keeps items with a tag that the policy protects."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.guard import Guard
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText

TEXT = RuleText(
    name="protected-tag",
    kind="refusal reason",
    what="An item with one of the protected tags stays in full.",
    why="Decisions are short and expensive to lose; whoever wrote one can tag it.",
    key="protect.tags",
    example=Example(
        transcript=session(
            asks("We ship on Friday", tags=["decision"]), asks("Check d1"), calls(1), gives(1), calls(2), gives(2)
        ),
        policy=tight(),
        expect=("protected-tag", 0),
        refused=True,
    ),
)


class ProtectedTag(Guard):
    """An item with one of the protected tags stays in full."""

    text = TEXT
    by_flag = True
    settled = True

    def keeps_item(self, case: Case, at: int) -> bool:
        tags = case.items[at].tags
        return bool(tags) and any(tag in case.protect.tags for tag in tags)


GUARD = ProtectedTag()
