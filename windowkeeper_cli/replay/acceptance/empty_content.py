"""No message is empty, and for some providers no text in it is."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained

SOURCES = {
    "anthropic": "anthropics/claude-code issue 6774 (all messages must have non-empty content except the final "
    "assistant message); aliasrobotics/cai issue 182 (text content blocks must be non-empty)",
    "openai-chat": "vercel/ai pull request 14950 (Invalid value for 'content': expected a string, got null)",
    "openai-chat-strict": "vercel/ai pull request 14950",
    "gemini": "vercel/ai issue 3775 (contents.parts must not be empty); glowingjade/obsidian-smart-composer issue 218",
}
NO_EMPTY_TEXT = frozenset({"anthropic", "gemini"})
"""Providers that refuse an empty text beside other content too."""
TEXT = explained(
    "empty-content",
    "Every message has content (anthropic: but for a last one of the assistant; anthropic, gemini: no empty text).",
    "An empty message says nothing, and providers refuse it rather than guess.",
    SOURCES,
)


class _Full(Neighbours):
    """A message counts as the last one until another follows it: then an empty reply is a fault after all."""

    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        if before is not None and before.role == ASSISTANT and self._is_empty(before):
            yield self._fault(before)
        if message.role != ASSISTANT and self._is_empty(message):
            yield self._fault(message)
        if self.provider.name in NO_EMPTY_TEXT:
            for part in message.parts:
                if any(isinstance(block, Text) and not block.text for block in part.blocks):
                    yield Fault(TEXT.name, part.at, "", "a text without any character")

    def _is_empty(self, message: Message) -> bool:
        return message.role not in (SYSTEM, TOOL) and not any(part.blocks for part in message.parts)

    def _fault(self, message: Message) -> Fault:
        return Fault(TEXT.name, message.at, "", f"a message of the role {message.role} without content")


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Full(provider)
