"""Calls and results stand together."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 3
TEXT = RuleText(
    name="no-orphans",
    kind="invariant",
    what="Every tool result in the window has its call before it, and every answered call its result in some form.",
    why="Providers reject a transcript that breaks this.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield pairs of which one part is in the window and the other is not."""
    session = probe.session
    fold = session.fold
    for (calling, tool_call_id), result in session.transcript.pairs.items():
        if result >= fold.held:
            continue
        has_call, has_result = fold.form(calling) is not Form.OUT, fold.form(result) is not Form.OUT
        if has_call != has_result:
            items = session.transcript.items
            fault = "call-split" if items[calling].turn != items[result].turn else None
            gone = "call" if has_result else "result"
            text = f"the {gone} of {tool_call_id} is out, its other half is not"
            yield probe.failure((calling, result), text, fault)
