"""How does a Pydantic AI history become entries? A request's parts are items, a response is one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import KNOWN_OTHERS, result_content, type_name, without_empty
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.fields import detail, figure, text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.pydantic_ai import parts as own
from windowkeeper_cli.formats.pydantic_ai.shapes import REQUEST, is_message, lists_in
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.unknown import counted
from windowkeeper_cli.formats.usage import whole_prompt
from windowkeeper_cli.model.block import Block, Other, Text
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, CallRef


def read(reading: Reading) -> Draft:
    """Return the entries of the history."""
    return _History(Gathering(reading, KNOWN_OTHERS | own.KNOWN)).draft()


def usage_of(told: Any) -> Usage | None:
    """Return a response's usage, the cached part of its prompt apart; zeros stand where nothing was reported."""
    if not isinstance(told, dict):
        return None
    prompt = figure(told, "input_tokens") or figure(told, "request_tokens")
    output = figure(told, "output_tokens") or figure(told, "response_tokens")
    if not prompt and not output:
        return None
    reasoning = figure(told, "output_reasoning_tokens") or detail(told, "details", "reasoning_tokens")
    return whole_prompt(
        prompt, output, figure(told, "cache_read_tokens"), figure(told, "cache_write_tokens"), reasoning
    )


class _History:
    """Takes the messages: `told` as they came, `instructions` the different ones in order."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.told: list[Any] = []
        self.instructions: dict[str, Entry] = {}

    def draft(self) -> Draft:
        """Return the draft of the whole history."""
        for value, origin in self.found.reading.records:
            messages, path = next(lists_in(value), ([value], ""))
            again = self._repeated(messages) if isinstance(value, list) or path else 0
            for n, one in enumerate(messages[again:], again):
                place = f"{path}[{n}]" if path or isinstance(value, list) else None
                self._take(Message(one, origin, place))
        self._instruct()
        return self.found.draft()

    def _repeated(self, messages: list[Any]) -> int:
        """Return how many messages a later list repeats: `all_messages` of each run holds those before."""
        same = 0
        for old, new in zip(self.told, messages, strict=False):
            if old != new:
                break
            same += 1
        return same

    def _take(self, message: Message) -> None:
        self.told.append(message.value)
        if not is_message(message.value):
            self.found.unknown(type_name(message.value), message.origin, message.place)
        elif message.value["kind"] == REQUEST:
            self._ask(message)
        else:
            self._answer(message)

    def _ask(self, message: Message) -> None:
        value, found = message.value, self.found
        found.session = found.session or text_or_none(value, "conversation_id")
        for n, part in enumerate(value["parts"]):
            if part["part_kind"] not in own.SILENT:
                place = None if message.place is None else f"{message.place}.parts[{n}]"
                found.add([_asked(part, Message(value, message.origin, place))])
        text = text_or_none(value, "instructions")
        if text is not None and text not in self.instructions:
            place = None if message.place is None else f"{message.place}.instructions"
            made = Entry(SYSTEM, (Text(text),), (message.origin,), HARNESS, place=place)
            self.instructions[text] = made

    def _answer(self, message: Message) -> None:
        found, at = self.found, len(self.found.entries)
        found.session = found.session or text_or_none(message.value, "conversation_id")
        made = _reply(message)
        found.add([made])
        if any(isinstance(block, Other) and block.kind == own.COMPACTION for block in made.blocks):
            # The provider reads nothing that stands before it.
            found.event("compaction", message.origin, message.place, at=at, trigger="server")

    def _instruct(self) -> None:
        """Put the first instructions behind the leading system prompts, where they are sent with every request."""
        found = self.found
        if not self.instructions:
            return
        entries = found.entries
        at = next((n for n, entry in enumerate(entries) if entry.role != SYSTEM), len(entries))
        entries.insert(at, next(iter(self.instructions.values())))
        found.events = [replace(event, at=event.at + 1) for event in found.events]
        more = len(self.instructions) - 1
        if more:
            found.seen = f"{counted(more, 'other text')} of instructions later on, the first stands for all"


def _asked(part: dict[str, Any], message: Message) -> Entry:
    """Return the entry of a part of a request."""
    kind, content = part["part_kind"], part.get("content")
    time = text_or_none(part, "timestamp") or text_or_none(message.value, "timestamp")

    def entry(role: str, blocks: tuple[Block, ...], author: str) -> Entry:
        person = author == PERSON
        return Entry(role, blocks, (message.origin,), author, request=person, place=message.place, timestamp=time)

    if kind == own.RESULT or (kind == own.RETRY and part.get("tool_name")):
        return entry(TOOL, (own.result_in(part),), TOOL)
    if kind == own.PROMPT:
        return entry(USER, own.said_in(content), PERSON)
    if kind == own.SPEECH:
        return entry(USER, (own.block_of(part),), PERSON)
    if kind == own.SYSTEM_PROMPT or (kind == own.DELTA and isinstance(content, str)):
        return entry(SYSTEM, result_content(content), HARNESS)
    if kind in (own.RETRY, own.FEEDBACK):
        return entry(USER, (Text(own.asked_again(part)),), HARNESS)
    if kind == own.COMPACTION and isinstance(content, str):
        return entry(USER, (Text(content),), HARNESS)
    return entry(USER, (own.block_of(part),), HARNESS)


def _reply(message: Message) -> Entry:
    value = message.value
    blocks: list[Block] = []
    refs: list[CallRef] = []
    places: list[str | int] = []
    for n, part in enumerate(value["parts"]):
        if part["part_kind"] == own.CALL:
            call, ref = own.call_in(part)
            blocks.append(call)
            refs.append(ref)
            places.append(message.origin.line if message.place is None else f"{message.place}.parts[{n}]")
        else:
            blocks.append(own.block_of(part))
    ident = text_or_none(value, "provider_response_id") or text_or_none(value, "vendor_id")
    return Entry(
        ASSISTANT,
        without_empty(tuple(blocks)) if refs else tuple(blocks),
        (message.origin,),
        MODEL,
        place=message.place,
        timestamp=text_or_none(value, "timestamp"),
        calls=tuple(refs),
        call_places=tuple(places),
        reply=Reply(ident, text_or_none(value, "model_name"), usage_of(value.get("usage"))),
    )
