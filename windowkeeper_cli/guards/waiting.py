"""Whether a turn holds the tool call that a run waits on."""

from __future__ import annotations

from windowkeeper_cli.guards.case import Case


def waits_in(case: Case, turn: int, tool_call_id: str) -> bool:
    """Return whether some item of the turn makes or answers the call with that non-empty id."""
    return bool(tool_call_id) and any(
        item.tool_call_id == tool_call_id or any(call.id == tool_call_id for call in item.calls)
        for item in case.members(turn)
    )
