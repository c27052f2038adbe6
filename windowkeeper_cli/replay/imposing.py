"""Which proposal does a ledger line stand for? A visit made before, under whatever policy, is imposed as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from windowkeeper_cli.model.block import units_in, units_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import FORM_AFTER, SAYING, Cut, Decision, Form, Insert, Retract
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript


def proposal_of(
    line: Mapping[str, object], transcript: Transcript, counts: Counts
) -> Decision | Insert | Retract | None:
    """Return what a ledger line moves, sized by the counter of now; None where it moves nothing."""
    action, rule = str(line.get("action", "")), str(line.get("rule", ""))
    if line.get("kind") != "decision" or (action in SAYING and action != "keep"):
        return None
    text = cast("str | None", line.get("text"))
    if action == "retract":
        return Retract(cast(int, line["slot"]), rule)
    if action == "insert":
        words = text or ""
        tokens = counts.counter.text(words)
        stands, item = str(line["stands"]), str(line["item"])
        return Insert(cast(int, line["slot"]), stands, item, words, tokens, units_of(words), rule)
    at, form = cast(int, line["at"]), FORM_AFTER[action]
    if form is None or form is Form.FULL or form is Form.OUT:
        full = form is not Form.OUT
        return Decision(
            action,
            rule,
            at,
            Form.FULL if full else Form.OUT,
            counts.tokens[at] * full,
            transcript.items[at].units * full,
        )
    cut = line.get("cut")
    parts = None if cut is None else cast(Cut, tuple(cast("list[int]", cut)))
    blocks = blocks_in_form(transcript.blocks(at), form, text, parts)
    return Decision(action, rule, at, form, counts.counter.blocks(blocks), units_in(blocks), text, parts)
