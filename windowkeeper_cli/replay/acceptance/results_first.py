"""Tool results stand before everything else in the message that answers calls."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.block import ToolResult
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained, named

SOURCES = {
    "anthropic": "Claude documentation, Handle tool calls (tool_result blocks come first in the content)",
}
TEXT = explained(
    "results-first",
    "In a message that answers tool calls, the results come before any text.",
    "The API looks for the results right after the calls; a text between the two hides them.",
    SOURCES,
)


class _First(Neighbours):
    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        if before is None or not before.calls or not message.results:
            return
        other = False
        for part in message.parts:
            for block in part.blocks:
                if not isinstance(block, ToolResult):
                    other = True
                elif other:
                    text = f"{self.provider.result} {named(block.id)} stands behind other content of its message"
                    yield Fault(TEXT.name, part.at, block.id, text)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _First(provider)
