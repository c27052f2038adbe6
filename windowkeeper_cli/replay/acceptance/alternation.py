"""User and assistant take turns; messages that call tools, and their results, do not count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.model.item import ASSISTANT, USER
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Provider, Rule, explained

SOURCES = {
    "openai-chat-strict": "vllm-project/vllm issue 6862 (conversation roles must alternate user/assistant/...)",
}
TEXT = explained(
    "alternation",
    "Behind the system text, messages of the user and of the assistant alternate (chat templates that say so).",
    "Templates of several open models raise on two messages of one role in a row; the large providers join them.",
    SOURCES,
)


class _Turns:
    def __init__(self) -> None:
        self._last: str | None = None

    def take(self, message: Message) -> Iterable[Fault]:
        found = list(self._again(message))
        if _counts(message):
            self._last = message.role
        return found

    def pending(self, last: Message | None) -> Iterable[Fault]:
        return () if last is None else self._again(last)

    def _again(self, message: Message) -> Iterator[Fault]:
        if _counts(message) and message.role == self._last:
            yield Fault(TEXT.name, message.at, "", f"two messages of the role {message.role} in a row")


def _counts(message: Message) -> bool:
    return message.role == USER or (message.role == ASSISTANT and not message.calls)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    del provider
    return _Turns()
