"""Is an input the event log of a GitHub Copilot CLI session?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "events.jsonl of Copilot CLI: events {type, data, id, timestamp, parentId}"
_OWN = frozenset(
    (
        "session.start", "session.resume", "session.shutdown", "system.message", "user.message", "assistant.message",
        "assistant.turn_start", "assistant.turn_end", "tool.execution_start", "tool.execution_complete",
        "hook.start", "hook.end",
    )
)  # fmt: skip


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are events of a Copilot CLI session, and why."""
    for value in objects_in(values):
        kind = value.get("type")
        if isinstance(kind, str) and kind in _OWN and isinstance(value.get("data"), dict):
            return Verdict(CERTAIN, f"{kind} events with data")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the session, or of the subagent that is asked for."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.copilot.reader import read as read_session

    return read_session(reading)
