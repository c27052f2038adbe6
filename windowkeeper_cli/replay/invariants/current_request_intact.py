"""The current request stands in full."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import NOTICE_PREFIX, SUMMARY_PREFIX, USER
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 2
TEXT = RuleText(
    name="current-request-intact",
    kind="invariant",
    what="The current request is byte-identical in the window.",
    why="A model that no longer sees what it was asked works from momentum.",
)


FAULT = "current-request-lost"


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield the current request where it is not in full, and what may be it and left because it reads like a notice."""
    fold, anchor = probe.session.fold, probe.call.anchor
    if anchor >= 0 and fold.form(anchor) is not Form.FULL:
        yield probe.failure((anchor,), f"the current request is {fold.form(anchor).name.lower()}", FAULT)
    if not probe.session.strategy.anonymous:
        return
    for line in probe.step.lines:
        at = line.at
        if at is None or at <= anchor or line.form_after is not Form.OUT or fold.items[at].role != USER:
            continue
        text = "".join(texts_of(probe.session.transcript.blocks(at)))
        if text.startswith((NOTICE_PREFIX, SUMMARY_PREFIX)):
            yield probe.failure(
                (at,), "the newest user message left: it begins like a notice, so nothing kept it", FAULT
            )
