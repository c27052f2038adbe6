"""Blocks: what a message or a tool result is made of.

Blocks and items are made by the ten thousand while a log loads, so they are named tuples: immutable like the
frozen dataclasses elsewhere, and several times cheaper to make.
"""

from __future__ import annotations

from windowkeeper_cli.model.value import NamedTuple


class Text(NamedTuple):
    """Plain text, code point for code point as it came."""

    text: str


class Think(NamedTuple):
    """Reasoning; `text` is empty where the log holds only its signature (hidden thinking)."""

    text: str
    sig: str | None


class ToolCall(NamedTuple):
    """A tool call inside an assistant message; `args` is the argument text (JSON as a rule)."""

    id: str
    name: str
    args: str


class Other(NamedTuple):
    """A block kept verbatim: `kind` is its own type name, `json` its compact JSON text.

    `size` is the width and height in pixels of an image whose header says so.
    """

    kind: str
    json: str
    size: tuple[int, int] | None = None


class ToolResult(NamedTuple):
    """What a tool answered to the call `id`; `name` is the tool's, where format or call gives it."""

    id: str
    name: str | None
    error: bool
    content: tuple[Text | Other, ...]


_NO_LEADS = bytes(byte for byte in range(256) if not 0xF0 <= byte <= 0xF4)
"""All but the bytes by which UTF-8 begins the characters that take two units in UTF-16."""
Block = Text | Think | ToolCall | ToolResult | Other
Blocks = tuple[Block, ...]


def texts_of(blocks: Blocks) -> tuple[str, ...]:
    """Return the plain texts of `blocks` in order, those inside tool results included."""
    found: list[str] = []
    for block in blocks:
        if isinstance(block, Text):
            found.append(block.text)
        elif isinstance(block, ToolResult):
            found.extend([part.text for part in block.content if isinstance(part, Text)])
    return tuple(found)


def units_of(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    if text.isascii():
        return len(text)
    data = text.encode("utf-8", "surrogatepass")
    return len(text) + len(data.translate(None, _NO_LEADS))


def units_in(blocks: Blocks) -> int:
    """Return the length of the texts of `blocks` in UTF-16 code units; tool calls count nothing."""
    units = 0
    for block in blocks:
        if type(block) is Text:
            text = block.text
            units += len(text) if text.isascii() else units_of(text)
        elif type(block) is ToolResult:
            for part in block.content:
                if type(part) is Text:
                    text = part.text
                    units += len(text) if text.isascii() else units_of(text)
    return units
