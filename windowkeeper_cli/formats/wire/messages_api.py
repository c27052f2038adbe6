"""What do the pairs of the Messages API hold? Requests with a system text beside, replies whole or streamed."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.anthropic import entries_of
from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import parts_of
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import figure, objects_of, text_or_none
from windowkeeper_cli.formats.wire.answer import Answer, Dialect
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.sse import arguments, events_in, parsed
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM, USER

_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
_INPUT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def is_answer(response: Any) -> bool:
    """Return whether a response is the Messages API's own: a message, or a stream that starts one."""
    response = parsed(response)
    if isinstance(response, dict) and response.get("type") == "message":
        return isinstance(response.get("content"), list)
    return any(event.get("type") == "message_start" for event in events_in(response)[:3])


def answer(response: Any) -> Answer | None:
    """Return the reply in a response, None where it holds no message."""
    response = parsed(response)
    streamed = events_in(response)
    message = _assembled(streamed) if streamed else response
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        return None
    if streamed and not message["content"]:
        return None
    ended = not streamed or any(event.get("type") == "message_delta" for event in streamed)
    shown = {"role": ASSISTANT, "content": message["content"]}
    return Answer(shown, text_or_none(message, "id"), text_or_none(message, "model"), _usage(message, ended))


def _assembled(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the message that a stream builds up, in the shape of a whole one."""
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    inputs: dict[int, list[str]] = {}
    for event in events:
        kind, index = event.get("type"), event.get("index")
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = dict(event["message"])
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict) and type(index) is int:
            blocks[index] = dict(event["content_block"])
        elif kind == "content_block_delta" and isinstance(event.get("delta"), dict) and type(index) is int:
            _grow(blocks.setdefault(index, {"type": "text", "text": ""}), event["delta"], inputs.setdefault(index, []))
        elif kind == "message_delta":
            message["usage"] = _later(message.get("usage"), event.get("usage"))
    for index, pieces in inputs.items():
        if pieces:
            blocks[index]["input"] = arguments("".join(pieces))
    return {**message, "content": [blocks[index] for index in sorted(blocks)]} if message else {}


def _grow(block: dict[str, Any], delta: dict[str, Any], pieces: list[str]) -> None:
    kind = delta.get("type")
    if kind == "input_json_delta":
        pieces.append(delta["partial_json"] if isinstance(delta.get("partial_json"), str) else "")
    elif kind == "compaction_delta":
        block["content"] = delta.get("content")
    elif kind in _GROWING:
        key = _GROWING[kind]
        block[key] = (block.get(key) or "") + (delta[key] if isinstance(delta.get(key), str) else "")


def _later(before: Any, after: Any) -> dict[str, Any]:
    """Return the figures after a stream's last event: it counts on from the first, and some servers repeat a 0."""
    merged = dict(before) if isinstance(before, dict) else {}
    for key, value in after.items() if isinstance(after, dict) else ():
        if value is not None and not (value == 0 and key in _INPUT):
            merged[key] = value
    return merged


def _usage(message: dict[str, Any], ended: bool) -> Usage | None:
    """Return what a reply's usage says of the request that was sent.

    After a compaction by the server the top level is the size afterwards; its first iteration read what was sent.
    """
    reported = message.get("usage")
    if not isinstance(reported, dict):
        return None
    sent, output = reported, figure(reported, "output_tokens")
    rounds = objects_of(reported.get("iterations"))
    if any(one.get("type") == "compaction" for one in rounds):
        sent, output = rounds[0], sum(figure(one, "output_tokens") for one in rounds)
    read, written = figure(sent, "cache_read_input_tokens"), figure(sent, "cache_creation_input_tokens")
    return Usage(figure(sent, "input_tokens"), output, read, written, ended)


def entries(pair: Pair) -> list[Entry]:
    """Return the entries of a request, its system text first."""
    made: list[Entry] = []
    system = tuple(part.block for part in parts_of(pair.body.get("system")))
    if system:
        made.append(Entry(SYSTEM, system, (pair.origin,), HARNESS, place=pair.path("request.system")))
    messages = pair.body.get("messages")
    for n, value in enumerate(messages if isinstance(messages, list) else ()):
        role = value.get("role") if isinstance(value, dict) else None
        if role in (USER, ASSISTANT, SYSTEM):
            made += entries_of(Message(value, pair.origin, pair.path(f"request.messages[{n}]")), role)
    return made


def reply(found: Answer, pair: Pair) -> Entry:
    """Return the entry of a reply."""
    return entries_of(Message(found.message, pair.origin, pair.path("response")), ASSISTANT)[0]


DIALECT = Dialect(entries, answer, reply)
