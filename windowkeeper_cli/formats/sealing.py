"""What of a tool's result need not wait as text? Its id, length and measure are taken while it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windowkeeper_cli.formats.content import blocks_of
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
        blocks, calls = blocks_of(content)
        for call in calls:
            self._names[call.id] = call.name
        if len(blocks) == 1 and type(blocks[0]) is ToolResult:
            blocks, sealed = self._sealed(blocks[0])
            return blocks, calls, sealed
        return blocks, calls, None

    def _sealed(self, result: ToolResult) -> tuple[Blocks, Sealed]:
        """Return the result with its tool's name and the content that stays in it, and what was taken of it."""
        ident, name, error, content = result
        name = name or self._names.get(ident) or None
        blocks = (_new(ToolResult, (ident, name, error, content)),)
        digest, units = identified(TOOL, blocks, dropped=True)
        measured = None if self._measure is None else self._measure(blocks)
        away = not self._keeps_text and _is_text(content) and units > SMALL
        packed = None
        if not away and not all([part[0].isascii() for part in content]):  # noqa: C419
            packed = tuple([_in_utf8(part) if type(part) is Text else part for part in content])
        if away or packed is not None:
            blocks = (_new(ToolResult, (ident, name, error, ())),)
        return blocks, _new(Sealed, (digest, units, measured, packed, away))


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
