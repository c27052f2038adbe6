"""How is a window written as a generateContent body?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.writers.arguments import arguments
from windowkeeper_cli.formats.writers.demands import Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.formats.writers.shapes import EMPTY, JOINED, kept, result_in, runs, without_results
from windowkeeper_cli.model.block import Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL
from windowkeeper_cli.model.sent import Window

_FILES = ("application/pdf", "text/plain")


def _media(media: Media, _in_result: bool) -> dict[str, Any] | None:
    if not media.is_image and media.mime not in _FILES:
        return None
    if media.url is not None:
        return {"fileData": {"mimeType": media.mime, "fileUri": media.url}}
    return {"inlineData": {"mimeType": media.mime, "data": media.data}}


DEMANDS = Demands(
    "gemini",
    no_blank=True,
    user_first=True,
    seals="gemini",
    natives=frozenset(("gemini",)),
    own=frozenset(("inlineData", "fileData", "executableCode", "codeExecutionResult")),
    media=_media,
)
CANNOT_HOLD = (
    "whether a person or the harness wrote a user's message; system texts among the messages; several system texts "
    "apart; argument texts that are no compact JSON; several texts of one result apart; results without content"
)
TO_ADD = ("model", "tools")


def write(window: Window, losses: Losses) -> dict[str, Any]:
    """Return the body: `systemInstruction` where there is any, and `contents`, a batch's responses in one message."""
    parts = window.parts
    head = next((n for n, part in enumerate(parts) if part.role != SYSTEM), len(parts))
    losses.add("leading system texts, written as one", head if head > 1 else 0)
    told = [value for part in parts[:head] for value in _parts(part.blocks, losses)]
    body: dict[str, Any] = {"systemInstruction": {"parts": told}} if told else {}
    contents = []
    for role, group in runs(parts[head:]):
        if role == TOOL:
            values: list[Any] = [_response(result_in(part), losses) for part in group]
        else:
            losses.add("system texts among the messages, written as the user's", role == SYSTEM)
            values = _parts(group[0].blocks, losses)
        contents.append({"role": "model" if role == ASSISTANT else "user", "parts": values})
    return {**body, "contents": contents}


def _parts(blocks: Blocks, losses: Losses) -> list[Any]:
    """Return the parts of a message; a signature that seals what follows it stands with that."""
    made: list[Any] = []
    seal: str | None = None
    for block in without_results(blocks, losses):
        if isinstance(block, Think):
            made += _sealed(None, seal)
            seal = None
            losses.add("empty signatures of reasoning", block.sig == "")
            if not block.text and block.sig:
                seal = block.sig
            else:
                made += _sealed({"text": block.text, "thought": True}, block.sig or None)
            continue
        made += _sealed(_value(block, losses), seal)
        seal = None
    return made + _sealed(None, seal)


def _sealed(value: Any, seal: str | None) -> list[Any]:
    """Return a part with the signature that seals it, or the signature alone; nothing where there is neither."""
    if value is None:
        return [] if seal is None else [{"text": "", "thought": True, "thoughtSignature": seal}]
    return [value if seal is None or not isinstance(value, dict) else {**value, "thoughtSignature": seal}]


def _value(block: Text | ToolCall | ToolResult | Other, losses: Losses) -> Any:
    if isinstance(block, Text):
        return {"text": block.text}
    if isinstance(block, ToolCall):
        return {"functionCall": {"id": block.id, "name": block.name, "args": arguments(block.args, losses)}}
    assert isinstance(block, Other)
    return kept(block)


def _response(result: ToolResult, losses: Losses) -> dict[str, Any]:
    texts = [part.text for part in result.content if isinstance(part, Text)]
    beside = [kept(part) for part in result.content if isinstance(part, Other)]
    losses.add(JOINED, len(texts) > 1)
    losses.add(EMPTY, not texts)
    made: dict[str, Any] = {"id": result.id, "name": result.name or ""}
    made["response"] = {"error" if result.error else "output": "\n".join(texts)}
    return {"functionResponse": {**made, "parts": beside} if beside else made}
