"""Which physical lines of a log stood in the recorded window at a call?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts


def lines_at(transcript: Transcript, number: int) -> list[int]:
    """Return the lines of what the recorded window of call `number` holds, the harness's summary included."""
    session = Session(transcript, counts(transcript, "estimate"), Settings("recorded"))
    for _ in session.steps(upto=number):
        pass
    standing = (item for item in transcript.items[: session.fold.held] if session.fold.form(item.at) is not Form.OUT)
    lines = {origin.line for item in standing for origin in item.origins}
    if session.fold.inserted():
        happened = [event for event in transcript.events if event.call <= number and event.summary_line is not None]
        lines.update(event.summary_line for event in happened[-1:] if event.summary_line is not None)
    return sorted(lines)


def window_failure(transcript: Transcript, expected: dict[str, dict[str, Any]]) -> str | None:
    """Return what of the windows expected, by message id, is not so."""
    numbers = {call.message_id: call.number for call in transcript.calls}
    for message_id, wanted in expected.items():
        if message_id not in numbers:
            return f"no call has the message id {message_id}"
        lines = lines_at(transcript, numbers[message_id])
        found = {"lines": lines, "starts_at_line": lines[0] if lines else None}
        for key, value in wanted.items():
            if found.get(key) != value:
                return f"{message_id} {key}: expected {value}, found {found.get(key)}"
    return None
