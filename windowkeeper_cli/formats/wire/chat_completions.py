"""What do the pairs of the chat-completions API hold? System texts among the messages, replies whole or streamed."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import detail, figure, text_or_none
from windowkeeper_cli.formats.openai_chat import OWN_PARTS, entry_of, role_of
from windowkeeper_cli.formats.wire.answer import Answer, Dialect
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.sse import events_in, parsed
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT

_GROWING = ("content", "reasoning_content", "reasoning", "refusal")


def is_answer(response: Any) -> bool:
    """Return whether a response is the chat-completions API's own: choices, or a stream of them."""
    response = parsed(response)
    if isinstance(response, dict) and isinstance(response.get("choices"), list):
        return True
    return any(isinstance(event.get("choices"), list) for event in events_in(response)[:3])


def answer(response: Any) -> Answer | None:
    """Return the reply in a response, None where it holds no message."""
    response = parsed(response)
    streamed = events_in(response)
    whole = _assembled(streamed) if streamed else response
    choice = _first(whole) if isinstance(whole, dict) else None
    message = choice.get("message") if choice else None
    if not isinstance(message, dict):
        return None
    ended = not streamed or (choice or {}).get("finish_reason") is not None
    shown = {**message, "role": ASSISTANT}
    return Answer(shown, text_or_none(whole, "id"), text_or_none(whole, "model"), usage_of(whole.get("usage"), ended))


def _first(whole: dict[str, Any]) -> dict[str, Any] | None:
    choices = whole.get("choices")
    return next((one for one in choices if isinstance(one, dict)), None) if isinstance(choices, list) else None


def _assembled(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the completion that a stream builds up, in the shape of a whole one."""
    whole: dict[str, Any] = {}
    message: dict[str, Any] = {}
    calls: dict[int, dict[str, Any]] = {}
    finish: Any = None
    for chunk in chunks:
        whole.update({key: chunk[key] for key in ("id", "model", "usage") if chunk.get(key)})
        choice = _first(chunk)
        delta = choice.get("delta") if choice else None
        if choice is None or not isinstance(delta, dict):
            continue
        finish = choice.get("finish_reason") or finish
        message.setdefault("role", ASSISTANT)
        for key in _GROWING:
            if isinstance(delta.get(key), str):
                message[key] = message.get(key, "") + delta[key]
        asked = delta.get("tool_calls")
        for n, piece in enumerate(asked if isinstance(asked, list) else ()):
            if isinstance(piece, dict):
                _grow(calls, piece, n)
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return {**whole, "choices": [{"message": message, "finish_reason": finish}]} if message else {}


def _grow(calls: dict[int, dict[str, Any]], piece: dict[str, Any], n: int) -> None:
    index = piece.get("index")
    call = calls.setdefault(
        index if type(index) is int else n, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}}
    )
    call["id"] = piece.get("id") or call["id"]
    function = piece.get("function")
    for key in ("name", "arguments"):
        if isinstance(function, dict) and isinstance(function.get(key), str):
            call["function"][key] += function[key]


def usage_of(reported: Any, ended: bool = True) -> Usage | None:
    """Return the usage with the cached part apart: this API counts it in the prompt."""
    if not isinstance(reported, dict):
        return None
    cached = detail(reported, "prompt_tokens_details", "cached_tokens")
    prompt, output = figure(reported, "prompt_tokens"), figure(reported, "completion_tokens")
    reasoning = detail(reported, "completion_tokens_details", "reasoning_tokens")
    return Usage(max(0, prompt - cached), output, cached, 0, ended, reasoning)


def entries(pair: Pair) -> list[Entry]:
    """Return the entries of a request."""
    messages = pair.body.get("messages")
    made: list[Entry] = []
    for n, value in enumerate(messages if isinstance(messages, list) else ()):
        role = role_of(value)
        if role is not None:
            made.append(entry_of(Message(value, pair.origin, pair.path(f"request.messages[{n}]")), role))
    return made


def reply(found: Answer, pair: Pair) -> Entry:
    """Return the entry of a reply."""
    return entry_of(Message(found.message, pair.origin, pair.path("response")), ASSISTANT)


DIALECT = Dialect(entries, answer, reply, known=OWN_PARTS)
