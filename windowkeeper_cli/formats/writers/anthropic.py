"""How is a window written as a Messages API body?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.content import KNOWN_OTHERS
from windowkeeper_cli.formats.writers.arguments import arguments
from windowkeeper_cli.formats.writers.demands import LAST, Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.formats.writers.shapes import count_names, kept, only_text, result_in, runs, said, without_results
from windowkeeper_cli.model.block import Block, Blocks, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import SYSTEM, TOOL
from windowkeeper_cli.model.sent import Sent, Window

_PDF, _PLAIN = "application/pdf", "text/plain"
_NOT_OWN = ("image", "document", "inlineData", "fileData", "executableCode", "codeExecutionResult")
"""Kinds of blocks that other formats have under the same name, or alone."""


def _media(media: Media, _in_result: bool) -> dict[str, Any] | None:
    kind = "image" if media.is_image else "document" if media.mime in (_PDF, _PLAIN) else None
    if kind is None:
        return None
    if media.url is not None:
        return {"type": kind, "source": {"type": "url", "url": media.url}}
    return {"type": kind, "source": {"type": "base64", "media_type": media.mime, "data": media.data}}


DEMANDS = Demands(
    "anthropic",
    no_blank=True,
    user_first=True,
    closed=LAST,
    seals="anthropic",
    id_letters="_-",
    natives=frozenset(("anthropic", "claude-code", "managed-agents")),
    own=KNOWN_OTHERS.difference(_NOT_OWN),
    media=_media,
)
CANNOT_HOLD = (
    "whether a person or the harness wrote a user's message; argument texts that are no compact JSON; several "
    "leading system texts apart; the tool's name of a result that differs from its call's"
)
TO_ADD = ("model", "max_tokens", "tools")


def write(window: Window, losses: Losses) -> dict[str, Any]:
    """Return the body: `system` where there is any, and `messages`, results packed into one message a batch."""
    parts = window.parts
    count_names(parts, losses)
    head = next((n for n, part in enumerate(parts) if part.role != SYSTEM), len(parts))
    losses.add("leading system texts, written as one", head if head > 1 else 0)
    system = [block for part in parts[:head] for block in _values(part.blocks, losses)]
    body: dict[str, Any] = {"system": _joined(parts[:head], system)} if system else {}
    return {**body, "messages": [_message(role, group, losses) for role, group in runs(parts[head:])]}


def _joined(parts: tuple[Sent, ...], values: list[Any]) -> Any:
    text = only_text(parts[0].blocks) if len(parts) == 1 else None
    return values if text is None else text


def _message(role: str, group: list[Sent], losses: Losses) -> dict[str, Any]:
    if role == TOOL:
        return {"role": "user", "content": [_result(result_in(part), losses) for part in group]}
    text = only_text(group[0].blocks)
    return {"role": role, "content": _values(group[0].blocks, losses) if text is None else text}


def _values(blocks: Blocks, losses: Losses) -> list[Any]:
    return [_value(block, losses) for block in without_results(blocks, losses)]


def _value(block: Block, losses: Losses) -> Any:
    if isinstance(block, Text | Think):
        return said(block)
    if isinstance(block, ToolCall):
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": arguments(block.args, losses)}
    assert not isinstance(block, ToolResult)
    return kept(block)


def _result(result: ToolResult, losses: Losses) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.id}
    text = only_text(result.content)
    if text is not None:
        made["content"] = text
    elif result.content:
        made["content"] = [_value(part, losses) for part in result.content]
    return {**made, "is_error": True} if result.error else made
