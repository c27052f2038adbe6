"""Sliding tokens: the oldest turns leave until the window fits; nothing stands for them."""

from __future__ import annotations

from windowkeeper_cli.model.decision import Removable, TakeOut
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.over_limit import OverLimit, what_holds
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.options import require
from windowkeeper_cli.strategies.strategy import Plain

RULE = "slidingTokens.maxTokens"
TEXT = RuleText(
    name="sliding-tokens",
    kind="strategy",
    what="At every call over maxTokens the oldest turns leave until the window fits; system text and request stay.",
    why="It is what a message trimmer does; each trim moves the head of the window, and so breaks the cache.",
    key=RULE,
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy={"strategy": "sliding-tokens", "slidingTokens": {"maxTokens": 300}},
        expect=("trim", 1),
    ),
)
READS = ("slidingTokens",)


class SlidingTokens(Plain):
    """Trims by tokens, whole turns and whole pairs; what left is named by nothing in the window."""

    name = TEXT.name
    reads = READS
    guards = ("current-request", "system-envelope", "unresolved-tool-call", "split-pair")
    gives_up = (8,)

    def __init__(self, settings: Settings) -> None:
        most = settings.sliding_tokens.max_tokens
        require(self.name, "slidingTokens", {"maxTokens": most})
        self.limit = int(most or 0)
        self._told: set[int] = set()
        self._over_limit = OverLimit()

    def plan(self, visit: Visit) -> Plan:
        """Take out removable turns, oldest first, until the window is at or under the limit."""
        assert self.limit is not None
        if visit.view.tokens <= self.limit:
            self._over_limit.end_stretch()
            return None
        now = Pass(visit, self.limit, self.limit, self._told)
        for verdict in visit.gate.verdicts():
            if not now.over_limit:
                break
            if isinstance(verdict, Removable):
                yield TakeOut("trim", RULE, verdict.items, "whole turn")
            else:
                now.refused(verdict)
        holds = what_holds(visit) if now.over_limit else ()
        yield from self._over_limit.step(now, holds)
        return Facts(
            ("tokens",),
            limit=self.limit,
            target=self.limit,
            replanned=True,
            refusals=tuple(now.refusals),
            target_missed=holds,
        )


make = SlidingTokens
