"""The window is within its limit, or the ledger says what holds it."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 4
TEXT = RuleText(
    name="budget-holds",
    kind="invariant",
    what="The window is within the limit, or an over-limit line of the ledger names what keeps it above.",
    why="A window over its limit is refused by the provider; nobody should have to find out why by trying.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield the call where the window is over its limit and no over-limit decision stands for the stretch."""
    limit, tokens = probe.session.strategy.limit, probe.session.fold.tokens
    if limit is not None and tokens > limit and not probe.over_said:
        yield probe.failure((), f"{tokens - limit:,} tokens over the limit, and nothing says why")
    if probe.wedged >= 2:
        text = f"{probe.wedged} visits in a row could only refuse the one summary, and the window grows"
        yield probe.failure((), text, "lone-summary-wedge")
