"""Lossless: the archive holds every item, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.payload import CLASH_DIGITS, ID_DIGITS, item_id, payload
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 1
TEXT = RuleText(
    name="lossless",
    kind="invariant",
    what="Every item of the transcript is in the archive, byte-identical by id, before anything may leave.",
    why="A window may be wrong for a call; an item that is gone is wrong for ever.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield items that the archive does not give back: the new ones at each visit, all of them at the last."""
    session = probe.session
    for at in range(session.fold.held) if probe.is_last else probe.new:
        item = session.transcript.items[at]
        blocks = session.archive.blocks(item.id)
        if blocks is None:
            yield probe.failure((at,), f"item {item.id} is not in the archive")
        elif not _same(item.id, payload(item.role, blocks)):
            yield probe.failure((at,), f"the archive's bytes of item {item.id} make another id")


def _same(expected: str, body: bytes) -> bool:
    return expected == item_id(body, CLASH_DIGITS if len(expected) > ID_DIGITS else ID_DIGITS)
