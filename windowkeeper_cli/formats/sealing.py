"""What of a tool's result need not wait as text? Its id, length and measure are taken while it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.content import blocks_of, result_content
from windowkeeper_cli.formats.identity import identified
from windowkeeper_cli.model.block import Blocks, Other, Text, ToolResult
from windowkeeper_cli.model.item import TOOL, CallRef
from windowkeeper_cli.model.value import NamedTuple

Measure = Callable[[Blocks], object]
"""What a caller of `load` wants to know of each item's blocks, asked while they are at hand."""
SMALL = 256
"""Characters of a result that stays, whatever it is: an offset to read it again by takes as much."""
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every result of a log passes."""


class Packed(NamedTuple):
    """A text in UTF-8: one character beyond U+FFFF makes a string four times as large."""

    utf8: bytes


Content = tuple[Text | Other | Packed, ...]


class Sealed(NamedTuple):
    """What was taken of a result while it was read, under the name that its block has.

    `packed` is its content where texts of it are packed; `away` says that it is read again from its file. The block
    has no content then.
    """

    digest: str
    units: int
    measured: object
    packed: Content | None
    away: bool


class Sealing:
    """Seals results that name no tool as they come; a result's tool is that of the latest call with its id so far."""

    def __init__(self, measure: Measure | None, *, keeps_text: bool) -> None:
        self._measure = measure
        self._keeps_text = keeps_text
        self._names: dict[str, str] = {}

    def __call__(self, content: Any) -> tuple[Blocks, tuple[CallRef, ...], Sealed | None]:
        """Return the blocks and calls of a message's content; a result that is alone in it is sealed."""
        if type(content) is list and len(content) == 1 and type(content[0]) is dict:
            get = content[0].get
            ident = get("tool_use_id") if get("type") == "tool_result" else None
            if type(ident) is str:
                block, sealed = self._sealed(ident, get("is_error") is True, result_content(get("content")))
                return (block,), (), sealed
        blocks, calls = blocks_of(content)
        for call in calls:
            self._names[call.id] = call.name
        return blocks, calls, None

    def _sealed(self, ident: str, error: bool, content: tuple[Text | Other, ...]) -> tuple[ToolResult, Sealed]:
        """Return a result with its tool's name and the content that stays in it, and what was taken of it."""
        name = self._names.get(ident) or None
        block = _new(ToolResult, (ident, name, error, content))
        blocks = (block,)
        digest, units = identified(TOOL, blocks, dropped=True)
        measured = None if self._measure is None else self._measure(blocks)
        away = not self._keeps_text and units > SMALL and _is_text(content)
        packed = None
        if not away:
            for part in content:
                if type(part) is Text and not part[0].isascii():
                    packed = tuple([_in_utf8(part) if type(part) is Text else part for part in content])
                    break
        if away or packed is not None:
            block = _new(ToolResult, (ident, name, error, ()))
        return block, _new(Sealed, (digest, units, measured, packed, away))


def unpacked(content: Content) -> tuple[Text | Other, ...]:
    """Return what a result holds, its packed texts as they came."""
    return tuple([_out_of_utf8(part) if isinstance(part, Packed) else part for part in content])


def _out_of_utf8(part: Packed) -> Text:
    return _new(Text, (part.utf8.decode("utf-8", "surrogatepass"),))


def _in_utf8(part: Text) -> Text | Packed:
    text = part.text
    return part if text.isascii() else _new(Packed, (text.encode("utf-8", "surrogatepass"),))


def _is_text(content: tuple[Text | Other, ...]) -> bool:
    return all([type(part) is Text for part in content])  # noqa: C419
