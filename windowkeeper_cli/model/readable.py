"""How do blocks read as text? Their text as it came, block after block, calls as name and arguments."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolCall


def readable(blocks: Iterable[Block]) -> str:
    """Return the content of an item, blocks joined by LF; a block kept verbatim is its JSON."""
    return "\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    if isinstance(block, (Text, Think)):
        return block.text
    if isinstance(block, ToolCall):
        return f"{block.name} {block.args}"
    if isinstance(block, Other):
        return block.json
    return readable(block.content)
