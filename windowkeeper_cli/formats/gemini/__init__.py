"""Is an input of Gemini's: bodies and logs of the generateContent API, Gemini CLI's chat files or its stream-json?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.fields import objects_of
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, Reading, Verdict, peeked

WHAT = (
    "a generateContent body {contents, systemInstruction, tools}, a list of contents, or request/response pairs; "
    "a chat file or stream-json of Gemini CLI"
)
SPOKEN = frozenset(("user", "gemini"))
"""Types of a chat file's messages that the model takes part in."""
_ROLES = frozenset(("user", "model", "function", "tool"))
_PARTS = frozenset(
    (
        "text", "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult",
        "function_call", "function_response", "inline_data", "file_data", "executable_code", "code_execution_result",
    )
)  # fmt: skip


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are a body, a list of contents, pairs, a chat file or a stream, and why."""
    if not values:
        return None
    first, objects = values[0], objects_in(values)
    if isinstance(first, dict):
        for key in ("contents", "history"):
            if _is_contents(first.get(key), most=False):
                return Verdict(CERTAIN, f"a body with {key} of parts")
        if _are_empty(first.get("contents")):
            return Verdict(LIKELY, "a body with contents")
        if isinstance(first.get("contents"), str) and "model" in first:
            return Verdict(LIKELY, "a body with a model and contents")
        messages = first.get("messages")
        if "sessionId" in first and isinstance(messages, list) and _is_chat(messages):
            return Verdict(CERTAIN, "a chat file of Gemini CLI")
    if any("request" in value for value in objects):
        return _of_pairs(values)
    if _is_contents(objects):
        return Verdict(CERTAIN, "messages of parts")
    return _of_lines(objects)


def _is_contents(values: Any, *, most: bool = True) -> bool:
    """Return whether messages hold parts of this API, which have no type: one of them, and `most` say it alone."""
    if not isinstance(values, list):
        return False
    objects = [value for value in values if isinstance(value, dict)]
    fits = [value for value in objects if _is_role(value.get("role", "user")) and _has_parts(value.get("parts"))]
    return bool(fits) and (not most or 2 * len(fits) > len(values))


def _are_empty(contents: Any) -> bool:
    """Return whether contents are messages with lists of parts, and no part stands in them."""
    return bool(contents) and isinstance(contents, list) and all(_is_empty(content) for content in contents)


def _is_empty(content: Any) -> bool:
    return isinstance(content, dict) and content.get("parts") == [] and _is_role(content.get("role", "user"))


def _is_role(role: Any) -> bool:
    return isinstance(role, str) and role in _ROLES


def _has_parts(parts: Any) -> bool:
    return any(part.keys() & _PARTS and "type" not in part for part in objects_of(parts))


def _is_chat(messages: list[Any]) -> bool:
    """Return whether messages have a type and a time of their own, and one of them is of the two that speak."""
    kept = [one for one in messages if isinstance(one, dict) and isinstance(one.get("type"), str) and "role" not in one]
    return bool(kept) and any(one["type"] in SPOKEN and ("content" in one or "toolCalls" in one) for one in kept)


def _of_pairs(values: list[Any]) -> Verdict | None:
    # Most inputs are no such log, and start sooner without it.
    from windowkeeper_cli.formats.wire.generate_content import is_answer
    from windowkeeper_cli.formats.wire.pair import body_of, response_of, sampled_pairs

    pairs = sampled_pairs(values)
    if any(is_answer(response_of(pair)) for pair in pairs):
        return Verdict(CERTAIN, "request/response pairs with generateContent replies")
    if any(_is_contents(body_of(pair).get("contents"), most=False) for pair in pairs):
        return Verdict(CERTAIN, "request/response pairs, a request has contents of parts")
    return None


def _of_lines(objects: list[dict[str, Any]]) -> Verdict | None:
    for value in objects:
        kind = value.get("type")
        if kind == "init" and isinstance(value.get("session_id"), str) and "subtype" not in value:
            return Verdict(CERTAIN, "stream-json with an init event")
        if kind in ("tool_use", "tool_result") and isinstance(value.get("tool_id"), str):
            return Verdict(CERTAIN, f"stream-json with {kind} events")
        if "sessionId" in value and "projectHash" in value and "type" not in value:
            return Verdict(CERTAIN, "a chat file of Gemini CLI, one record a line")
    chat = [value for value in objects if value.get("type") == "gemini" and "id" in value]
    return Verdict(LIKELY, "messages of the type gemini") if chat and _is_chat(chat) else None


def read(reading: Reading) -> Draft:
    """Return the entries of the body, the main conversation of the pairs, the chat, or the stream's last session."""
    # Every input is shown to every format, and starts sooner without the readers of the others.
    from windowkeeper_cli.formats.gemini.choosing import reader_of

    first, reading = peeked(reading)
    return reader_of(first)(reading)
