"""The current request stands in full."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 2
TEXT = RuleText(
    name="current-request-intact",
    kind="invariant",
    what="The current request is byte-identical in the window.",
    why="A model that no longer sees what it was asked works from momentum.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield the current request where it is not in the window in full."""
    anchor = probe.call.anchor
    if anchor >= 0 and probe.session.fold.form(anchor) is not Form.FULL:
        form = probe.session.fold.form(anchor).name.lower()
        yield probe.failure((anchor,), f"the current request is {form}", "current-request-lost")
