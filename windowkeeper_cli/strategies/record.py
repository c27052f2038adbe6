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
    """Return evictions and rebase of a visit; what is said of each that left is made when the ledger is written."""
    if removed is None:
        return {"evictions": []}
    now, born = visit.now, visit.births()
    ours = {turn.slot: born(turn.slot) for turn in removed.span if turn.insert is not None}

    def evictions() -> list[Fields]:
        found: list[Fields] = []
        for turn in removed.span:
            for offset in range(turn.length):
                slot = turn.slot if turn.insert is not None else 2 * turn.items[offset] + 1
                since = ours[slot] if slot in ours else born(slot)
                lived = max(0, now - since) if now is not None and since is not None else 0
                found.append(_eviction(visit, turn, offset, lived))
        return found

    head = removed.span[0].message_index
    rebase: Fields = {"headCount": head, "keptTailCount": messages_before - head - removed.messages}
    if inserted is not None and visit.now is not None:
        rebase["insertedAtMs"] = visit.now
    return {"evictions": Late(evictions), "rebase": rebase}


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


def _eviction(visit: Visit, turn: WindowTurn, offset: int, lived: float) -> Fields:
    index = turn.message_index + offset
    role, text = contents(visit, turn)[offset]
    fields: Fields = {"index": index, "contentHash": fnv1a(f"{role}:{index}:{text}"), "survivalMs": lived}
    if turn.insert is None:
        at = turn.items[offset]
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
