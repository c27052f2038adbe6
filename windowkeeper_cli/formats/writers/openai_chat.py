"""How is a window written as a chat-completions body?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.openai_chat import OWN_PARTS
from windowkeeper_cli.formats.writers.demands import Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.formats.writers.shapes import (
    EMPTY,
    NO_ERROR,
    ORDER,
    count_names,
    kept,
    only_text,
    result_in,
    without_results,
)
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolCall
from windowkeeper_cli.model.item import ASSISTANT, TOOL
from windowkeeper_cli.model.sent import Sent, Window

ID_LENGTH = 40
REFUSAL = "refusal"


def _media(media: Media, in_result: bool) -> dict[str, Any] | None:
    if in_result:
        return None
    if media.is_image:
        return {"type": "image_url", "image_url": {"url": media.address}}
    if media.mime == "application/pdf" and media.url is None:
        return {"type": "file", "file": {"filename": "document.pdf", "file_data": media.address}}
    return None


DEMANDS = Demands(
    "openai-chat",
    one_id=False,
    system_inline=True,
    id_length=ID_LENGTH,
    natives=frozenset(("openai-chat",)),
    own=OWN_PARTS.difference(("file", "image_url")),
    media=_media,
)
CANNOT_HOLD = (
    "whether a person or the harness wrote a user's message; error marks of results; signatures of reasoning, and "
    "where it stood; the order of texts and calls; empty lists of content"
)
TO_ADD = ("model", "tools")


def write(window: Window, losses: Losses) -> dict[str, Any]:
    """Return the body: `messages`, each result one of its own."""
    count_names(window.parts, losses)
    return {"messages": [_message(part, losses) for part in window.parts]}


def _message(part: Sent, losses: Losses) -> dict[str, Any]:
    if part.role == TOOL:
        result = result_in(part)
        losses.add(NO_ERROR, result.error)
        return {"role": "tool", "tool_call_id": result.id, "content": _content(result.content, losses)}
    blocks = without_results(part.blocks, losses)
    return (
        _reply(blocks, losses) if part.role == ASSISTANT else {"role": part.role, "content": _content(blocks, losses)}
    )


def _content(blocks: Blocks, losses: Losses) -> Any:
    text = only_text(blocks)
    if text is not None:
        return text
    losses.add(EMPTY, not blocks)
    return [_value(block) for block in blocks if isinstance(block, Text | Other)] or ""


def _value(block: Text | Other) -> Any:
    return {"type": "text", "text": block.text} if isinstance(block, Text) else kept(block)


def _reply(blocks: Blocks, losses: Losses) -> dict[str, Any]:
    thought = [block for block in blocks if isinstance(block, Think)]
    refusals = [block for block in blocks if isinstance(block, Other) and block.kind == REFUSAL]
    calls = [block for block in blocks if isinstance(block, ToolCall)]
    said = tuple(block for block in blocks if isinstance(block, Text | Other) and block not in refusals[-1:])
    losses.add(ORDER, blocks != (*thought, *said, *refusals[-1:], *calls))
    made: dict[str, Any] = {"role": "assistant"}
    if thought:
        losses.add("signatures of reasoning", sum(block.sig is not None for block in thought))
        losses.add("reasoning without its text", sum(not block.text for block in thought))
        losses.add("reasoning in several blocks, written as one", len(thought) > 1)
        text = "\n\n".join(block.text for block in thought if block.text)
        made |= {"reasoning_content": text} if text else {}
    made["content"] = None if not said and (calls or refusals) else _content(said, losses)
    if refusals:
        made["refusal"] = kept(refusals[-1]).get(REFUSAL)
    if calls:
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.args}}
            for call in calls
        ]
    return made
