"""Which messages does an AI SDK document hold, and which call waits for a person's approval?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.ai_sdk.messages import inside, steps_of, told
from windowkeeper_cli.formats.ai_sdk.parts import ANSWERED, KNOWN, RESULT, result_of
from windowkeeper_cli.formats.ai_sdk.usage import usage_in
from windowkeeper_cli.formats.body import Body, Message, messages_of, unknown_name
from windowkeeper_cli.formats.content import other, type_name
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.model.block import Text, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, PERSON, SYSTEM, TOOL, USER
from windowkeeper_cli.model.transcript import Paused


def read_messages(reading: Reading) -> Draft:
    """Return the entries of the messages."""
    chat = _Chat(Gathering(reading, KNOWN))
    bodies: list[Body] = []
    for message in messages_of(reading.records, bodies):
        chat.take(message)
    for body in bodies:
        chat.around(body)
    return chat.draft()


class _Chat:
    """Takes the messages; `asked` are the message and the call that each approval is about, by the approval's id."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.asked: dict[str, tuple[int, str]] = {}
        self.answered: set[str] = set()

    def take(self, message: Message) -> None:
        """Take the next message."""
        value, found = message.value, self.found
        role = value.get("role") if isinstance(value, dict) else None
        if role in (USER, SYSTEM):
            found.add([told(message, role)])
        elif role == ASSISTANT:
            self._said(message)
        elif role == TOOL:
            content = value.get("content")
            for n, part in enumerate(content if isinstance(content, list) else [content]):
                self._tool_part(message, part, inside(message.place, "content", n))
        else:
            found.unknown(unknown_name(value), message.origin, message.place)

    def _said(self, message: Message) -> None:
        steps = steps_of(message)
        metadata = message.value.get("metadata")
        model = text_or_none(metadata, "model") if isinstance(metadata, dict) else None
        reply = Reply(text_or_none(message.value, "id"), model, usage_in(metadata) if len(steps) == 1 else None)
        for step in steps:
            self.asked |= {ident: (len(self.found.entries), call) for ident, call in step.asked.items()}
            self.answered |= {answer["approvalId"] for answer in step.answers}
            self.found.add(step.entries(reply))

    def _tool_part(self, message: Message, part: Any, place: str | None) -> None:
        kind, entries = type_name(part), self.found.entries
        if kind == RESULT:
            self.found.add([Entry(TOOL, (result_of(part),), (message.origin,), TOOL, place=place)])
            return
        ident = str(part.get("approvalId")) if kind == ANSWERED else ""
        if ident not in self.asked:
            self.found.add([Entry(USER, (other(part),), (message.origin,), PERSON, place=place)])
            return
        # An approval is no message of its own: it stands and leaves with the request and the call that it is about.
        at, _ = self.asked[ident]
        self.answered.add(ident)
        origins = tuple(dict.fromkeys((*entries[at].origins, message.origin)))
        entries[at] = entries[at]._replace(blocks=(*entries[at].blocks, other(part)), origins=origins)

    def around(self, body: Body) -> None:
        """Take what stands around the messages: a system text, the chat's id."""
        system = text_or_none(body.top, "system") or text_or_none(body.top, "instructions")
        if system is not None and body.origin is not None:
            self.found.entries.insert(0, Entry(SYSTEM, (Text(system),), (body.origin,), HARNESS, place="system"))
            self.asked = {ident: (at + 1, call) for ident, (at, call) in self.asked.items()}
        self.found.session = self.found.session or text_or_none(body.top, "id")

    def draft(self) -> Draft:
        """Return the draft; a call that waits at its end for an approval pauses it."""
        draft = self.found.draft()
        draft.paused = self._paused()
        return draft

    def _paused(self) -> Paused | None:
        entries = self.found.entries
        last = next((at for at in reversed(range(len(entries))) if entries[at].role != TOOL), -1)
        given = {block.id for entry in entries[last + 1 :] for block in entry.blocks if isinstance(block, ToolResult)}
        for ident, (at, call) in self.asked.items():
            if at == last and call not in given:
                return Paused(call, check_in=ident not in self.answered)
        return None
