"""What is there to count in an item? The sizes of its texts, and the blocks whose tokens are not in a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens.media import media_tokens
from windowkeeper_cli.tokens.weigh import weigh


class Tally(NamedTuple):
    """`size` of all texts in the unit of the counter, their characters, and `fixed` tokens of images and documents.

    `hidden` counts reasoning blocks whose text the log does not hold: their size is unknown, and not in the rest.
    """

    size: int
    chars: int
    fixed: int
    hidden: int


def tally(blocks: Blocks, size: Callable[[str], int]) -> Tally:
    """Return what `blocks` hold: texts, reasoning, tool names with argument texts, result contents, the rest."""
    texts: list[str] = []
    fixed = hidden = 0
    for block in blocks:
        if type(block) is Text:
            texts.append(block.text)
        elif type(block) is ToolCall:
            texts += (block.name, block.args)
        elif type(block) is Think:
            texts.append(block.text)
            hidden += not block.text
        elif type(block) is ToolResult:
            for part in block.content:
                if type(part) is Text:
                    texts.append(part.text)
                else:
                    fixed += _other(part, texts)
        else:
            fixed += _other(block, texts)
    return Tally(sum(map(size, texts)), sum(map(len, texts)), fixed, hidden)


def _other(block: Block, texts: list[str]) -> int:
    assert isinstance(block, Other)
    known = media_tokens(block)
    if known is None:
        texts.append(block.json)
    return known or 0


def tally_items(transcript: Transcript) -> list[Tally]:
    """Return the tally of every item by weight, each item read once."""
    return [tally(transcript.blocks(at), weigh) for at in range(len(transcript.items))]
