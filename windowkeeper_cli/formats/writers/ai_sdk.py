"""How is a window written as ModelMessages of the AI SDK?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.ai_sdk.parts import ANSWERED, CALL, OWN_PARTS, REASONING, RESULT
from windowkeeper_cli.formats.senders import provider_of, sender_of
from windowkeeper_cli.formats.writers.arguments import NOT_COMPACT, parsed
from windowkeeper_cli.formats.writers.demands import ANYONE, Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.formats.writers.media import Media
from windowkeeper_cli.formats.writers.shapes import kept, leading_system, only_text, result_in, runs, without_results
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL
from windowkeeper_cli.model.sent import Sent, Window
from windowkeeper_cli.model.transcript import Transcript

SEALS = {
    "anthropic": ("anthropic", "signature"),
    "openai": ("openai", "reasoningEncryptedContent"),
    "gemini": ("google", "thoughtSignature"),
}
"""Under which name and key the SDK keeps the seal of a reasoning, by the beginning of its provider's name."""
UNKNOWN = ("windowkeeper", "signature")


def _media(media: Media, in_result: bool) -> dict[str, Any] | None:
    if in_result:
        if media.url is not None:
            return {"type": "image-url", "url": media.url} if media.is_image else None
        return {"type": "media", "data": media.data, "mediaType": media.mime}
    return {"type": "file", "data": media.data if media.url is None else media.url, "mediaType": media.mime}


DEMANDS = Demands(
    "openai-chat", no_blank=True, seals=ANYONE, natives=frozenset(("ai-sdk",)), own=OWN_PARTS, media=_media
)
CANNOT_HOLD = (
    "whether a person or the harness wrote a user's message; argument texts that are no compact JSON; error marks of "
    "results that hold more than one text; system texts that are no text alone"
)
TO_ADD = ("tools",)


def write(window: Window, losses: Losses) -> dict[str, Any]:
    """Return the body: `system` where a system text stands in front, and `messages`."""
    told, parts = leading_system(window.parts)
    body: dict[str, Any] = {} if told is None else {"system": told}
    seals = _Seals(window.transcript)
    messages: list[Any] = []
    for role, group in runs(parts):
        if role == TOOL:
            messages.append({"role": role, "content": [_result(result_in(part), losses) for part in group]})
        else:
            messages += _message(group[0], seals, losses)
    return {**body, "messages": messages}


class _Seals:
    """Says whose seal stands on a message's reasoning."""

    def __init__(self, transcript: Transcript) -> None:
        self._models = {call.at: call.model for call in transcript.calls if call.model}
        self._provider = sender_of(transcript).provider

    def of(self, at: int | None) -> tuple[str, str]:
        """Return the SDK's name of the provider, and the key of the seal."""
        model = None if at is None else self._models.get(at)
        provider = (provider_of(model) if model else None) or self._provider or ""
        return next((named for start, named in SEALS.items() if provider.startswith(start)), UNKNOWN)


def _message(part: Sent, seals: _Seals, losses: Losses) -> list[Any]:
    blocks = without_results(part.blocks, losses)
    text = only_text(blocks)
    if part.role == SYSTEM and text is None:
        losses.add("system texts in several blocks, written as one")
        text = "\n".join(block.text for block in blocks if isinstance(block, Text))
    if text is not None:
        return [{"role": part.role, "content": text}]
    answers = [kept(block) for block in blocks if isinstance(block, Other) and block.kind == ANSWERED]
    said = [block for block in blocks if not (isinstance(block, Other) and block.kind == ANSWERED)]
    made = [{"role": part.role, "content": [_value(block, part, seals, losses) for block in said]}]
    return [*made, {"role": TOOL, "content": answers}] if answers and part.role == ASSISTANT else made


def _value(block: Block, part: Sent, seals: _Seals, losses: Losses) -> Any:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    if isinstance(block, Think):
        made: dict[str, Any] = {"type": REASONING, "text": block.text}
        provider, key = seals.of(part.at)
        return made if block.sig is None else {**made, "providerOptions": {provider: {key: block.sig}}}
    if isinstance(block, ToolCall):
        value, exact = parsed(block.args)
        if not isinstance(value, dict | list):
            value, exact = block.args, True
        losses.add(NOT_COMPACT, not exact)
        return {"type": CALL, "toolCallId": block.id, "toolName": block.name, "input": value}
    assert isinstance(block, Other)
    return kept(block)


def _result(result: ToolResult, losses: Losses) -> dict[str, Any]:
    text = only_text(result.content)
    if text is not None:
        output: dict[str, Any] = {"type": "error-text" if result.error else "text", "value": text}
    else:
        losses.add("error marks of results that hold more than one text", result.error)
        output = {"type": "content", "value": _contents(result.content)}
    return {"type": RESULT, "toolCallId": result.id, "toolName": result.name or "", "output": output}


def _contents(blocks: Blocks) -> list[Any]:
    return [
        {"type": "text", "text": block.text} if isinstance(block, Text) else kept(block)
        for block in blocks
        if isinstance(block, Text | Other)
    ]
