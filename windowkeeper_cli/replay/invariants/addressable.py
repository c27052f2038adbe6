"""What left can be had again by an id in the window."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 8
TEXT = RuleText(
    name="addressable",
    kind="invariant",
    what="Everything not in full in the window is named by an id in the window.",
    why="An observation that nothing names is lost to the model, whatever the archive holds.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield items that nothing in the window names; of a strategy whose texts name no ids, lost notices only."""
    if probe.session.strategy.anonymous:
        yield from _lost_notices(probe)
        return
    session = probe.session
    fold = session.fold
    listed: set[str] = set()
    for insert in fold.inserted():
        if insert.item in insert.text:
            listed.update(session.archive.list(insert.item) or ())
    for at in fold.not_in_full():
        form, text, _ = fold.standing(at)
        item_id = session.transcript.items[at].id
        if form is Form.OUT and item_id not in listed:
            yield probe.failure((at,), f"{item_id} is out, and no notice in the window lists it")
        elif form is not Form.OUT and item_id not in (text or ""):
            yield probe.failure((at,), f"what stands for {item_id} does not name it")


def _lost_notices(probe: Probe) -> Iterator[Failure]:
    """Yield the notice that left at this visit with nothing in its place, though what it spoke of is still out."""
    left = [line for line in probe.step.lines if line.action == "retract" and line.stands == "notice"]
    if left and not probe.session.fold.inserted():
        out = tuple(probe.session.fold.not_in_full())
        yield probe.failure(out[:5], f"the notice left; {len(out)} items are out, and nothing says so", "notice-lost")
