"""Is an input in our own format, a document or JSONL with one message a line?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import sampled
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.reading import CERTAIN, NAMED, Reading, Verdict

WHAT = '{"format": "windowkeeper/1", "messages": [...]}, or one message a line'
VERSION = "windowkeeper/1"
_OWN_KEYS = (
    "toolCalls", "toolCallId", "toolName", "isError", "injected", "pinned", "task", "tags", "ttlTurns", "effect",
    "stage",
)  # fmt: skip


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are our own format, and why."""
    first = values[0] if values else None
    if isinstance(first, dict) and str(first.get("format", "")).startswith("windowkeeper/"):
        return Verdict(NAMED, f"its format says {first['format']}")
    found = sampled(values)
    if found is None:
        return None
    for message in found[1]:
        for key in _OWN_KEYS:
            if key in message:
                return Verdict(CERTAIN, f"messages with the key {key}")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the document or lines; raise InputError for a version that is not known."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.own_messages import read_document

    return read_document(reading)
