"""The record of a visit as the reference files it: what left, whose results, how long it had lived.

Source: agentfootprint 9.62.0, the window record, evictions and provenance.
"""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.guards.removal import Removal
from windowkeeper_cli.guards.window_turns import WindowTurn
from windowkeeper_cli.model.decision import Insert
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.ledger import Late
from windowkeeper_cli.rules.visit import Visit
from windowkeeper_cli.strategies.fnv import fnv1a

Fields = dict[str, object]


def span_tools(visit: Visit, removal: Removal) -> list[str]:
    """Return the distinct tool names of the span's results, in order of first appearance."""
    names = (visit.view.result_name(at) for at in removal.items if visit.item(at).is_result)
    return list(dict.fromkeys(name for name in names if name))


def base(visit: Visit, strategy: str, removed: Removal | None, units_before: int) -> Fields:
    """Return the fields that every record has; the window's text is measured now, after the removal."""
    fields: Fields = {"strategy": strategy}
    fields["removedStageIds"] = _stages(visit, removed)
    fields["removedMessageCount"] = removed.messages if removed else 0
    fields["windowCharsBefore"] = units_before
    fields["windowCharsAfter"] = visit.view.units
    return fields


def observed(removal: Removal, dropped: Sequence[str], *, left: bool) -> Fields:
    """Return `droppedObservations` and `observations`, each where there is something to say."""
    fields: Fields = {}
    if left and dropped:
        fields["droppedObservations"] = list(dropped)
    if removal.observations is not None:
        fields["observations"] = removal.observations.as_dict()
    return fields


def results(visit: Visit, removed: Removal | None, inserted: Insert | None, messages_before: int) -> Fields:
    """Return evictions and rebase of a visit; the hashes of what left are made when the ledger is written."""
    if removed is None:
        return {"evictions": []}
    messages = [(turn, offset) for turn in removed.span for offset in range(turn.length)]
    evictions = [_eviction(visit, turn, offset) for turn, offset in messages]
    head = removed.span[0].message_index
    rebase: Fields = {"headCount": head, "keptTailCount": messages_before - head - removed.messages}
    if inserted is not None and visit.now is not None:
        rebase["insertedAtMs"] = visit.now
    return {"evictions": evictions, "rebase": rebase}


def pressure(cap: float, projected: int, action: str) -> Fields:
    """Return the budget reading of a token-triggered visit, in tokens."""
    return {
        "budgetPressure": {
            "capTokens": cap,
            "projectedTokens": projected,
            "overflowBy": max(0, projected - cap),
            "unit": "tokens",
            "planAction": action,
        }
    }


def contents(visit: Visit, turn: WindowTurn) -> list[tuple[str, str]]:
    """Return (role, text) of each message of a window turn."""
    if turn.insert is not None:
        return [(USER, turn.insert.text)]
    return [(visit.item(at).role, visit.text(at)) for at in turn.items]


def _eviction(visit: Visit, turn: WindowTurn, offset: int) -> Fields:
    index = turn.message_index + offset
    at = None if turn.insert is not None else turn.items[offset]
    born = visit.born(turn.slot if at is None else 2 * at + 1)
    lived = max(0, visit.now - born) if visit.now is not None and born is not None else 0

    def content_hash() -> str:
        if turn.insert is not None:
            return fnv1a(f"{USER}:{index}:{turn.insert.text}")
        left = turn.items[offset]
        return fnv1a(f"{visit.item(left).role}:{index}:{visit.text(left)}")

    fields: Fields = {"index": index, "contentHash": Late(content_hash), "survivalMs": lived}
    if at is not None:
        fields.update({"at": at, "item": visit.item(at).id})
    return fields


def _stages(visit: Visit, removed: Removal | None) -> list[str]:
    found: dict[str, None] = {}
    for turn in removed.span if removed else ():
        slots = [turn.insert.slot] if turn.insert is not None else [2 * at + 1 for at in turn.items]
        for slot in slots:
            stage = visit.stage(slot)
            if stage is not None:
                found[stage] = None
    return list(found)
