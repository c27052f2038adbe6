"""No two tool calls of a request have one id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.replay.acceptance.request import Fault, Message, Provider, Rule, explained, named

SOURCES = {
    "anthropic": "anthropics/claude-code issue 20901 (tool_use ids must be unique)",
    "openai-responses": "vercel/ai issue 13307 (Duplicate item found)",
}
TEXT = explained(
    "duplicate-call-id",
    "Every tool call of the request has an id of its own.",
    "Results are paired with calls by id; an id that names two calls pairs nothing.",
    SOURCES,
)


class _Unique:
    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._seen: set[str] = set()

    def take(self, message: Message) -> Iterable[Fault]:
        found = list(self._again(message))
        self._seen.update(one.call.id for one in message.calls)
        return found

    def pending(self, last: Message | None) -> Iterable[Fault]:
        return () if last is None else self._again(last)

    def _again(self, message: Message) -> Iterator[Fault]:
        own: set[str] = set()
        for at, call, _ in message.calls:
            if call.id in self._seen or call.id in own:
                text = f"a second {self._provider.call} with the id {named(call.id)}"
                yield Fault(TEXT.name, at, call.id, text)
            own.add(call.id)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Unique(provider)
