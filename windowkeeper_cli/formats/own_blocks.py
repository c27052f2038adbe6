"""How does our own format keep a block that its plain shape cannot hold? As the payload has it, `t` naming its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.exact import DECODER, too_deep
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult

TYPE = "t"


def value_of(block: Block) -> dict[str, Any]:
    """Return a block as a JSON value that `block_of` reads back as it was; a block kept verbatim has its text."""
    if isinstance(block, Text):
        return {TYPE: "text", "text": block.text}
    if isinstance(block, Think):
        return {TYPE: "think", "text": block.text, "sig": block.sig}
    if isinstance(block, ToolCall):
        return {TYPE: "call", "id": block.id, "name": block.name, "args": block.args}
    if isinstance(block, Other):
        made: dict[str, Any] = {TYPE: "other", "kind": block.kind, "json": block.json}
        return made if block.size is None else {**made, "size": list(block.size)}
    content = [value_of(part) for part in block.content]
    return {TYPE: "result", "id": block.id, "name": block.name, "error": block.error, "content": content}


def values_of(blocks: Blocks) -> list[dict[str, Any]]:
    """Return blocks as JSON values."""
    return [value_of(block) for block in blocks]


def block_of(value: Any) -> Block | None:
    """Return the block that a JSON value holds, None where it is none in this shape."""
    kind = value.get(TYPE) if isinstance(value, dict) else None
    read = _READ.get(kind) if isinstance(kind, str) else None
    return None if read is None else read(value)


def blocks_in(values: Any) -> Blocks:
    """Return the blocks of a list of such values; what is none is left out."""
    found = [block_of(value) for value in values] if isinstance(values, list) else []
    return tuple(block for block in found if block is not None)


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _or_none(value: dict[str, Any], key: str) -> str | None:
    return value[key] if isinstance(value.get(key), str) else None


def _other(value: dict[str, Any]) -> Other | None:
    kind, text, size = _or_none(value, "kind"), _or_none(value, "json"), value.get("size")
    if kind is None or text is None or not _is_json(text):
        return None
    wide = size if isinstance(size, list) and len(size) == 2 and all(map(_is_side, size)) else None
    return Other(kind, text, None if wide is None else (wide[0], wide[1]))


def _is_json(text: str) -> bool:
    if too_deep(text):
        return False
    try:
        DECODER.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_side(value: Any) -> bool:
    return type(value) is int and 0 < value < 1 << 20


def _result(value: dict[str, Any]) -> ToolResult:
    content = tuple(part for part in blocks_in(value.get("content")) if isinstance(part, Text | Other))
    return ToolResult(_text(value, "id"), _or_none(value, "name"), value.get("error") is True, content)


_READ: dict[str, Callable[[dict[str, Any]], Block | None]] = {
    "text": lambda value: Text(_text(value, "text")),
    "think": lambda value: Think(_text(value, "text"), _or_none(value, "sig")),
    "call": lambda value: ToolCall(_text(value, "id"), _text(value, "name"), _text(value, "args")),
    "other": _other,
    "result": _result,
}
