"""A reasoning item is followed by the output that it belongs to, and no output stands without its reasoning."""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.model.block import Think
from windowkeeper_cli.model.item import ASSISTANT
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Neighbours, Provider, Rule, explained

SOURCES = {
    "openai-responses": "openai/openai-agents-js issue 929 (reasoning was provided without its required following "
    "item); VRSEN/agency-swarm issue 367 (function_call was provided without its required reasoning item)",
}
TEXT = explained(
    "reasoning-followed",
    "Behind reasoning stands the message or the function call that it led to, and reasoning leaves only with that.",
    "The API pairs a reasoning item with the output after it, and refuses one without the other.",
    SOURCES,
)


class _Followed(Neighbours):
    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        if before is not None and message.role != ASSISTANT:
            yield from _dangling(before)
        if message.role == ASSISTANT:
            for part in message.parts:
                if part.original is not None and _count(part.original) != _count(part.blocks):
                    yield Fault(TEXT.name, part.at, "", "an output without the reasoning that led to it")


def _dangling(message: Message) -> Iterable[Fault]:
    blocks = [(part.at, block) for part in message.parts for block in part.blocks]
    if message.role == ASSISTANT and blocks and isinstance(blocks[-1][1], Think):
        yield Fault(TEXT.name, blocks[-1][0], "", "reasoning without the output that follows it")


def _count(blocks: Iterable[object]) -> int:
    return sum(isinstance(block, Think) for block in blocks)


def make(provider: Provider) -> Rule:
    """Return the rule for one request."""
    return _Followed(provider)
