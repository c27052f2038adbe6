"""What does one message of a span hold? {role, parts}, or {role, content} as a provider's own API has it."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.anthropic import entries_of as in_blocks
from windowkeeper_cli.formats.anthropic import reply_of, split_results
from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.call_text import call_of_text
from windowkeeper_cli.formats.content import KNOWN_OTHERS, Part, made_call, other, result_content, type_name
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.openai_chat import OWN_PARTS, entry_of
from windowkeeper_cli.formats.otel.values import parsed
from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL, USER, CallRef

KNOWN = KNOWN_OTHERS | OWN_PARTS | {"uri", "blob", "audio", "video", "binary", "server_tool_call"}
_ROLES = {
    "system": SYSTEM, "developer": SYSTEM, "user": USER, "human": USER, "assistant": ASSISTANT, "model": ASSISTANT,
    "ai": ASSISTANT, "tool": TOOL, "function": TOOL,
}  # fmt: skip
_BLOCKS = ("tool_use", "tool_result", "thinking")
CALL, RESPONSE, REASONING = "tool_call", "tool_call_response", ("reasoning", "thinking")


def entries_of(message: Message) -> list[Entry]:
    """Return the entries of a message, nothing where its role is not known."""
    value = _unwrapped(message.value)
    role = _ROLES.get(str(value.get("role")).lower()) if isinstance(value, dict) else None
    if role is None:
        return []
    if isinstance(value.get("parts"), list):
        parts = [part_of(one, n) for n, one in enumerate(value["parts"])]
        if role == ASSISTANT:
            return [reply_of(parts, message, "parts")]
        return split_results(parts, USER if role == TOOL else role, message, "parts")
    content = parsed(value.get("content")) if _is_blocks(value.get("content")) else value.get("content")
    shown = Message({**value, "role": role, "content": content}, message.origin, message.place)
    if isinstance(content, list) and any(type_name(one) in _BLOCKS for one in content):
        return in_blocks(shown, USER if role == TOOL else role)
    if role == TOOL and "tool_call_id" not in value:
        shown.value["tool_call_id"] = value.get("id")
    if role == ASSISTANT and value.get("tool_calls") is not None:
        shown.value["tool_calls"] = _calls(value["tool_calls"])
    return [entry_of(shown, role)]


def part_of(part: Any, n: int) -> Part:
    """Return the block of a part, with its place in the list and a call's reference."""
    if isinstance(part, str):
        return Part(Text(part), n)
    if not isinstance(part, dict):
        return Part(other(part), n)
    kind, content = type_name(part), part.get("content")
    if kind == "text":
        text = content if isinstance(content, str) else part.get("text")
        if isinstance(text, str):
            return Part(Text(text), n)
    elif kind in REASONING and isinstance(content, str):
        return Part(Think(content, text_or_none(part, "signature")), n)
    elif kind == CALL:
        call, ref = call_from(part.get("id"), part.get("name"), part.get("arguments"))
        return Part(call, n, ref)
    elif kind == RESPONSE:
        ident, name = text_or_none(part, "id") or "", text_or_none(part, "name")
        return Part(ToolResult(ident, name, False, given_back(part.get("response", part.get("result")))), n)
    elif part.get("modality") in ("image", "audio", "video"):
        return Part(Other(part["modality"], compact(part)), n)
    return Part(other(part), n)


def call_from(ident: Any, name: Any, args: Any) -> tuple[ToolCall, CallRef]:
    """Return a tool call, its arguments parsed or as their text."""
    return call_of_text(ident, name, args) if isinstance(args, str) else made_call(ident, name, args)


def given_back(value: Any) -> tuple[Text | Other, ...]:
    """Return what a tool gave back: texts and lists of blocks as they are, other values as JSON."""
    blocks = isinstance(value, list) and all(isinstance(one, dict) and "type" in one for one in value)
    return result_content(value if value is None or isinstance(value, str) or blocks else compact(value))


def system_blocks(parts: list[Any]) -> tuple[Block, ...]:
    """Return the blocks of a system text told in parts."""
    return tuple(part_of(one, n).block for n, one in enumerate(parts))


def _unwrapped(value: Any) -> Any:
    """Return OpenInference's message without the object around it, and around each of its contents."""
    if not isinstance(value, dict) or not isinstance(value.get("message"), dict):
        return value
    inner = dict(value["message"])
    contents = inner.pop("contents", None)
    if isinstance(contents, list) and "content" not in inner:
        inner["content"] = [_content(one) for one in contents]
    return inner


def _content(value: Any) -> Any:
    inner = value.get("message_content") if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return value
    image = inner.get("image")
    if inner.get("type") == "image" and isinstance(image, dict):
        return {"type": "image_url", "image_url": image.get("image", image)}
    return inner


def _is_blocks(content: Any) -> bool:
    """Return whether a text is the JSON of a provider's content blocks."""
    found = parsed(content) if isinstance(content, str) and content.startswith("[{") else None
    return isinstance(found, list) and all(isinstance(one, dict) and "type" in one for one in found)


def _calls(value: Any) -> list[Any]:
    """Return tool calls as the chat-completions API has them: what is told flat goes under `function`."""
    made: list[Any] = []
    found = parsed(value)
    for one in found if isinstance(found, list) else ():
        call = one.get("tool_call", one) if isinstance(one, dict) else one
        if isinstance(call, dict) and "function" not in call and "name" in call:
            call = {"id": call.get("id"), "function": {"name": call["name"], "arguments": call.get("arguments")}}
        made.append(call)
    return made
