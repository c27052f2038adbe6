"""Which entries does one message of the AI SDK make?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.ai_sdk.parts import (
    ANSWERED,
    ASKED,
    CALL,
    INVOCATION,
    RESULT,
    STEP,
    call_of,
    invocations,
    is_unsent,
    pieces_of,
    plain_of,
    result_of,
    tool_of,
)
from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import other, result_content, type_name, without_empty
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.model.block import Block, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, CallRef


def told(message: Message, role: str) -> Entry:
    """Return the entry of a user's message, or of a system text."""
    value = message.value
    held = value.get("parts") if isinstance(value.get("parts"), list) else value.get("content")
    if isinstance(held, list):
        blocks = tuple(plain_of(part) for part in held if not is_unsent(part))
    else:
        blocks = result_content(held)
    author = HARNESS if role == SYSTEM else PERSON
    return Entry(role, blocks, (message.origin,), author, role == USER, message.place, time_of(value))


class Said:
    """What the model gave in one step, and what its tools answered: the entries of one call.

    `asked` are the calls that a person has to approve, by the approval's id; `answers` what persons said to them.
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        self.blocks: list[Block] = []
        self.refs: list[CallRef] = []
        self.places: list[str | int] = []
        self.results: list[Entry] = []
        self.asked: dict[str, str] = {}
        self.answers: list[dict[str, Any]] = []
        self.place = message.place

    def part(self, part: Any, place: str | None) -> None:
        """Take a part of a ModelMessage's content."""
        kind = type_name(part)
        if kind == CALL and isinstance(part, dict) and part.get("providerExecuted") is not True:
            self.call(part, text_or_none(part, "toolName") or "", place)
        elif kind == RESULT and any(ref.id == part.get("toolCallId") for ref in self.refs):
            self.result(result_of(part), place)
        elif kind in (CALL, RESULT):
            self.blocks.append(other(part))
        else:
            if kind == ASKED:
                self.asked[str(part.get("approvalId"))] = str(part.get("toolCallId"))
            self.blocks.append(plain_of(part))

    def ui_part(self, part: Any, place: str | None) -> None:
        """Take a part of a UIMessage: a tool's holds the call and what it gave."""
        name = tool_of(part)
        if type_name(part) == INVOCATION and isinstance(part.get("toolInvocation"), dict):
            self.invocation(part["toolInvocation"], place)
        elif name is None:
            self.blocks.append(plain_of(part))
        elif part.get("providerExecuted") is True:
            self.blocks += [other(piece) for piece in pieces_of(part, name)]
        else:
            self.call(part, name, place)
            self._approve(part)
            for piece in pieces_of(part, name)[1:]:
                self.result(result_of(piece), place)

    def invocation(self, part: dict[str, Any], place: str | None) -> None:
        """Take a tool's part as the fourth version kept it."""
        self.call(part, text_or_none(part, "toolName") or "", place)
        if part.get("state") == RESULT.removeprefix("tool-"):
            self.result(result_of(part), place)

    def call(self, part: dict[str, Any], name: str, place: str | None) -> None:
        """Take a call."""
        block, ref = call_of(part, name)
        self.blocks.append(block)
        self.refs.append(ref)
        self.places.append(self.message.origin.line if place is None else place)

    def result(self, block: ToolResult, place: str | None) -> None:
        """Take what a tool gave."""
        time = time_of(self.message.value)
        self.results.append(Entry(TOOL, (block,), (self.message.origin,), TOOL, place=place, timestamp=time))

    def _approve(self, part: dict[str, Any]) -> None:
        """Take the approval in a tool's part: the request, and the answer where there is one."""
        approval = part.get("approval")
        if not isinstance(approval, dict):
            return
        ident = str(approval.get("id"))
        self.asked[ident] = str(part.get("toolCallId"))
        self.blocks.append(other({"type": ASKED, "approvalId": ident, "toolCallId": part.get("toolCallId")}))
        if isinstance(approval.get("approved"), bool):
            more = {key: approval[key] for key in ("approved", "reason") if key in approval}
            self.answers.append({"type": ANSWERED, "approvalId": ident, **more})

    def entries(self, reply: Reply) -> list[Entry]:
        """Return the message and its results."""
        blocks = (*self.blocks, *map(other, self.answers))
        message = Entry(
            ASSISTANT,
            without_empty(blocks) if self.refs else blocks,
            (self.message.origin,),
            MODEL,
            place=self.place,
            timestamp=time_of(self.message.value),
            calls=tuple(self.refs),
            call_places=tuple(self.places),
            reply=reply,
        )
        return [message, *self.results]


def steps_of(message: Message) -> list[Said]:
    """Return the steps of an assistant's message; one of the user interface holds all up to the next user's."""
    value = message.value
    parts, content = value.get("parts"), value.get("content")
    if not isinstance(parts, list):
        said = Said(message)
        for n, part in enumerate(content if isinstance(content, list) else ()):
            said.part(part, inside(message.place, "content", n))
        if not isinstance(content, list):
            said.blocks += result_content(content)
        for n, part in enumerate(invocations(value)):
            said.invocation(part, inside(message.place, "toolInvocations", n))
        return [said]
    made = [Said(message)]
    for n, part in enumerate(parts):
        if type_name(part) == STEP:
            if made[-1].blocks:
                made.append(Said(message))
                made[-1].place = inside(message.place, "parts", n)
        elif not is_unsent(part):
            made[-1].ui_part(part, inside(message.place, "parts", n))
    return made if made[-1].blocks or len(made) == 1 else made[:-1]


def inside(place: str | None, key: str, n: int) -> str | None:
    """Return the path of a part, None in a file of lines."""
    return None if place is None else f"{place}.{key}[{n}]"


def time_of(value: dict[str, Any]) -> str | None:
    """Return when a message was made, where a program noted it."""
    metadata = value.get("metadata")
    return text_or_none(value, "createdAt") or (
        text_or_none(metadata, "createdAt") if isinstance(metadata, dict) else None
    )
