"""How does a generateContent body, or a bare list of its contents, become entries?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.formats.body import Message, unknown_name
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.gemini.numbering import numbered
from windowkeeper_cli.formats.gemini.parts import entries_of, parts_of, role_of, under
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM, Origin

CONTENTS = ("contents", "history")
"""Keys of the list of messages: a request's, and that of a conversation that Gemini CLI saved under a tag."""


def contents_of(body: dict[str, Any]) -> list[Any] | None:
    """Return the contents of a body, None where it has none; one message or text alone is a list of one."""
    found = next((body[key] for key in CONTENTS if key in body), None)
    if isinstance(found, str):
        return [{"role": "user", "parts": [{"text": found}]}]
    return [found] if isinstance(found, dict) else found if isinstance(found, list) else None


def system_of(body: dict[str, Any], origin: Origin, place: str | None) -> list[Entry]:
    """Return the entry of a body's system instruction, nothing where it has none; the SDK puts it into `config`."""
    config = body.get("config")
    for around, path in ((body, place), (config if isinstance(config, dict) else {}, f"{place or ''}.config")):
        found = under(around, "systemInstruction")
        parts = parts_of(found.get("parts") if isinstance(found, dict) and "parts" in found else found)
        if parts:
            where = f"{path}.systemInstruction".removeprefix(".") if place is not None else None
            return [Entry(SYSTEM, tuple(part.block for part in parts), (origin,), HARNESS, place=where)]
    return []


def read_contents(reading: Reading) -> Draft:
    """Return the entries of the body, the list, or the lines of contents."""
    found = Gathering(reading)
    model: str | None = None
    for value, origin in reading.records:
        body = value if isinstance(value, dict) else {}
        contents = contents_of(body)
        if contents is not None:
            model = model or text_or_none(body, "model")
            found.add(system_of(body, origin, ""))
        key = next((key for key in CONTENTS if key in body), "")
        for message in _messages(contents if contents is not None else value, origin, key):
            if role_of(message.value) is None or not ("parts" in message.value or "role" in message.value):
                found.unknown(unknown_name(message.value), message.origin, message.place)
                continue
            made = entries_of(message)
            found.add(entry._replace(reply=Reply(model=model)) if entry.role == ASSISTANT else entry for entry in made)
    return numbered(found.draft())


def _messages(value: Any, origin: Origin, key: str) -> Iterator[Message]:
    if isinstance(value, list):
        for n, inner in enumerate(value):
            yield Message(inner, origin, f"{key}[{n}]")
    else:
        yield Message(value, origin, None)
