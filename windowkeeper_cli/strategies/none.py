"""No strategy: the window is the transcript."""

from __future__ import annotations

from windowkeeper_cli.model.example import asks, session
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.visit import Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

TEXT = RuleText(
    name="none",
    kind="strategy",
    what="Never acts; every call is sent with the whole transcript.",
    why="It is what the others are compared with.",
    example=Example(transcript=session(asks("Check d1")), policy={"strategy": "none"}, expect=("", -1)),
)
READS: tuple[str, ...] = ()


class Nothing(Plain):
    """Engages at no visit, and so gives up the budget."""

    name = TEXT.name
    reads = READS
    gives_up = (4,)

    def __init__(self, settings: Settings) -> None:
        self.limit = settings.budget.limit

    def plan(self, visit: Visit) -> Plan:
        """Propose nothing."""
        del visit
        yield from ()
        return None


make = Nothing
