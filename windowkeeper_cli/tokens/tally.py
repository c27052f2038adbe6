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
    for block in _flat(blocks):
        if isinstance(block, Text):
            texts.append(block.text)
        elif isinstance(block, ToolCall):
            texts += (block.name, block.args)
        elif isinstance(block, Think):
            texts.append(block.text)
            hidden += not block.text
        elif isinstance(block, Other):
            known = media_tokens(block)
            if known is None:
                texts.append(block.json)
            else:
                fixed += known
    return Tally(sum(map(size, texts)), sum(map(len, texts)), fixed, hidden)


def _flat(blocks: Blocks) -> list[Block]:
    flat: list[Block] = []
    for block in blocks:
        if isinstance(block, ToolResult):
            flat.extend(block.content)
        else:
            flat.append(block)
    return flat


def tally_items(transcript: Transcript) -> list[Tally]:
    """Return the tally of every item by weight, each item read once."""
    return [tally(transcript.blocks(at), weigh) for at in range(len(transcript.items))]
