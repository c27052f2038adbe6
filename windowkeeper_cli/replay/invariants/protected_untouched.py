"""What a guard keeps is in full."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.invariants.probe import Failure, Probe

NUMBER = 7
TEXT = RuleText(
    name="protected-untouched",
    kind="invariant",
    what="Every protected item is in the window in full, except what truncateRecent cut.",
    why="A guard that can be passed by is none.",
)


def failures(probe: Probe) -> Iterator[Failure]:
    """Yield items that are not in full although a guard keeps them, and turns out with an open call."""
    session = probe.session
    fold, gate = session.fold, session.gate
    answered = {item.tool_call_id for item in session.transcript.items[: fold.held] if item.is_result}
    for at in fold.not_in_full():
        refusal = gate.may_move(at)
        if refusal is not None and session.rule_of(at) != "toolResults.truncateRecent":
            yield probe.failure((at,), f"{refusal.reason} keeps it, and it is {fold.form(at).name.lower()}")
        elif fold.form(at) is Form.OUT and "unresolved-tool-call" in session.strategy.guards:
            for call in session.transcript.items[at].calls:
                if call.id not in answered:
                    yield probe.failure((at,), f"it left with call {call.id} unanswered")
