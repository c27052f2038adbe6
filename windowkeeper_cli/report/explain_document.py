"""The JSON document of `explain`."""

from __future__ import annotations

from windowkeeper_cli.model.decision import Form, Insert
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.report.envelope import envelope
from windowkeeper_cli.report.explain import Explanation, Visited
from windowkeeper_cli.report.reference import reference
from windowkeeper_cli.report.subject import Subject

FORM_NAMES = {
    Form.FULL: "full",
    Form.TRUNCATED: "truncated",
    Form.STUB: "stub",
    Form.CLEARED: "cleared",
    Form.OUT: "out",
}


def document(explanation: Explanation) -> dict[str, object]:
    """Return the document: the envelope and `visits`."""
    visits = [_visit(explanation, visited) for visited in explanation.visits]
    return envelope("explain", explanation.subject, {"visits": visits}, explanation.assumed)


def limit_of(explanation: Explanation, visited: Visited) -> int | None:
    """Return the limit at a call: the visit's own, else the policy's, None for a strategy that has none."""
    if visited.step.visit is not None:
        return visited.step.visit.limit
    settings = explanation.subject.policy.settings
    return settings.budget.limit if settings.strategy == "windowkeeper" else None


def _visit(explanation: Explanation, visited: Visited) -> dict[str, object]:
    subject = explanation.subject
    visit, window = visited.step.visit, visited.window
    limit = limit_of(explanation, visited)
    rows = [(line, True) for line in visited.step.lines]
    rows += [(line, False) for line in explanation.shown_standing(visited)]
    calls = {line.slot: line.call for line in visited.standing if line.slot is not None}
    calls.update((line.slot, line.call) for line in visited.step.lines if line.slot is not None)
    return {
        "call": visited.call.number,
        "next": visited.is_next,
        "time": visited.call.time,
        "visit": None if visit is None else visit.as_dict(),
        "window": {
            "full": window.full,
            "truncated": window.truncated,
            "stub": window.stub,
            "cleared": window.cleared,
            "inserted": window.inserted,
            "out": window.out,
            "tokens": window.tokens,
            "usedShare": round(window.tokens / limit, 4) if limit else None,
        },
        "decisions": [decision(subject, line, is_new) for line, is_new in rows],
        "inserted": [_insert(insert, calls.get(insert.slot)) for insert in visited.inserted],
        "refusals": [
            {**reference(subject, refusal.at), "reason": refusal.reason, "scope": refusal.scope}
            | {"turn": refusal.turn, "tokens": refusal.tokens}
            for refusal in (() if visit is None else visit.refusals)
        ],
        "overLimit": over_limit(visited, limit),
    }


def decision(subject: Subject, line: DecisionLine, is_new: bool) -> dict[str, object]:
    """Return one decision; a text of ours has no place and no class, only an id."""
    moved = line.at is not None
    return {
        **reference(subject, line.at),
        "item": line.item,
        "action": line.action,
        "rule": line.rule,
        "call": line.call,
        "isNew": is_new,
        "formBefore": FORM_NAMES[line.form_before] if moved else None,
        "formAfter": FORM_NAMES[line.form_after] if moved else None,
        "tokensBefore": line.tokens_before,
        "tokensAfter": line.tokens_after,
        "detail": line.detail,
    }


def _insert(insert: Insert, call: int | None) -> dict[str, object]:
    return {
        "stands": insert.stands,
        "item": insert.item,
        "slot": insert.slot,
        "tokens": insert.tokens,
        "replaces": list(insert.replaces),
        "call": call,
        "text": insert.text,
    }


def over_limit(visited: Visited, limit: int | None) -> dict[str, object] | None:
    """Return by how much the window is over the limit and what holds it, None where it is not over."""
    if limit is None or visited.window.tokens <= limit:
        return None
    over, visit = visited.over, visited.step.visit
    missed = dict(visit.target_missed) if visit is not None else {}
    return {
        "by": visited.window.tokens - limit,
        "holds": dict(over.holds) if over is not None else missed,
        "largest": list(over.largest) if over is not None else [],
    }
