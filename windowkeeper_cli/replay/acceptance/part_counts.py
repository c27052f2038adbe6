"""The turn after function calls has as many responses as there were calls."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained

SOURCES = {
    "gemini": "google-gemini/gemini-cli issue 4217 (the number of function response parts is equal to the number of "
    "function call parts)",
}
TEXT = explained(
    "part-counts",
    "A turn that calls functions is followed by a turn with as many responses.",
    "The API pairs calls and responses by their number; one that left, or one too many, breaks the whole turn.",
    SOURCES,
)


class _Counts(Neighbours):
    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        if before is None:
            return
        asked = [one for one in before.calls if not one.completed]
        given = len(message.results)
        if before.calls and not len(asked) <= given <= len(before.calls):
            text = f"{len(before.calls)} {self.provider.call} parts and {given} {self.provider.result} parts after them"
            yield Fault(TEXT.name, before.at, before.calls[0].call.id, text)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Counts(provider)
