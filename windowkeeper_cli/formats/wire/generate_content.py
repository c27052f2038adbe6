"""What do the pairs of the generateContent API hold? Contents, a system instruction, replies whole or streamed."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.gemini.bodies import contents_of, system_of
from windowkeeper_cli.formats.gemini.parts import entries_of, role_of, under
from windowkeeper_cli.formats.wire.answer import Answer, Dialect
from windowkeeper_cli.formats.wire.pair import Pair
from windowkeeper_cli.formats.wire.sse import events_in, parsed
from windowkeeper_cli.model.call import Usage


def is_answer(response: Any) -> bool:
    """Return whether a response is the generateContent API's own: candidates, or a stream of them."""
    response = parsed(response)
    if isinstance(response, dict) and isinstance(response.get("candidates"), list):
        return True
    return any(isinstance(event.get("candidates"), list) for event in events_in(response)[:3])


def answer(response: Any) -> Answer | None:
    """Return the reply in a response, None where it holds no message."""
    response = parsed(response)
    chunks = events_in(response) or ([response] if isinstance(response, dict) else [])
    parts: list[Any] = []
    found: dict[str, Any] = {}
    ended = False
    for chunk in chunks:
        for key in ("usageMetadata", "modelVersion", "responseId"):
            value = under(chunk, key)
            found[key] = found.get(key) if value is None else value
        candidate = _first(chunk)
        content = candidate.get("content")
        told = content.get("parts") if isinstance(content, dict) else None
        ended = ended or under(candidate, "finishReason") is not None
        for part in told if isinstance(told, list) else ():
            _grow(parts, part)
    if not parts:
        return None
    shown = {"role": "model", "parts": parts}
    usage = usage_of(found.get("usageMetadata"), ended=ended)
    return Answer(shown, text_or_none(found, "responseId"), text_or_none(found, "modelVersion"), usage)


def usage_of(reported: Any, *, ended: bool = True) -> Usage | None:
    """Return the usage with the cached part apart: this API counts it in the prompt, and thoughts beside the output."""
    if not isinstance(reported, dict):
        return None
    prompt, output, cached, thoughts = (
        figure({key: under(reported, key)}, key)
        for key in ("promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount", "thoughtsTokenCount")
    )
    return Usage(max(0, prompt - cached), output + thoughts, cached, 0, ended)


def _first(chunk: dict[str, Any]) -> dict[str, Any]:
    candidates = chunk.get("candidates")
    found = candidates if isinstance(candidates, list) else ()
    return next((one for one in found if isinstance(one, dict)), {})


def _grow(parts: list[Any], part: Any) -> None:
    """Add a part; a streamed text goes on the one before it, where neither is signed."""
    last: Any = parts[-1] if parts else None
    if _is_plain(last) and _is_plain(part) and last.get("thought") == part.get("thought"):
        parts[-1] = {**last, "text": f"{last['text']}{part['text']}"}
    else:
        parts.append(part)


def _is_plain(part: Any) -> bool:
    return isinstance(part, dict) and "text" in part and part.keys() <= {"text", "thought"}


def entries(pair: Pair) -> list[Entry]:
    """Return the entries of a request, its system instruction first."""
    made = [*system_of(pair.body, pair.origin, pair.path("request"))]
    contents = contents_of(pair.body)
    for n, value in enumerate(contents or ()):
        if role_of(value) is not None:
            made += entries_of(Message(value, pair.origin, pair.path(f"request.contents[{n}]")))
    return made


def reply(found: Answer, pair: Pair) -> Entry:
    """Return the entry of a reply."""
    return entries_of(Message(found.message, pair.origin, pair.path("response")))[0]


DIALECT = Dialect(entries, answer, reply)
