"""Why do two policies' windows part at a call, in a sentence?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.replay.diff import Parting
from windowkeeper_cli.replay.in_force import place
from windowkeeper_cli.report.explain_document import FORM_NAMES
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.subject import Subject

Limits = tuple[int | None, int | None]
"""The limits of A and B in tokens, None for a strategy without one."""


def why(subject: Subject, parting: Parting, limits: Limits) -> str:
    """Return what each side did at the call, and of two that both acted the first thing that they did differently."""
    sentence = f"A {_did(parting.a, limits[0])}; B {_did(parting.b, limits[1])}"
    if moves_of(parting.a) and moves_of(parting.b):
        sentence += f". The first that differs: {_first(subject, parting)}"
    return sentence + "."


def _did(step: Step, limit: int | None) -> str:
    moves, visit = moves_of(step), step.visit
    under = "" if limit is None else f", limit {limit:,}"
    trigger = "" if visit is None or not visit.trigger else f" on {visit.trigger}"
    if not moves:
        refused = "" if visit is None or not visit.refusals else f", {len(visit.refusals):,} refused to leave"
        return f"moves nothing{trigger} ({step.meter.window:,} tokens{under}{refused})"
    counted = Counter((line.action, line.rule) for line in moves)
    said = ", ".join(f"{action} {times:,} by {rule}" for (action, rule), times in counted.most_common())
    size = f"{step.meter.window:,}" if visit is None else f"{visit.tokens_before:,} -> {visit.tokens_after:,}"
    return f"acts{trigger} ({size} tokens{under}): {said}"


def moves_of(step: Step) -> Sequence[DecisionLine]:
    """Return the decisions of a step that changed its window."""
    return [line for line in step.lines if line.moves]


def own_moves(step: Step, other: Step) -> Sequence[DecisionLine]:
    """Return the moves of a step that the other side did not make to the same end."""
    theirs = {(place(line), line.action, line.text, line.cut) for line in moves_of(other)}
    return [line for line in moves_of(step) if (place(line), line.action, line.text, line.cut) not in theirs]


def _first(subject: Subject, parting: Parting) -> str:
    """Return what both sides have at the lowest place that differs."""
    slot, items = parting.slot, subject.transcript.items
    at = slot // 2
    named = f"item {items[at].id} ({about(subject, at)})" if at < len(items) else "the end"
    where = named if slot % 2 else f"before {named}"
    return f"{where}: {_stands(parting.in_a, slot)} in A, {_stands(parting.in_b, slot)} in B"


def _stands(line: DecisionLine | None, slot: int) -> str:
    if slot % 2 == 0:
        return "no text of ours" if line is None or line.action == "retract" else f"a {line.stands} by {line.rule}"
    if line is None:
        return "in full"
    if line.form_after is Form.FULL:
        return f"in full again by {line.rule}"
    tokens = f" ({line.tokens_after:,} tokens)" if line.form_after is not Form.OUT else ""
    return f"{FORM_NAMES[line.form_after]} by {line.rule}{tokens}"
