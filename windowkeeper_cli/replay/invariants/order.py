"""The window is in transcript order."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 6
TEXT = RuleText(
    name="order",
    kind="invariant",
    what="The window is in transcript order, apart from stand-ins that stand where they replace.",
    why="A model reads order as time.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield what stands out of order, and texts of ours that stand before something still in the window."""
    fold = probe.session.fold
    slots = [slot for slot, _, _ in probe.rebuilt.window(probe.session.transcript, fold.held)]
    if slots != sorted(set(slots)):
        yield probe.failure((), "the window is not in transcript order")
    for insert in fold.inserted():
        at = insert.slot // 2
        if insert.slot % 2 or at >= fold.held or fold.form(at) is not Form.OUT:
            yield probe.failure((at,), f"a {insert.stands} stands where nothing has left")
