"""How does a chat-completions body, list or file of messages become entries?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Body, Message, messages_of, sampled, unknown_name
from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import other, result_content, type_name
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.reading import CERTAIN, PLAIN, Reading, Verdict, peeked
from windowkeeper_cli.formats.unknown import Unknowns
from windowkeeper_cli.formats.wire.pair import body_of, response_of, sampled_pairs
from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, CallRef
from windowkeeper_cli.model.transcript import LogFacts

WHAT = "a chat-completions body {messages, tools}, a list (`tool_calls`, role tool), or request/response pairs"
_ROLES = {"system": SYSTEM, "developer": SYSTEM, "user": USER, "assistant": ASSISTANT, "tool": TOOL, "function": TOOL}
OWN_PARTS = frozenset(("image_url", "input_audio", "file", "refusal"))
_FOREIGN = frozenset(("input_text", "output_text", "input_image", "input_file"))
"""Parts of the Responses API's messages, whose roles are the same."""
_REASONING = ("reasoning_content", "reasoning")


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are a chat-completions body or list, and why."""
    pairs = sampled_pairs(values)
    if pairs:
        return _of_pairs(pairs)
    found = sampled(values)
    if found is None:
        return None
    top, messages = found
    if any(_parts(message) & _FOREIGN for message in messages):
        return None
    for message in messages:
        if isinstance(message.get("tool_calls"), list) or isinstance(message.get("function_call"), dict):
            return Verdict(CERTAIN, "messages with tool_calls")
        if message["role"] == "tool" and isinstance(message.get("tool_call_id"), str):
            return Verdict(CERTAIN, "messages of the role tool with a tool_call_id")
        if message["role"] == "developer" or _parts(message) & OWN_PARTS:
            return Verdict(CERTAIN, "chat-completions messages")
    tools = top.get("tools")
    if isinstance(tools, list) and any(isinstance(tool, dict) and "function" in tool for tool in tools):
        return Verdict(CERTAIN, "a body whose tools are functions")
    if not messages or not all(_ROLES.get(message["role"]) for message in messages):
        return None
    kinds = {kind for message in messages for kind in _parts(message)}
    if kinds <= {"text"}:
        return Verdict(PLAIN, "messages of roles and plain texts alone")
    if kinds & {"?", "object"} or not any(isinstance(message.get("content"), str) for message in messages):
        return None
    return Verdict(PLAIN, "messages of roles, with texts and parts that are not known")


def _of_pairs(pairs: list[dict[str, Any]]) -> Verdict | None:
    # Most inputs are no such log, and start sooner without it.
    from windowkeeper_cli.formats.wire.chat_completions import is_answer

    if any(is_answer(response_of(pair)) for pair in pairs):
        return Verdict(CERTAIN, "request/response pairs with chat-completions replies")
    for pair in pairs:
        found = recognise([body_of(pair)])
        if found is not None:
            return Verdict(found.strength, f"request/response pairs, a request is {found.why}")
    return None


def role_of(value: Any) -> str | None:
    """Return our role of a message, None where it has none that is known."""
    return _ROLES.get(str(value.get("role"))) if isinstance(value, dict) else None


def read(reading: Reading) -> Draft:
    """Return the entries of the body, the list, the lines or the pairs."""
    first, reading = peeked(reading)
    if sampled_pairs(first):
        from windowkeeper_cli.formats.wire.chat_completions import DIALECT
        from windowkeeper_cli.formats.wire.reader import read_pairs

        return read_pairs(reading, DIALECT)
    draft, bodies = Draft(), list[Body]()
    unknown, blocks = Unknowns("unknown-record"), Unknowns("unknown-block")
    for message in messages_of(reading.records, bodies):
        role = role_of(message.value)
        where = reading.where(message.origin, message.place)
        if role is None:
            unknown.add(unknown_name(message.value), where, message.origin.line)
            continue
        entry = entry_of(message, role)
        draft.entries.append(entry)
        for block in entry.blocks:
            if isinstance(block, Other) and block.kind not in OWN_PARTS:
                blocks.add(block.kind, where, message.origin.line)
    model = next((body.top["model"] for body in bodies if isinstance(body.top.get("model"), str)), None)
    if model is not None:
        reply = Reply(model=model)
        draft.entries = [entry._replace(reply=reply) if entry.role == ASSISTANT else entry for entry in draft.entries]
    draft.findings += [*unknown.findings(), *blocks.findings()]
    draft.log = LogFacts(unknown_records=unknown.counted(), unknown_blocks=blocks.counted())
    return draft


def _parts(message: dict[str, Any]) -> set[str]:
    """Return the types of a message's content parts; plain text has none, what is no part counts as unknown."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return set()
    if not isinstance(content, list):
        return {"?"}
    return {_kind(part) for part in content}


