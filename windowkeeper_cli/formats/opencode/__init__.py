"""Is an input an opencode session, as its export writes it?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "an opencode export {info, messages} of messages with info and parts, or such messages alone"
_ROLES = ("user", "assistant")


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are an opencode session or its messages, and why."""
    objects = objects_in(values)
    for value in objects:
        if any(_is_message(message) for message in _messages(value)):
            return Verdict(CERTAIN, "a session with messages of info and parts")
    if any(_is_message(value) for value in objects):
        return Verdict(CERTAIN, "messages of info and parts")
    return None


def _messages(value: dict[str, Any]) -> list[Any]:
    messages = value.get("messages")
    return messages if isinstance(messages, list) and isinstance(value.get("info"), dict) else []


def _is_message(value: Any) -> bool:
    info = value.get("info") if isinstance(value, dict) else None
    return isinstance(info, dict) and info.get("role") in _ROLES and isinstance(value.get("parts"), list)


def read(reading: Reading) -> Draft:
    """Return the entries of the session."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.opencode.reader import read as read_session

    return read_session(reading)
