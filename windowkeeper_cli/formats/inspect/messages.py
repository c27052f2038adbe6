"""What do a message and the output of a call hold in an Inspect log?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import KNOWN_OTHERS, made_call, other, result_content, type_name, without_empty
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.usage import whole_prompt
from windowkeeper_cli.formats.wire.answer import Answer, Dialect
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.model.block import Block, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, MODEL, PERSON, SYSTEM, TOOL, USER, CallRef

KNOWN = KNOWN_OTHERS | {"audio", "video", "data", "tool_use"}
_PERSONS = ("input", "operator")
"""What says that a user message is the dataset's or a person's; a solver's own has no source."""
_READ = "input_tokens_cache_read"
_WRITTEN = "input_tokens_cache_write"


def entry_of(message: Message, role: str) -> Entry:
    """Return the entry of a message."""
    value = message.value
    if role == ASSISTANT:
        return _reply(message)
    if role == TOOL:
        return Entry(TOOL, (_result(value),), (message.origin,), TOOL, place=message.place)
    blocks = tuple(result_content(value.get("content")))
    person = role == USER and value.get("source") in _PERSONS
    return Entry(role, blocks, (message.origin,), PERSON if person else HARNESS, request=person, place=message.place)


def role_of(value: Any) -> str | None:
    """Return the role of a message, None where it has none that is known."""
    role = value.get("role") if isinstance(value, dict) else None
    return role if role in (SYSTEM, USER, ASSISTANT, TOOL) else None


def _result(value: dict[str, Any]) -> ToolResult:
    """Return a tool's result; a tool that failed says why beside its content."""
    error = value.get("error")
    content = value.get("content")
    if isinstance(error, dict) and not content:
        content = error.get("message")
    name = text_or_none(value, "function")
    return ToolResult(text_or_none(value, "tool_call_id") or "", name, bool(error), result_content(content))


def _reply(message: Message) -> Entry:
    value = message.value
    calls: list[ToolCall] = []
    refs: list[CallRef] = []
    places: list[str | int] = []
    asked = value.get("tool_calls")
    for n, call in enumerate(asked if isinstance(asked, list) else ()):
        if isinstance(call, dict):
            made, ref = made_call(call.get("id"), call.get("function"), call.get("arguments"))
            calls.append(made)
            refs.append(ref)
            places.append(message.origin.line if message.place is None else f"{message.place}.tool_calls[{n}]")
    said = _said(value)
    return Entry(
        ASSISTANT,
        (*(without_empty(said) if calls else said), *calls),
        (message.origin,),
        MODEL,
        place=message.place,
        calls=tuple(refs),
        call_places=tuple(places),
        reply=Reply(text_or_none(value, "id"), text_or_none(value, "model")),
    )


def _said(value: dict[str, Any]) -> tuple[Block, ...]:
    content = value.get("content")
    parts = content if isinstance(content, list) else [content] if content is not None else []
    said: list[Block] = [_block(part) for part in parts]
    # Versions up to 0.3.65 keep a reply's reasoning beside its content.
    told = text_or_none(value, "reasoning")
    return (*((Think(told, None),) if told else ()), *said)


def _block(part: Any) -> Block:
    if isinstance(part, str):
        return Text(part)
    kind = type_name(part)
    if isinstance(part, dict):
        if kind == "text" and isinstance(part.get("text"), str):
            return Text(part["text"])
        if kind == "reasoning" and isinstance(part.get("reasoning"), str):
            if part.get("redacted") is True:
                return Think(text_or_none(part, "summary") or "", part["reasoning"])
            return Think(part["reasoning"], text_or_none(part, "signature"))
    return other(part)


def usage_of(told: Any, model: str) -> Usage | None:
    """Return what was reported, with the cached part of the prompt apart.

    The total says whether the input holds the cached part; where it fits neither, Anthropic's input does not.
    """
    if not isinstance(told, dict):
        return None
    prompt, output = figure(told, "input_tokens"), figure(told, "output_tokens")
    read, written, whole = figure(told, _READ), figure(told, _WRITTEN), figure(told, "total_tokens")
    if whole in (prompt + output, prompt + output + read + written):
        apart = whole != prompt + output
    else:
        apart = "anthropic" in model or "claude" in model
    reasoning = figure(told, "reasoning_tokens")
    if apart:
        return Usage(prompt, output, read, written, reasoning=reasoning)
    return whole_prompt(prompt, output, read, written, reasoning)


def _answer(output: Any) -> Answer | None:
    choices = output.get("choices") if isinstance(output, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if role_of(message) != ASSISTANT:
        return None
    assert isinstance(message, dict) and isinstance(output, dict)
    asked = text_or_none(output, "asked") or ""
    return Answer(
        message, text_or_none(message, "id"), text_or_none(output, "model"), usage_of(output.get("usage"), asked)
    )


def _shown(found: Answer, pair: Pair) -> Entry:
    return entry_of(Message(found.message, pair.origin, pair.path("output")), ASSISTANT)


def dialect() -> Dialect:
    """Return the dialect of one sample: messages that stand in several inputs are read once."""
    known: dict[int, tuple[Any, Entry]] = {}

    def entries(pair: Pair) -> list[Entry]:
        made: list[Entry] = []
        for n, value in enumerate(pair.body["messages"]):
            held = known.get(id(value))
            if held is None:
                role = role_of(value)
                if role is None:
                    continue
                # The value is held too: its identity is its key.
                held = known[id(value)] = (value, entry_of(Message(value, pair.origin, pair.path(f"input[{n}]")), role))
            made.append(held[1])
        return made

    return Dialect(entries, _answer, _shown, known=KNOWN)
