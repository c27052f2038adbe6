"""A visit of an unchanged transcript changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 10
TEXT = RuleText(
    name="deterministic",
    kind="invariant",
    what="The same inputs give the same bytes, and visiting an unchanged transcript once more changes nothing.",
    why="What cannot be repeated cannot be audited.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield what a second visit at the last call would move; equal bytes of two runs are compared by the checker."""
    if not probe.is_last or not probe.session.strategy.settles:
        return
    again = probe.session.visit(probe.call)
    moved = tuple(line.at for line in again.lines if line.moves and line.at is not None)
    if any(line.moves for line in again.lines) or again.meter.broken:
        yield probe.failure(moved, "a second visit of the same transcript changes the window")
