"""Is an input a message history of Pydantic AI?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.pydantic_ai.shapes import is_message, lists_in
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "Pydantic AI messages {kind: request or response, parts}, as `all_messages_json()` gives them"


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values hold such messages, and why."""
    for value in values:
        if any(is_message(one) for messages, _ in lists_in(value) for one in messages):
            return Verdict(CERTAIN, "requests and responses with parts of a part_kind")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the history."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.pydantic_ai.reader import read as read_history

    return read_history(reading)
