"""Thinking in the running tool loop goes back unchanged, with its signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.model.block import Blocks, Think, ToolResult
from windowkeeper_cli.model.item import ASSISTANT
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Provider, Rule, Sent, explained

SOURCES = {
    "anthropic": "anthropics/claude-code issue 63574 (thinking blocks in the latest assistant message cannot be "
    "modified); WordPress/ai-provider-for-anthropic pull request 27 (thinking.signature: Field required)",
}
TEXT = explained(
    "thinking-kept",
    "Since the last message that is not a tool result, every thinking block stands as the model wrote it, and signed.",
    "The provider checks the signature; a changed or unsigned block in the running tool loop is refused. Earlier "
    "thinking may leave. An empty signature passes here: compatible servers write one; so does thinking of which a log "
    "holds neither text nor signature. Not checked: newer "
    "models also bind thinking to all that stands before it, by account (Claude documentation, Preserved thinking).",
    SOURCES,
)


class _Kept:
    def __init__(self) -> None:
        self._found: list[Fault] = []

    def take(self, message: Message) -> Iterable[Fault]:
        if _is_request(message):
            self._found.clear()
        self._found.extend(_changed(message))
        return ()

    def pending(self, last: Message | None) -> Iterator[Fault]:
        if last is None or not _is_request(last):
            yield from self._found
        if last is not None:
            yield from _changed(last)


def _is_request(message: Message) -> bool:
    if message.role == ASSISTANT:
        return False
    return any(not isinstance(block, ToolResult) for part in message.parts for block in part.blocks)


def _changed(message: Message) -> Iterator[Fault]:
    if message.role != ASSISTANT:
        return
    for part in message.parts:
        if part.original is not None and _thinking(part.original) != _thinking(part.blocks):
            yield _fault(part, "its thinking is not as the model wrote it")
        elif any(block.sig is None and block.text for block in _thinking(part.blocks)):
            yield _fault(part, "its thinking has no signature")


def _thinking(blocks: Blocks) -> tuple[Think, ...]:
    return tuple(block for block in blocks if isinstance(block, Think))


def _fault(part: Sent, text: str) -> Fault:
    return Fault(TEXT.name, part.at, "", f"an assistant message of the running tool loop: {text}")


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    del provider
    return _Kept()
