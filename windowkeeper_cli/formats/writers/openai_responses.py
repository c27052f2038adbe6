"""How is a window written as a Responses API body?"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from windowkeeper_cli.formats.responses.items import APPROVAL, COMPACTIONS, KNOWN, PARTS
from windowkeeper_cli.formats.writers.arguments import parsed
from windowkeeper_cli.formats.writers.demands import EVERY, Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.formats.writers.shapes import (
    EMPTY,
    NO_ERROR,
    count_names,
    kept,
    leading_system,
    only_text,
    result_in,
    without_results,
)
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, TOOL
from windowkeeper_cli.model.sent import Sent, Window

ID_LENGTH = 64


def _media(media: Media, _in_result: bool) -> dict[str, Any] | None:
    if media.is_image:
        return {"type": "input_image", "image_url": media.address, "detail": "auto"}
    if media.mime == "application/pdf" and media.url is None:
        return {"type": "input_file", "filename": "document.pdf", "file_data": media.address}
    return None


DEMANDS = Demands(
    "openai-responses",
    adjacent=False,
    system_inline=True,
    closed=EVERY,
    seals="openai",
    id_length=ID_LENGTH,
    natives=frozenset(("openai-responses", "codex")),
    own=KNOWN.difference(("input_image", "input_file")),
    media=_media,
)
CANNOT_HOLD = (
    "whether a person or the harness wrote a user's message; error marks of results; where one message of the model "
    "ends and the next begins; empty messages; empty lists of content"
)
TO_ADD = ("model", "tools")


def write(window: Window, losses: Losses) -> dict[str, Any]:
    """Return the body: `instructions` where a system text stands in front, and the items of `input`."""
    told, parts = leading_system(window.parts)
    body: dict[str, Any] = {} if told is None else {"instructions": told}
    custom: set[str] = set()
    sent: list[Any] = []
    count_names(parts, losses)
    for part in parts:
        sent += _items(part, custom, losses)
    for role, group in groupby(parts, key=lambda part: part.role):
        size = len(list(group)) if role == ASSISTANT else 1
        losses.add("messages of the model side by side, which read as one", size if size > 1 else 0)
    return {**body, "input": sent}


def _items(part: Sent, custom: set[str], losses: Losses) -> list[Any]:
    if part.role == TOOL:
        return [_output(result_in(part), custom, losses)]
    blocks = without_results(part.blocks, losses)
    if part.role == ASSISTANT:
        losses.add("messages of the model without content, left out", not blocks)
        return [_said(block, custom, losses) for block in blocks]
    alone = blocks[0] if len(blocks) == 1 else None
    if isinstance(alone, Other) and (alone.kind in COMPACTIONS or alone.kind == APPROVAL):
        return [kept(alone)]
    return [{"type": "message", "role": part.role, "content": _parts(blocks)}]


def _said(block: Block, custom: set[str], losses: Losses) -> Any:
    if isinstance(block, Text):
        return {"type": "message", "role": "assistant", "content": block.text}
    if isinstance(block, Think):
        summary = [{"type": "summary_text", "text": block.text}] if block.text else []
        made: dict[str, Any] = {"type": "reasoning", "summary": summary}
        return made if block.sig is None else {**made, "encrypted_content": block.sig}
    if isinstance(block, ToolCall):
        if isinstance(parsed(block.args)[0], dict) or not block.args:
            return {"type": "function_call", "call_id": block.id, "name": block.name, "arguments": block.args}
        custom.add(block.id)
        return {"type": "custom_tool_call", "call_id": block.id, "name": block.name, "input": block.args}
    assert not isinstance(block, ToolResult)
    losses.add("compactions in messages of the model, which read as messages of their own", block.kind in COMPACTIONS)
    if block.kind in PARTS:
        losses.add("images and files in messages of the model, written as items")
    return kept(block)


def _output(result: ToolResult, custom: set[str], losses: Losses) -> dict[str, Any]:
    losses.add(NO_ERROR, result.error)
    losses.add(EMPTY, not result.content)
    kind = "custom_tool_call_output" if result.id in custom else "function_call_output"
    text = only_text(result.content)
    return {"type": kind, "call_id": result.id, "output": text if text is not None else _parts(result.content) or ""}


def _parts(blocks: Blocks) -> list[Any]:
    return [
        {"type": "input_text", "text": block.text} if isinstance(block, Text) else kept(block)
        for block in blocks
        if isinstance(block, Text | Other)
    ]
