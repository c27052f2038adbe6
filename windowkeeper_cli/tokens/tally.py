"""What is there to count in an item? The sizes of its texts, and the blocks whose tokens are not in a text."""

from __future__ import annotations

from collections.abc import Callable

from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.tokens.media import is_sealed, media_tokens
from windowkeeper_cli.tokens.weigh import weigh

_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor: there is one for every item."""


class Tally(NamedTuple):
    """`size` of all texts in the unit of the counter, their characters, and `fixed` tokens of images and documents.

    `hidden` counts reasoning blocks and summaries whose text the log does not hold: their size is unknown, and not in
    the rest.
    """

    size: int
    chars: int
    fixed: int
    hidden: int


def tally(blocks: Blocks, size: Callable[[str], int]) -> Tally:
    """Return what `blocks` hold: texts, reasoning, tool names with argument texts, result contents, the rest."""
    weight = chars = fixed = hidden = 0
    others: list[str] = []
    for block in blocks:
        if type(block) is ToolResult:
            for part in block.content:
                if type(part) is Text:
                    text = part[0]
                    weight += size(text)
                    chars += len(text)
                else:
                    fixed += _other(part, others)
        elif type(block) is ToolCall:
            _, name, text = block
            weight += size(name) + size(text)
            chars += len(name) + len(text)
        elif type(block) is Text or type(block) is Think:
            text = block[0]
            weight += size(text)
            chars += len(text)
            hidden += type(block) is Think and not text
        else:
            hidden += is_sealed(block)
            fixed += _other(block, others)
    if others:
        weight += sum(map(size, others))
        chars += sum(map(len, others))
    return _new(Tally, (weight, chars, fixed, hidden))


def _other(block: Block, texts: list[str]) -> int:
    assert isinstance(block, Other)
    known = media_tokens(block)
    if known is None:
        texts.append(block.json)
    return known or 0


def weighed(blocks: Blocks) -> Tally:
    """Return the tally of one item by weight; a load may ask this of the blocks while they are at hand."""
    return tally(blocks, weigh)


def tally_items(transcript: Transcript) -> list[Tally]:
    """Return the tally of every item by weight, each item read once."""
    source = transcript.source
    blocks, known = source.blocks, source.measured
    return [known(at, weighed) or tally(blocks(at), weigh) for at in range(len(transcript.items))]
