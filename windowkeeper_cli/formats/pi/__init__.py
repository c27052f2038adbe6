"""Is an input a session file of the pi coding agent?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, Reading, Verdict

WHAT = "session JSONL of pi: a session line, then messages and compactions"
_ROLES = frozenset(("user", "assistant", "toolResult", "bashExecution"))
_OWN_ROLES = frozenset(("toolResult", "bashExecution"))


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are lines of a pi session, and why."""
    objects = objects_in(values)
    roles = {role for value in objects if (role := _role(value)) is not None}
    headed = any(value.get("type") == "session" and isinstance(value.get("id"), str) for value in objects)
    if headed and all(isinstance(value.get("type"), str) for value in objects):
        return Verdict(CERTAIN, "a session line and message lines" if roles else "a session line")
    if roles & _OWN_ROLES:
        return Verdict(CERTAIN, f"message lines of the role {min(roles & _OWN_ROLES)}")
    if roles and any("provider" in value["message"] for value in objects if _role(value) == "assistant"):
        return Verdict(LIKELY, "message lines that name their provider")
    return None


def _role(value: dict[str, Any]) -> str | None:
    """Return the role of the message that a line holds, None where it holds none of pi's."""
    message = value.get("message")
    role = message.get("role") if value.get("type") == "message" and isinstance(message, dict) else None
    return role if isinstance(role, str) and role in _ROLES else None


def read(reading: Reading) -> Draft:
    """Return the entries of the branch that the session's last record stands on."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.pi.reader import read as read_session

    return read_session(reading)
