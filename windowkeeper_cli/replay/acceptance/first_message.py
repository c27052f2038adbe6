"""The first message is a user's; for some providers, only a message that calls tools may not be the first."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.item import SYSTEM, USER
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained

SOURCES = {
    "openai-chat-strict": "vllm-project/vllm issue 6862 (roles must alternate user/assistant/user/assistant)",
    "gemini": "google-gemini/gemini-cli issue 11814 (function call turn comes immediately after a user turn)",
}
CALLS_ALONE = frozenset({"gemini"})
"""Providers that refuse a first message of the model only where it calls tools."""
TEXT = explained(
    "first-message",
    "The request opens with a user message (gemini: not with a function call).",
    "A removal that takes the request and leaves the reply to it opens the window with the model's own words. "
    "Anthropic accepts that since 8 October 2024 (Claude API release notes), and OpenAI always has.",
    SOURCES,
)


class _First(Neighbours):
    _opened = False

    def take(self, message: Message) -> Iterable[Fault]:
        found = super().take(message)
        self._opened = self._opened or message.role != SYSTEM
        return found

    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        del before
        if message.role in (USER, SYSTEM) or self._opened:
            return
        if self.provider.name in CALLS_ALONE and not message.calls:
            return
        what = f"calls tools ({self.provider.call})" if message.calls else f"has the role {message.role}"
        yield Fault(TEXT.name, message.at, "", f"the first message {what}; a user's comes first")


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _First(provider)
