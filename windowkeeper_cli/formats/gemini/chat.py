"""How does a Gemini CLI chat file become entries? One document, or a log of messages, rewinds and new histories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.branches import abandoned
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.gemini import SPOKEN
from windowkeeper_cli.formats.gemini.turns import SILENT, entries_of_turn, thoughts_in
from windowkeeper_cli.formats.listed import each_record
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.model.block import Blocks, Text, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, TOOL, USER


def read_chat(reading: Reading) -> Draft:
    """Return the entries of the chat."""
    return _Chat(Gathering(reading)).draft()


class _Chat:
    """Takes the records: a message that is written again takes the place of its first form.

    `order` holds the ids of messages, and rewritten histories where they stand among them.
    """

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.latest: dict[str, Message] = {}
        self.order: list[str | Message] = []
        self.places: dict[str, range] = {}
        self.window: list[str] = []
        self.answered: set[str] = set()

    def draft(self) -> Draft:
        """Return the draft of the whole chat."""
        for record in each_record(self.found.reading.records):
            value = record.value
            if not isinstance(value, dict):
                self.found.unknown(type_name(value), record.origin, record.place)
            elif "$rewindTo" in value:
                self._rewind(value["$rewindTo"])
            elif isinstance(value.get("$set"), dict):
                if isinstance(value["$set"].get("messages"), list):
                    self.order.append(record)
            elif "type" in value:
                self._note(record)
            else:
                self._head(record)
        for one in self.order:
            if isinstance(one, str):
                self._take(one)
            else:
                self._rewrite(one)
        thoughts = sum(thoughts_in(message) for message in self.latest.values())
        if thoughts:
            told = "summary of thoughts, which is" if thoughts == 1 else "summaries of thoughts, which are"
            self.found.seen = f"{thoughts:,} {told} never sent again, left out"
        return self.found.draft()

    def _head(self, record: Message) -> None:
        """Keep what a chat file says of itself, and the messages of one that is a single document."""
        value = record.value
        if "sessionId" not in value and not isinstance(value.get("messages"), list):
            self.found.unknown(type_name(value), record.origin, record.place)
            return
        self.found.session = text_or_none(value, "sessionId") or self.found.session
        folders = value.get("directories")
        first = folders[0] if isinstance(folders, list) and folders else None
        self.found.cwd = first if isinstance(first, str) else self.found.cwd
        messages = value.get("messages")
        for n, message in enumerate(messages if isinstance(messages, list) else ()):
            self._note(Message(message, record.origin, f"messages[{n}]"))

    def _note(self, message: Message) -> None:
        kind = type_name(message.value)
        if kind not in SPOKEN:
            if kind not in SILENT:
                self.found.unknown(kind, message.origin, message.place)
            return
        ident = text_or_none(message.value, "id") or f"#{len(self.order)}"
        if ident not in self.latest or message.place is not None:
            # Of one document each message stands for itself, whatever its id.
            ident = ident if ident not in self.latest else f"{ident}#{len(self.order)}"
            self.order.append(ident)
        self.latest[ident] = message

    def _rewind(self, target: Any) -> None:
        """Take back a message and all after it, everything where there is no such one; what they held is counted."""
        at = self.order.index(target) if target in self.order else 0
        gone = [self.latest.pop(one) for one in self.order[at:] if isinstance(one, str)]
        del self.order[at:]
        if gone:
            made = [entry for message in gone for entry in entries_of_turn(message)]
            replies = [entry.reply.usage for entry in made if entry.role == ASSISTANT]
            where, ident = self.found.reading.where(gone[0].origin, gone[0].place), text_or_none(gone[0].value, "id")
            self.found.findings.append(abandoned(where, gone[0].origin.line, ident, len(gone), len(replies)))
            self.found.left += replies
            self.found.branches += 1

    def _take(self, ident: str) -> None:
        start = len(self.found.entries)
        self.found.add(self._made(self.latest[ident]))
        self.places[ident] = range(start, len(self.found.entries))
        self.window.append(ident)

    def _made(self, message: Message) -> list[Entry]:
        """Return the entries of a message, without results that the calls of another one brought with them."""
        made = entries_of_turn(message)
        if message.value["type"] == USER:
            return [entry for entry in made if not (entry.role == TOOL and _ident(entry) in self.answered)]
        self.answered.update(_ident(entry) for entry in made if entry.role == TOOL)
        return made

    def _rewrite(self, record: Message) -> None:
        """Compare the window with a history that was written anew: what left, its summary, and what was masked."""
        messages = [
            Message(one, record.origin, f"$set.messages[{n}]")
            for n, one in enumerate(record.value["$set"]["messages"])
            if isinstance(one, dict) and type_name(one) in SPOKEN
        ]
        by_id = {ident: message for message in messages if (ident := text_or_none(message.value, "id")) is not None}
        stays = [ident for ident in self.window if ident in by_id]
        left = [at for ident in self.window if ident not in by_id for at in self.places[ident]]
        if left:
            fresh = [one for one in messages if text_or_none(one.value, "id") not in self.latest]
            self._fold(record, left, [at for ident in stays for at in self.places[ident]], fresh)
        self.window = stays
        shown = dict(self._masked(stays, by_id))
        if shown:
            forms = tuple((shown[at],) for at in sorted(shown))
            self.found.event("clear", record.origin, record.place, cleared=tuple(sorted(shown)), shown=forms)

    def _fold(self, record: Message, left: list[int], kept: list[int], fresh: list[Message]) -> None:
        """Take a compression: new messages stand for those that left."""
        blocks: Blocks = tuple(
            block
            for message in fresh
            for entry in self._made(message)
            for block in entry.blocks
            if isinstance(block, Text)
        )
        if not blocks:
            self.found.event("window", record.origin, record.place, left=tuple(left))
            return
        self.found.compaction(record.origin, record.place, blocks, kept)

    def _masked(self, stays: list[str], by_id: dict[str, Message]) -> Iterator[tuple[int, ToolResult]]:
        """Yield the results that stand in another form now, by their position."""
        for ident in stays:
            now = {_ident(entry): entry.blocks[0] for entry in entries_of_turn(by_id[ident]) if entry.role == TOOL}
            for at in self.places[ident]:
                entry = self.found.entries[at]
                form = now.get(_ident(entry)) if entry.role == TOOL else None
                if isinstance(form, ToolResult) and form != entry.blocks[0]:
                    yield at, form


def _ident(entry: Entry) -> str:
    block = entry.blocks[0] if entry.blocks else None
    return block.id if isinstance(block, ToolResult) else ""
