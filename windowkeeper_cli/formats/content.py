"""What do content blocks of the Messages API kind hold? Shared by every format that keeps them."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.exact import compact
from windowkeeper_cli.formats.families import resource_of
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import CallRef
from windowkeeper_cli.model.value import NamedTuple

KNOWN_OTHERS = frozenset(
    (
        "image", "document", "tool_reference", "redacted_thinking", "search_result", "container_upload",
        "server_tool_use", "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result",
        "bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "mcp_tool_use",
        "mcp_tool_result", "tool_search_tool_result", "compaction", "inlineData", "fileData", "executableCode",
        "codeExecutionResult",
    )
)  # fmt: skip
TEXTS = frozenset(("text",))
HIDDEN_THINKING = "redacted_thinking"
_NEST = 50
_IMAGES = ("image", "image_url", "input_image")
_EMPTY = Text("")
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every block of a log passes."""


class Part(NamedTuple):
    """One block, where in its content list it stands (-1: the content is no list), and a call's reference."""

    block: Block
    at: int
    ref: CallRef | None = None


def parts_of(content: Any) -> list[Part]:
    """Return the blocks of a message's content: a string, a list of blocks or texts, nested lists, or nothing."""
    if isinstance(content, str):
        return [Part(Text(content), -1)]
    if isinstance(content, list):
        return [part for n, value in enumerate(content) for part in _parts(value, n, 0)]
    if content is None:
        return []
    return [Part(_block(content)[0], -1)]


def blocks_of(content: Any) -> tuple[Blocks, tuple[CallRef, ...]]:
    """Return the blocks of a message's content, and the references of the calls among them."""
    if type(content) is list and len(content) == 1 and type(content[0]) is dict:
        block, ref = _block(content[0])
        return (block,), () if ref is None else (ref,)
    if type(content) is str:
        return (_new(Text, (content,)),), ()
    parts = parts_of(content)
    return tuple([part.block for part in parts]), tuple([part.ref for part in parts if part.ref])


def made_call(ident: Any, name: Any, args: Any) -> tuple[ToolCall, CallRef]:
    """Return a tool call from its parsed arguments, or from their text where the format keeps one."""
    text = args if type(args) is str else compact({} if args is None else args)
    ident = ident if type(ident) is str else _string(ident)
    name = name if type(name) is str else _string(name)
    return _new(ToolCall, (ident, name, text)), _new(CallRef, (ident, name, resource_of(name, args)))


def result_content(content: Any, texts: frozenset[str] = TEXTS) -> tuple[Text | Other, ...]:
    """Return what a tool result holds: texts and blocks kept verbatim; absent content is an empty list.

    `texts` are the types of the blocks that hold plain text.
    """
    if type(content) is str:
        return (_new(Text, (content,)),)
    if content is None:
        return ()
    return tuple(_flat(content, texts, 0))


def without_empty_texts(parts: list[Part]) -> list[Part]:
    """Return an assistant message's parts without the empty texts that stand beside its tool calls."""
    if not any(part.ref for part in parts):
        return parts
    return [part for part in parts if part.block != _EMPTY]


def without_empty(blocks: Blocks) -> Blocks:
    """Return the blocks of a message that makes calls, without empty texts."""
    return tuple([block for block in blocks if block != _EMPTY]) if _EMPTY in blocks else blocks


def other(value: Any) -> Other:
    """Return a block kept verbatim but for its cache mark, with the size of an image whose header says so."""
    if isinstance(value, dict):
        if "cache_control" in value:
            value = {key: part for key, part in value.items() if key != "cache_control"}
        kind = value.get("type")
        if isinstance(kind, str):
            return Other(kind, compact(value), _size(value) if kind in _IMAGES else None)
    return Other(type_name(value), compact(value))


def _size(image: dict[str, Any]) -> tuple[int, int] | None:
    # Few logs hold an image; the others start sooner without the decoder.
    from windowkeeper_cli.formats.images import size_of

    return size_of(image)


def type_name(value: Any) -> str:
    """Return what JSON calls the type of a value, or the value's own `type`."""
    if isinstance(value, dict):
        kind = value.get("type")
        return kind if isinstance(kind, str) and kind else "object"
    if isinstance(value, bool):
        return "boolean"
    names = ((str, "string"), (list, "list"), (int, "number"), (float, "number"))
    return next((name for kind, name in names if isinstance(value, kind)), "null")


def _parts(value: Any, index: int, depth: int) -> list[Part]:
    if isinstance(value, str):
        return [Part(Text(value), index)]
    if isinstance(value, list) and depth < _NEST:
        return [part for inner in value for part in _parts(inner, index, depth + 1)]
    block, ref = _block(value)
    return [Part(block, index, ref)]


def _block(value: Any) -> tuple[Block, CallRef | None]:
    if type(value) is dict:
        get = value.get
        kind = get("type")
        if kind == "tool_use":
            return made_call(get("id"), get("name"), get("input"))
        if kind == "tool_result":
            fields = (_string(get("tool_use_id")), None, get("is_error") is True, result_content(get("content")))
            return _new(ToolResult, fields), None
        if kind == "text":
            text = get("text")
            if type(text) is str:
                return _new(Text, (text,)), None
        elif kind == "thinking":
            text, sig = get("thinking"), get("signature")
            if type(text) is str:
                return _new(Think, (text, sig if type(sig) is str else None)), None
    return other(value), None


def _flat(value: Any, texts: frozenset[str], depth: int) -> list[Text | Other]:
    if isinstance(value, list) and depth < _NEST:
        return [part for inner in value for part in _flat(inner, texts, depth + 1)]
    if isinstance(value, str):
        return [Text(value)]
    if isinstance(value, dict) and isinstance(value.get("text"), str) and type_name(value) in texts:
        return [Text(value["text"])]
    return [other(value)]


def _string(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else compact(value)
