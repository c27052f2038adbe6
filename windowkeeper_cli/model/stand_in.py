"""Stand-ins: the blocks of an item in another form than full."""

from __future__ import annotations

from windowkeeper_cli.model.block import Blocks, Other, Text, ToolCall, ToolResult
from windowkeeper_cli.model.decision import CLEARED, FULL, OUT, TRUNCATED, Cut, Form

Content = tuple[Text | Other, ...]
NO_ARGUMENTS = "{}"
"""What stands for the arguments of a cleared tool call."""


def blocks_in_form(blocks: Blocks, form: Form, text: str | None, cut: Cut | None) -> Blocks:
    """Return what of an item stands in the window: whole, cut around a marker, its text replaced, or nothing.

    A message that is cleared without a text of its own keeps its text and loses the arguments of its calls.
    """
    if form is FULL:
        return blocks
    if form is OUT:
        return ()
    if form is TRUNCATED:
        assert cut is not None and text is not None
        return tuple(_cut_result(block, text, cut) if isinstance(block, ToolResult) else block for block in blocks)
    if form is CLEARED and text is None and not any(isinstance(block, ToolResult) for block in blocks):
        return tuple(block._replace(args=NO_ARGUMENTS) if isinstance(block, ToolCall) else block for block in blocks)
    return _replaced(blocks, text or "")


def cut_content(content: Content, marker: str, cut: Cut) -> Content:
    """Return a result's content without what `cut` names, the marker in its place."""
    first, start, last, end = (cut[0], cut[1], cut[0], cut[2]) if len(cut) == 3 else cut
    kept: list[Text | Other] = list(content[:first])
    head = content[first].text[:start] if first < len(content) and isinstance(content[first], Text) else ""  # type: ignore[union-attr]
    tail = content[last].text[end:] if last < len(content) and isinstance(content[last], Text) else ""  # type: ignore[union-attr]
    kept.append(Text(head + marker + tail))
    kept.extend(content[last + 1 :])
    return tuple(kept)


def _cut_result(result: ToolResult, marker: str, cut: Cut) -> ToolResult:
    return result._replace(content=cut_content(result.content, marker, cut))


def _replaced(blocks: Blocks, text: str) -> Blocks:
    if len(blocks) == 1 and isinstance(blocks[0], ToolResult):
        found = blocks[0]
        return (ToolResult(found.id, found.name, found.error, (Text(text),)),)
    if any(isinstance(block, ToolResult) for block in blocks):
        return tuple(
            block._replace(content=(Text(text),)) if isinstance(block, ToolResult) else block for block in blocks
        )
    rest = tuple(block for block in blocks if not isinstance(block, Text))
    return (Text(text), *rest)
