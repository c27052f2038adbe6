"""How do the messages of our own format become entries?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Body, Message, messages_of, unknown_name
from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import KNOWN_OTHERS, Part, parts_of, result_content
from windowkeeper_cli.formats.entry import Draft, Entry, Flags, Reply
from windowkeeper_cli.formats.fields import string_or_none
from windowkeeper_cli.formats.own_blocks import block_of
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.unknown import Unknowns
from windowkeeper_cli.formats.windowkeeper import VERSION
from windowkeeper_cli.model.block import Block, Other, Text, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, ROLES, SYSTEM, TOOL, USER, CallRef
from windowkeeper_cli.model.transcript import LogFacts, Paused


def read_document(reading: Reading) -> Draft:
    """Return the entries of the document or lines; raise InputError for a version that is not known."""
    draft, bodies = Draft(), list[Body]()
    unknown, blocks = Unknowns("unknown-record"), Unknowns("unknown-block")
    for message in messages_of(reading.records, bodies):
        value = message.value
        role = value.get("role") if isinstance(value, dict) else None
        where = reading.where(message.origin, message.place)
        if role not in ROLES:
            unknown.add(unknown_name(value), where, message.origin.line)
            continue
        entry = _entry(message, role)
        draft.entries.append(entry)
        for block in entry.blocks:
            if isinstance(block, Other) and block.kind not in KNOWN_OTHERS:
                blocks.add(block.kind, where, message.origin.line)
    for body in bodies:
        _around(body, draft, reading)
    draft.entries = [_expanding(entry, draft.entries) if entry.expands >= 0 else entry for entry in draft.entries]
    draft.findings += [*unknown.findings(), *blocks.findings()]
    draft.log = LogFacts(unknown_records=unknown.counted(), unknown_blocks=blocks.counted())
    return draft


def _around(body: Body, draft: Draft, reading: Reading) -> None:
    top = body.top
    version = top.get("format", VERSION)
    if version != VERSION:
        raise InputError(f"format {version!r} is not known", f"known: {VERSION}", where=reading.files[0].name)
    if body.origin is not None and top.get("system") is not None:
        blocks = tuple(part.block for part in parts_of(top["system"]))
        draft.entries.insert(0, Entry(SYSTEM, blocks, (body.origin,), HARNESS, place="system"))
    paused = top.get("paused")
    if isinstance(paused, dict) and isinstance(paused.get("toolCallId"), str) and paused["toolCallId"]:
        draft.paused = Paused(paused["toolCallId"], paused.get("checkIn") is True)
    draft.request = string_or_none(top, "request")
    draft.session = string_or_none(top, "session")
    draft.agent = string_or_none(top, "agent")
    if isinstance(top.get("events"), list):
        # Few transcripts tell of events; the others start sooner without their reader.
        from windowkeeper_cli.formats.own_events import events_in

        draft.events = events_in(top["events"], draft.entries)
    model = string_or_none(top, "model")
    if model is not None:
        draft.entries = [
            entry._replace(reply=entry.reply._replace(model=entry.reply.model or model))
            if entry.role == ASSISTANT
            else entry
            for entry in draft.entries
        ]


def _entry(message: Message, role: str) -> Entry:
    value = message.value
    refs: list[CallRef] = []
    if role == TOOL:
        result = ToolResult(
            string_or_none(value, "toolCallId") or "",
            string_or_none(value, "toolName"),
            value.get("isError") is True,
            _given(value),
        )
        blocks: tuple[Block, ...] = (result,)
    else:
        made: list[Block] = []
        for part in _parts(value.get("content")):
            made.append(part.block)
            refs += [part.ref] if part.ref else []
        asked = value.get("toolCalls") if role == ASSISTANT else None
        for call in asked if isinstance(asked, list) else ():
            if isinstance(call, dict):
                block, ref = call_of_text(call.get("id"), call.get("name"), call.get("args"))
                made.append(block)
                refs.append(ref)
        blocks = tuple(b for b in made if not (refs and isinstance(b, Text) and not b.text))
    author, request = _author(value, role)
    return Entry(
        role,
        blocks,
        (message.origin,),
        author,
        request=request,
        place=message.place,
        timestamp=string_or_none(value, "time"),
        calls=tuple(refs),
        call_places=tuple(message.place or message.origin.line for _ in refs),
        reply=Reply(string_or_none(value, "messageId"), string_or_none(value, "model"), _usage(value.get("usage"))),
        flags=_flags(value),
        expands=_position(value.get("expands")),
    )


def _author(value: dict[str, Any], role: str) -> tuple[str, bool]:
    """Return who wrote a message, and whether it is a request."""
    injected = value.get("injected") is True
    usual = {SYSTEM: HARNESS, USER: HARNESS if injected else PERSON, ASSISTANT: MODEL, TOOL: TOOL}[role]
    named = value.get("authoredBy")
    request = value.get("request")
    author = named if named in (PERSON, HARNESS, MODEL, TOOL) else usual
    return author, request if isinstance(request, bool) else role == USER and not injected


def _parts(content: Any) -> list[Part]:
    """Return the blocks of a message's content, those that are kept exactly as they are kept."""
    if not isinstance(content, list):
        return parts_of(content)
    parts: list[Part] = []
    for value in content:
        block = block_of(value)
        if isinstance(block, ToolCall):
            parts.append(Part(block, -1, call_of_text(block.id, block.name, block.args)[1]))
        else:
            parts += parts_of([value]) if block is None else [Part(block, -1)]
    return parts


def _given(value: dict[str, Any]) -> tuple[Text | Other, ...]:
    """Return the content of a tool's result."""
    content = value.get("content")
    if not isinstance(content, list):
        return result_content(content)
    given: list[Text | Other] = []
    for part in content:
        block = block_of(part)
        given += [block] if isinstance(block, Text | Other) else result_content([part])
    return tuple(given)


def _position(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else -1


def _expanding(entry: Entry, entries: list[Entry]) -> Entry:
    """Return a message that spells out a request; one that names no request spells out nothing."""
    named = entries[entry.expands] if entry.expands < len(entries) else None
    return entry if named is not None and named.request else entry._replace(expands=-1)


def _flags(value: dict[str, Any]) -> Flags:
    tags = value.get("tags")
    ttl = value.get("ttlTurns")
    return Flags(
        pinned=value.get("pinned") is True,
        task=value.get("task") is True,
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        ttl_turns=ttl if isinstance(ttl, int) and not isinstance(ttl, bool) else None,
        effect="irreversible" if value.get("effect") == "irreversible" else None,
        stage=string_or_none(value, "stage"),
    )


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict) or not value:
        return None

    def figure(key: str) -> int:
        part = value.get(key)
        return part if isinstance(part, int) and not isinstance(part, bool) else 0

    return Usage(
        figure("inputTokens"),
        figure("outputTokens"),
        figure("cacheReadTokens"),
        figure("cacheWriteTokens"),
        value.get("outputFinal") is not False,
        figure("reasoningTokens"),
    )
