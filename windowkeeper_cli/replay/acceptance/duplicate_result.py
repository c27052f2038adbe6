"""Each tool call has one result in the message that answers it."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained, named

SOURCES = {
    "anthropic": "QwenLM/qwen-code pull request 8163 (each tool_use must have a single result)",
    "openai-chat": "agno-agi/agno issue 5116 (Duplicate value for 'tool_call_id')",
    "openai-chat-strict": "anomalyco/opencode issue 1211 (Duplicate value for 'tool_call_id')",
}
TEXT = explained(
    "duplicate-result",
    "A tool call is answered once.",
    "Two answers to one question leave open which one counts, so providers refuse both.",
    SOURCES,
)


class _Once(Neighbours):
    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        del before
        seen: set[str] = set()
        for at, result in message.results:
            if result.id in seen:
                yield Fault(TEXT.name, at, result.id, f"a second {self.provider.result} for {named(result.id)}")
            seen.add(result.id)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Once(provider)
