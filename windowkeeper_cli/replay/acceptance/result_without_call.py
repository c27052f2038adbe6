"""A tool result needs its call: in the message before it, or for some providers anywhere before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained, named

SOURCES = {
    "anthropic": "tghamm/Anthropic.SDK issue 184 (unexpected tool_use_id found in tool_result blocks)",
    "openai-chat": "prism-php/prism issue 175 (messages with role 'tool' must be a response to tool_calls)",
    "openai-chat-strict": "FoundationAgents/OpenManus issue 744",
    "openai-responses": "continuedev/continue pull request 11785 (No tool call found for function call output)",
    "gemini": "langchain-ai/langchain issue 27799 (function response turn comes immediately after a call turn)",
}
ANYWHERE = frozenset({"openai-responses"})
"""Providers that pair by id alone: the call may stand anywhere before."""
BY_PLACE = frozenset({"gemini"})
"""Providers that pair by place: their results need no id."""
TEXT = explained(
    "result-without-call",
    "A tool result in the request answers a tool call in the message before it (openai-responses: anywhere before).",
    "A result whose call has left answers a question that nobody asked; every provider refuses it.",
    SOURCES,
)


class _After(Neighbours):
    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        if not message.results:
            return
        asked = {one.call.id for one in before.calls} if before is not None else set()
        if asked and self.provider.name in BY_PLACE:
            return
        for at, result in message.results:
            if result.id not in asked:
                yield _fault(self.provider, at, result.id, " in the message before it")


class _Anywhere:
    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._asked: set[str] = set()

    def take(self, message: Message) -> Iterable[Fault]:
        self._asked.update(one.call.id for one in message.calls)
        return list(self._orphans(message))

    def pending(self, last: Message | None) -> Iterable[Fault]:
        return () if last is None else self._orphans(last)

    def _orphans(self, message: Message) -> Iterator[Fault]:
        own = {one.call.id for one in message.calls}
        for at, result in message.results:
            if result.id not in self._asked and result.id not in own:
                yield _fault(self._provider, at, result.id, "")


def _fault(provider: Provider, at: int | None, ident: str, where: str) -> Fault:
    return Fault(TEXT.name, at, ident, f"{provider.result} {named(ident)} has no {provider.call}{where}")


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Anywhere(provider) if provider.name in ANYWHERE else _After(provider)
