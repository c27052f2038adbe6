"""The windowkeeper reducer as a strategy: archive, resurface, expire, and one batch when over the limit."""

from __future__ import annotations

from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.reducer import Reducer
from windowkeeper_cli.rules.visit import Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

TEXT = RuleText(
    name="windowkeeper",
    kind="strategy",
    what="Leaves the window alone until it is over the limit, then cuts, evicts and trims to the target in one batch.",
    why="Re-planning hard and rarely keeps the prompt cache: between two re-plans nothing leaves.",
    key="budget",
    source="windowkeeper, a TypeScript library: the keep() reducer",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy=tight(),
        expect=("trim", 1),
    ),
)
READS = ("budget", "protect", "toolResults", "resurface", "expire", "trim")


class Windowkeeper(Plain):
    """Runs the reducer's stages under all guards; holds all ten invariants."""

    name = TEXT.name
    reads = READS
    guards = (
        "current-request",
        "system-envelope",
        "paused-tool",
        "pending-check-in",
        "unresolved-tool-call",
        "inside-keep-window",
        "recent-request",
        "pinned",
        "protected-task",
        "protected-tag",
        "protected-pattern",
        "keep-error",
        "latest-of-tool",
        "resurfaced",
        "excluded-tool",
        "split-pair",
    )

    def __init__(self, settings: Settings) -> None:
        self.keep_recent = settings.protect.recent_turns
        self.limit = settings.budget.limit
        self._reducer = Reducer(settings)

    @property
    def walked(self) -> int:
        """Return how many candidates the stages have looked at so far."""
        return self._reducer.walked

    def plan(self, visit: Visit) -> Plan:
        """Propose the reducer's moves at this visit."""
        return self._reducer.plan(visit)


make = Windowkeeper