def _kind(part: Any) -> str:
    """Return the type of a content part, `?` for one in the shape of another format."""
    kind = type_name(part)
    if not isinstance(part, dict) or (kind == "file" and "file" not in part):
        return "?"
    return kind


def entry_of(message: Message, role: str) -> Entry:
    """Return the entry of one message."""
    value, origin = message.value, (message.origin,)
    if role == TOOL:
        ident = value.get("tool_call_id")
        name = value.get("name")
        name = name if isinstance(name, str) else None
        ident = ident if isinstance(ident, str) else name or ""
        result = ToolResult(ident, name, False, result_content(value.get("content")))
        return Entry(TOOL, (result,), origin, TOOL, place=message.place)
    if role == ASSISTANT:
        return _reply(message)
    blocks = tuple(_texts(value.get("content")))
    if role == SYSTEM:
        return Entry(SYSTEM, blocks, origin, HARNESS, place=message.place)
    return Entry(USER, blocks, origin, PERSON, request=True, place=message.place)


def _reply(message: Message) -> Entry:
    value = message.value
    refs: list[CallRef] = []
    calls: list[Block] = []
    asked = value.get("tool_calls")
    for call in asked if isinstance(asked, list) else ():
        block, ref = _call(call)
        calls.append(block)
        if ref is not None:
            refs.append(ref)
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        block, made = call_of_text(legacy.get("name"), legacy.get("name"), legacy.get("arguments"))
        calls.append(block)
        refs.append(made)
    blocks: list[Block] = [
        Think(value[key], None) for key in _REASONING if isinstance(value.get(key), str) and value[key]
    ]
    texts = _texts(value.get("content"))
    blocks += [text for text in texts if not (refs and isinstance(text, Text) and not text.text)]
    if isinstance(value.get("refusal"), str):
        blocks.append(other({"type": "refusal", "refusal": value["refusal"]}))
    return Entry(
        ASSISTANT,
        (*blocks, *calls),
        (message.origin,),
        MODEL,
        place=message.place,
        calls=tuple(refs),
        call_places=_call_places(message, asked, refs),
    )


def _call_places(message: Message, asked: Any, refs: list[CallRef]) -> tuple[str | int, ...]:
    """Return the path of every tool call, or the line of its message."""
    if message.place is None:
        return tuple(message.origin.line for _ in refs)
    places: dict[str, str] = {}
    for n, call in enumerate(asked if isinstance(asked, list) else ()):
        ident = call.get("id") if isinstance(call, dict) else None
        if isinstance(ident, str):
            places.setdefault(ident, f"{message.place}.tool_calls[{n}]")
    return tuple(places.get(ref.id, message.place) for ref in refs)


def _call(call: Any) -> tuple[Block, CallRef | None]:
    if isinstance(call, dict):
        function = call.get("function")
        if isinstance(function, dict):
            return call_of_text(call.get("id"), function.get("name"), function.get("arguments"))
        custom = call.get("custom")
        if isinstance(custom, dict):
            return call_of_text(call.get("id"), custom.get("name"), custom.get("input"))
    return other(call), None


def _texts(content: Any) -> list[Text | Other]:
    if content is None:
        return []
    return list(result_content(content))
