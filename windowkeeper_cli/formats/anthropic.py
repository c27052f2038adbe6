"""How does a Messages API body, or a bare list with its blocks, become entries?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Body, Message, messages_of, sampled, unknown_name
from windowkeeper_cli.formats.content import KNOWN_OTHERS, Part, parts_of, type_name, without_empty_texts
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, Reading, Verdict, peeked
from windowkeeper_cli.formats.unknown import Unknowns
from windowkeeper_cli.formats.wire.pair import body_of, response_of, sampled_pairs
from windowkeeper_cli.model.block import Other, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER
from windowkeeper_cli.model.transcript import LogFacts

WHAT = "a Messages API body {system, messages, tools}, a list with its blocks, or request/response pairs"
_OWN_BLOCKS = frozenset(
    ("tool_use", "tool_result", "thinking", "redacted_thinking", "document", "server_tool_use", "mcp_tool_use")
)
_OWN_RESULTS = "_tool_result"
"""How the types of a server tool's results end."""


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are a Messages API body or list, and why."""
    pairs = sampled_pairs(values)
    if pairs:
        return _of_pairs(pairs)
    found = sampled(values)
    if found is None:
        return None
    top, messages = found
    for message in messages:
        if _is_reply(message):
            return Verdict(CERTAIN, "messages as the Messages API returns them")
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            kind = type_name(block)
            if kind in _OWN_BLOCKS or kind.endswith(_OWN_RESULTS):
                return Verdict(CERTAIN, f"messages with {kind} blocks")
            if kind == "image" and isinstance(block.get("source"), dict):
                return Verdict(CERTAIN, "messages with image blocks that have a source")
    if "system" in top:
        return Verdict(LIKELY, "a body with messages and a top-level system text")
    tools = top.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools):
        return Verdict(LIKELY, "a body whose tools have an input_schema")
    return None


def _is_reply(message: dict[str, Any]) -> bool:
    """Return whether a message is kept as the API returned it, with what it reports."""
    return message.get("type") == "message" and "stop_reason" in message and isinstance(message.get("usage"), dict)


def _of_pairs(pairs: list[dict[str, Any]]) -> Verdict | None:
    # Most inputs are no such log, and start sooner without it.
    from windowkeeper_cli.formats.wire.messages_api import is_answer

    if any(is_answer(response_of(pair)) for pair in pairs):
        return Verdict(CERTAIN, "request/response pairs with Messages API replies")
    for pair in pairs:
        found = recognise([body_of(pair)])
        if found is not None:
            return Verdict(LIKELY, f"request/response pairs, a request is {found.why}")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the body, the list, the lines or the pairs."""
    first, reading = peeked(reading)
    if sampled_pairs(first):
        from windowkeeper_cli.formats.wire.messages_api import DIALECT
        from windowkeeper_cli.formats.wire.reader import read_pairs

        return read_pairs(reading, DIALECT)
    draft, bodies = Draft(), list[Body]()
    unknown, blocks = Unknowns("unknown-record"), Unknowns("unknown-block")
    for message in messages_of(reading.records, bodies):
        value = message.value
        role = value.get("role") if isinstance(value, dict) else None
        if role in (USER, ASSISTANT, SYSTEM):
            made = entries_of(message, role)
            if role == ASSISTANT and _is_reply(value):
                made = [entry._replace(reply=_reported(value)) for entry in made]
            draft.entries.extend(made)
            for block in (block for entry in made for block in entry.blocks):
                if isinstance(block, Other) and block.kind not in KNOWN_OTHERS:
                    blocks.add(block.kind, reading.where(message.origin, message.place), message.origin.line)
        else:
            unknown.add(unknown_name(value), reading.where(message.origin, message.place), message.origin.line)
    for body in bodies:
        _around(body, draft)
    draft.findings += [*unknown.findings(), *blocks.findings()]
    draft.log = LogFacts(unknown_records=unknown.counted(), unknown_blocks=blocks.counted())
    return draft


def _reported(message: dict[str, Any]) -> Reply:
    # Few bodies hold replies as they came, and the others start sooner without it.
    from windowkeeper_cli.formats.wire.messages_api import answer

    found = answer(message)
    return Reply() if found is None else Reply(found.id, found.model, found.usage)


def _around(body: Body, draft: Draft) -> None:
    system = parts_of(body.top.get("system"))
    if system and body.origin is not None:
        texts = tuple(part.block for part in system)
        draft.entries.insert(0, Entry(SYSTEM, texts, (body.origin,), HARNESS, place="system"))
    model = body.top.get("model")
    if isinstance(model, str):
        reply = Reply(model=model)
        unsaid = (entry.role == ASSISTANT and entry.reply.model is None for entry in draft.entries)
        draft.entries = [
            entry._replace(reply=reply) if bare else entry for entry, bare in zip(draft.entries, unsaid, strict=True)
        ]


def entries_of(message: Message, role: str) -> list[Entry]:
    """Return the entries of one message: an assistant's is one, a user's one for each result and what is between."""
    parts = parts_of(message.value.get("content"))
    if role == ASSISTANT:
        return [reply_of(parts, message)]
    return split_results(parts, role, message)


def reply_of(parts: list[Part], message: Message, key: str = "content") -> Entry:
    """Return the entry of an assistant message; `key` names the list of the parts in it."""
    kept = without_empty_texts(parts)
    places = (_inside(message.place, part.at, key) or message.origin.line for part in kept if part.ref)
    return Entry(
        ASSISTANT,
        tuple(part.block for part in kept),
        (message.origin,),
        MODEL,
        place=message.place,
        calls=tuple(part.ref for part in kept if part.ref),
        call_places=tuple(places),
    )


def split_results(parts: list[Part], role: str, message: Message, key: str = "content") -> list[Entry]:
    """Return a user or system message's entries: each tool result its own, what stands between them together.

    `key` names the list of the parts in the message.
    """
    entries: list[Entry] = []
    held: list[Part] = []
    whole = not any(isinstance(part.block, ToolResult) for part in parts)
    author = HARNESS if role == SYSTEM else PERSON

    def close() -> None:
        if held or whole:
            place = message.place if whole else _inside(message.place, held[0].at, key)
            blocks = tuple(part.block for part in held)
            entries.append(Entry(role, blocks, (message.origin,), author, request=role == USER, place=place))
            held.clear()

    for part in parts:
        if isinstance(part.block, ToolResult):
            if held:
                close()
            place = _inside(message.place, part.at, key)
            entries.append(Entry(TOOL, (part.block,), (message.origin,), TOOL, place=place))
        else:
            held.append(part)
    if held or whole:
        close()
    return entries


def _inside(place: str | None, index: int, key: str = "content") -> str | None:
    return place if place is None or index < 0 else f"{place}.{key}[{index}]"
