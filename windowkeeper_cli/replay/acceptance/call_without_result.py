"""A tool call needs its result: in the very next message, or for some providers anywhere after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.replay.acceptance.request import (
    Asked,
    Fault,
    Message,
    Neighbours,
    Provider,
    Rule,
    explained,
    named,
)

SOURCES = {
    "anthropic": "anthropics/claude-code issue 3632 (tool_use ids were found without tool_result blocks)",
    "openai-chat": "agno-agi/agno issue 3105 (tool_calls must be followed by tool messages for each tool_call_id)",
    "openai-chat-strict": "agno-agi/agno issue 3105",
    "openai-responses": "Azure/azure-sdk-for-python issue 46092 (No tool output found for function call)",
}
ANYWHERE = frozenset({"openai-responses"})
"""Providers that pair by id alone: the result may stand anywhere after."""
TEXT = explained(
    "call-without-result",
    "Every tool call in the request has its result in the very next message (openai-responses: anywhere after it).",
    "A call whose result has left looks like a tool that never answered; providers refuse the request. A call at the "
    "very end is still waiting, and no fault.",
    SOURCES,
)


class _Next(Neighbours):
    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        if before is None or not before.calls:
            return
        given = {one.result.id for one in message.results}
        for asked in before.calls:
            if asked.call.id not in given and not asked.completed:
                yield _fault(self.provider, asked, " in the next message")


class _Anywhere:
    """The calls of the last message that made any may still wait; earlier ones may not."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._open: dict[str, Asked] = {}
        self._waiting: set[str] = set()

    def take(self, message: Message) -> Iterable[Fault]:
        for one in message.results:
            self._open.pop(one.result.id, None)
        for asked in message.calls:
            if not asked.completed:
                self._open[asked.call.id] = asked
        self._waiting = {one.call.id for one in message.calls}
        return ()

    def pending(self, last: Message | None) -> Iterator[Fault]:
        given = set() if last is None else {one.result.id for one in last.results}
        waiting = self._waiting if last is None else set()
        for ident, asked in self._open.items():
            if ident not in given and ident not in waiting:
                yield _fault(self._provider, asked, "")


def _fault(provider: Provider, asked: Asked, where: str) -> Fault:
    text = f"{provider.call} {named(asked.call.id)} has no {provider.result}{where}"
    return Fault(TEXT.name, asked.at, asked.call.id, text)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Anywhere(provider) if provider.name in ANYWHERE else _Next(provider)
