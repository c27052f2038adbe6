"""What does one message of a Gemini CLI chat hold? The results of a reply's tools stand inside it."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.anthropic import reply_of
from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import Part, made_call
from windowkeeper_cli.formats.entry import Entry, Reply
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.gemini.parts import entries_of, parts_of, result_of, under
from windowkeeper_cli.model.block import Text, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import TOOL

SILENT = frozenset(("info", "error", "warning", "about", "help", "stats", "quit", "compression"))
"""Messages that the person alone sees."""


def entries_of_turn(message: Message) -> list[Entry]:
    """Return the entries of a message of a type that speaks: a reply comes with its results."""
    value = message.value
    if value["type"] == "user":
        made = entries_of(message._replace(value={"role": "user", "parts": _listed(value.get("content"))}))
    else:
        made = _reply(message)
    time = text_or_none(value, "timestamp")
    return [entry if entry.timestamp else entry._replace(timestamp=time) for entry in made]


def thoughts_in(message: Message) -> int:
    """Return how many summaries of thoughts stand beside a reply: they are displayed, and never sent again."""
    thoughts = message.value.get("thoughts")
    return len(thoughts) if isinstance(thoughts, list) else 0


def usage_of(tokens: Any) -> Usage | None:
    """Return what was reported for a reply, its cached part apart; the chat has zeros where nothing was."""
    if not isinstance(tokens, dict):
        return None
    prompt, cached = figure(tokens, "input"), figure(tokens, "cached")
    output = figure(tokens, "output") + figure(tokens, "thoughts")
    return Usage(max(0, prompt - cached), output, cached) if prompt or output else None


def _listed(content: Any) -> list[Any]:
    if content is None:
        return []
    return content if isinstance(content, list) else [content]


def _reply(message: Message) -> list[Entry]:
    value = message.value
    asked = value.get("toolCalls")
    calls = [(n, call) for n, call in enumerate(asked if isinstance(asked, list) else ()) if isinstance(call, dict)]
    said = [part for part in parts_of(_listed(value.get("content"))) if part.ref is None or not calls]
    made = [made_call(call.get("id"), call.get("name"), call.get("args")) for _, call in calls]
    parts = [part for part in said if part.block != Text("")]
    own = reply_of([*parts, *(Part(block, -1, ref) for block, ref in made)], message, "parts")
    places = [f"{message.place}.toolCalls[{n}]" if message.place else message.origin.line for n, _ in calls]
    reply = Reply(text_or_none(value, "id"), text_or_none(value, "model"), usage_of(value.get("tokens")))
    own = own._replace(reply=reply, call_places=tuple(places) if calls else own.call_places)
    told = zip(places, calls, made, strict=True)
    results = [_result(message, place, call, block.id) for place, (_, call), (block, _) in told]
    return [own, *(result for result in results if result is not None)]


def _result(message: Message, place: str | int, call: dict[str, Any], ident: str) -> Entry | None:
    """Return the result of a tool call, None where it has not come."""
    given = call.get("result")
    parts = [part for part in _listed(given) if part is not None]
    if not parts:
        return None
    first = next((part for part in parts if isinstance(part, dict) and _response(part)), {})
    result = result_of(_response(first), [part for part in parts if part is not first])
    failed = result.error or call.get("status") == "error"
    block = ToolResult(ident, result.name or text_or_none(call, "name"), failed, result.content)
    where = place if isinstance(place, str) else None
    return Entry(TOOL, (block,), (message.origin,), TOOL, place=where, timestamp=text_or_none(call, "timestamp"))


def _response(part: dict[str, Any]) -> dict[str, Any]:
    found = under(part, "functionResponse")
    return found if isinstance(found, dict) else {}
