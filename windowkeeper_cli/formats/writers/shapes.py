"""What do the writers of all targets share: a kept block's value, runs of results, and the system text in front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from windowkeeper_cli.formats.writers.arguments import parsed
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import SYSTEM, TOOL
from windowkeeper_cli.model.sent import Sent

MISPLACED = "results inside other messages, left out"
NO_ERROR = "error marks of results, which these messages have no place for"
EMPTY = "contents that were empty lists, written as empty texts"
JOINED = "results of several texts, written as one"
ORDER = "messages whose blocks stand in another order"


def kept(block: Other) -> Any:
    """Return the value of a block that is kept verbatim; its text where that is no JSON that others read."""
    value, exact = parsed(block.json)
    return block.json if value is None and not exact else value


def said(block: Text | Think) -> dict[str, Any]:
    """Return a text or a reasoning as the Messages API has it, and our own format with it."""
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    made = {"type": "thinking", "thinking": block.text}
    return made if block.sig is None else {**made, "signature": block.sig}


def only_text(blocks: Sequence[object]) -> str | None:
    """Return the text that blocks consist of, None where they are not one text alone."""
    return blocks[0].text if len(blocks) == 1 and isinstance(blocks[0], Text) else None


def runs(parts: Sequence[Sent]) -> Iterator[tuple[str, list[Sent]]]:
    """Yield the parts with their role, results that stand side by side together, every other part alone."""
    for role, group in groupby(parts, key=lambda part: part.role):
        if role == TOOL:
            yield role, list(group)
        else:
            yield from ((role, [part]) for part in group)


def result_in(part: Sent) -> ToolResult:
    """Return the result that a part of the role tool is."""
    found = part.blocks[0]
    assert isinstance(found, ToolResult)
    return found


def without_results(blocks: Blocks, losses: Losses) -> Blocks:
    """Return the blocks of a message but for results, which stand in parts of their own."""
    own = tuple(block for block in blocks if not isinstance(block, ToolResult))
    losses.add(MISPLACED, len(blocks) - len(own))
    return own


def count_names(parts: Sequence[Sent], losses: Losses) -> None:
    """Count the results whose tool has another name than the call that they answer, or that answer none."""
    names: dict[str, str] = {}
    for part in parts:
        for block in part.blocks:
            if isinstance(block, ToolCall):
                names[block.id] = block.name
            elif isinstance(block, ToolResult) and block.name and names.get(block.id) != block.name:
                losses.add("tool names of results, where no call says them")


def leading_system(parts: Sequence[Sent]) -> tuple[str | None, Sequence[Sent]]:
    """Return the first part's text where it is a system text alone, and the parts behind it."""
    text = only_text(parts[0].blocks) if parts and parts[0].role == SYSTEM else None
    return (None, parts) if not text else (text, parts[1:])
