"""Which messages does a LangChain document hold, and which of them did the program remove?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import KNOWN_OTHERS, type_name
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.langchain.chunks import Streamed, is_chunk
from windowkeeper_cli.formats.langchain.messages import entry_of
from windowkeeper_cli.formats.langchain.shapes import AI, REMOVE, Dumped, dumped, lists_in
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.stream import Record

KNOWN = KNOWN_OTHERS | {
    "image_url", "input_audio", "file", "audio", "video", "refusal", "server_tool_call", "server_tool_result",
    "web_search_call", "file_search_call", "code_interpreter_call", "non_standard",
}  # fmt: skip
_ALL = "__remove_all__"


def read_dump(reading: Reading) -> Draft:
    """Return the entries of the messages."""
    history = _History(Gathering(reading, KNOWN))
    for record in reading.records:
        for message in _messages(record):
            history.take(message)
    history.close()
    return history.found.draft()


def _messages(record: Record) -> Iterator[Message]:
    """Yield the messages of a record: itself, or those of the first list in it that holds some."""
    value, origin = record
    if dumped(value) is not None:
        yield Message(value, origin, None)
        return
    for messages, path in lists_in(value):
        if any(dumped(one) is not None for one in messages):
            for n, one in enumerate(messages):
                yield Message(one, origin, f"{path}[{n}]")
            return
    yield Message(value, origin, None)


class _History:
    """Takes the messages; `places` are the entries of each message id, `open` is a reply that came in chunks so far."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.places: dict[str, list[int]] = {}
        self.open: Streamed | None = None

    def take(self, message: Message) -> None:
        """Take the next message."""
        known = dumped(message.value)
        chunk = known if known is not None and known.kind == AI and is_chunk(message.value, known.fields) else None
        if chunk is not None and self.open is not None and self.open.take(message, chunk):
            return
        self.close()
        if known is None:
            self.found.unknown(type_name(message.value), message.origin, message.place)
        elif known.kind == REMOVE:
            self._remove(message, known)
        elif self._add(message, known) and chunk is not None:
            self.open = Streamed(message, chunk)

    def close(self) -> None:
        """Put the reply that came in chunks in the place of its first one."""
        if self.open is not None and len(self.open.origins) > 1:
            entry = entry_of(self.open.first, self.open.whole())
            if entry is not None:
                self.found.entries[-1] = entry._replace(origins=tuple(dict.fromkeys(self.open.origins)))
        self.open = None

    def _add(self, message: Message, known: Dumped) -> bool:
        """Add a message's entry; return whether it made one."""
        entry = entry_of(message, known)
        if entry is None:
            name = f"{known.kind} of the role {known.fields.get('role')}"
            self.found.unknown(name, message.origin, message.place)
            return False
        ident = text_or_none(known.fields, "id")
        if ident is not None:
            if any(self._is_again(at, entry) for at in self.places.get(ident, ())):
                return False
            self.places.setdefault(ident, []).append(len(self.found.entries))
        self.found.add([entry])
        return True

    def _is_again(self, at: int, entry: Entry) -> bool:
        """Return whether a later state repeats a message: a log of states holds each one again."""
        before = self.found.entries[at]
        return before.blocks == entry.blocks and before.origins != entry.origins

    def _remove(self, message: Message, known: Dumped) -> None:
        """Record what a program took out of the state from here on."""
        ident = text_or_none(known.fields, "id")
        left: Any = range(len(self.found.entries)) if ident == _ALL else self.places.pop(ident or "", ())
        if left:
            self.found.event("window", message.origin, message.place, left=tuple(left))
