"""What do the parts of a generateContent message hold? JSON writes keys in camel case, the Python SDK in snake case."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.anthropic import reply_of, split_results
from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import Part, made_call
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.images import size_of_base64
from windowkeeper_cli.model.block import Other, Text, Think, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, USER

ROLES = {"user": USER, "model": ASSISTANT, "function": USER, "tool": USER}
FOR_CONTEXT = "For context:"
"""How the Agent Development Kit begins what another agent said; no person wrote it."""
_ALONE = ("output", "result", "error")
"""The key under which a function's whole response is one text."""
_DATA = ("inlineData", "fileData", "executableCode", "codeExecutionResult")


def camel(key: str) -> str:
    """Return a key in snake case as the API writes it."""
    first, *rest = key.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def under(value: dict[str, Any], key: str) -> Any:
    """Return what stands under a key of the API, in either way of writing it."""
    if key in value:
        return value[key]
    return next((inner for name, inner in value.items() if "_" in name and camel(name) == key), None)


def role_of(content: Any) -> str | None:
    """Return our role of a message, None where it has none that is known; one without a role is the user's."""
    if not isinstance(content, dict):
        return None
    role = content.get("role", "user")
    return ROLES.get(role) if isinstance(role, str) else None


def entries_of(message: Message) -> list[Entry]:
    """Return the entries of one message of `contents`: a model's is one, a user's one for each function response."""
    role = role_of(message.value)
    parts = parts_of(message.value.get("parts"))
    if role != ASSISTANT:
        made = split_results(parts, USER, message, "parts")
        return [_by_harness(entry) for entry in made]
    return [reply_of(parts, message, "parts")]


def parts_of(parts: Any) -> list[Part]:
    """Return the blocks of a list of parts, of one part, or of a plain text."""
    if parts is None:
        return []
    if not isinstance(parts, list):
        parts = [parts]
    return [part for n, value in enumerate(parts) for part in _parts(value, n)]


def _parts(value: Any, at: int) -> list[Part]:
    """Return the block of one part; a signature that stands with it is a thought that nobody may read."""
    if isinstance(value, str):
        return [Part(Text(value), at)]
    if not isinstance(value, dict):
        return [Part(Other("null" if value is None else "object", compact(value)), at)]
    sign = under(value, "thoughtSignature")
    sign = sign if isinstance(sign, str) and sign else None
    text, call, response = value.get("text"), under(value, "functionCall"), under(value, "functionResponse")
    hidden = [] if sign is None else [Part(Think("", sign), at)]
    if isinstance(text, str):
        if value.get("thought") is True:
            return [Part(Think(text, sign), at)]
        return [*hidden, Part(Text(text), at)]
    if isinstance(call, dict):
        block, ref = made_call(call.get("id"), call.get("name"), call.get("args"))
        return [*hidden, Part(block, at, ref)]
    if isinstance(response, dict):
        return [Part(result_of(response), at)]
    return [*hidden, Part(_other(value), at)]


def result_of(response: dict[str, Any], more: Any = ()) -> ToolResult:
    """Return the result in a function response, with the parts that came beside it."""
    ident, name, given = response.get("id"), response.get("name"), response.get("response")
    inner = under(response, "parts")
    beside = [part.block for part in parts_of([*(inner if isinstance(inner, list) else ()), *more])]
    content: list[Text | Other] = [Text(_text(given))] if given is not None else []
    content += [block for block in beside if isinstance(block, Text | Other)]
    failed = isinstance(given, dict) and "error" in given and "output" not in given
    ident = ident if isinstance(ident, str) else ""
    return ToolResult(ident, name if isinstance(name, str) and name else None, failed, tuple(content))


def _text(given: Any) -> str:
    """Return a function's response as text: the one that it holds, else the JSON as it is sent."""
    if isinstance(given, dict) and len(given) == 1:
        key, text = next(iter(given.items()))
        if key in _ALONE and isinstance(text, str):
            return text
    return given if isinstance(given, str) else compact(given)


def _other(value: dict[str, Any]) -> Other:
    for kind in _DATA:
        inner = under(value, kind)
        if isinstance(inner, dict):
            data, mime = inner.get("data"), under(inner, "mimeType")
            image = kind == "inlineData" and isinstance(mime, str) and mime.startswith("image/")
            return Other(kind, compact(value), size_of_base64(data) if image and isinstance(data, str) else None)
    named = next((key for key in value if key not in ("thought", "thoughtSignature")), "object")
    return Other(str(value.get("type") or named), compact(value))


def _by_harness(entry: Entry) -> Entry:
    """Return a message that one agent put in for another as nobody's request."""
    first = entry.blocks[0] if entry.blocks else None
    if entry.request and isinstance(first, Text) and first.text == FOR_CONTEXT:
        return entry._replace(authored_by=HARNESS, request=False)
    return entry
