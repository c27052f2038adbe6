"""What a provider is sent: its messages in order, and what may be wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from windowkeeper_cli.model.block import ToolCall, ToolResult
from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.model.sent import Sent as Sent
from windowkeeper_cli.model.value import NamedTuple, dataclass

KIND = "acceptance rule"
ID_CHARS = 60


class Asked(NamedTuple):
    """A tool call in a message: the position of its item, and the call."""

    at: int | None
    call: ToolCall
    completed: bool


class Given(NamedTuple):
    """A tool result in a message: the position of its item, and the result."""

    at: int | None
    result: ToolResult


@dataclass(slots=True)
class Message:
    """One message as a provider takes it: neighbours that its API joins are one."""

    role: str
    parts: list[Sent]
    calls: list[Asked]
    results: list[Given]

    @classmethod
    def of(cls, role: str, sent: Sent) -> Message:
        """Return a message that holds one part."""
        made = cls(role, [], [], [])
        made.add(sent)
        return made

    def add(self, sent: Sent) -> None:
        """Join one more part to the message."""
        self.parts.append(sent)
        for block in sent.blocks:
            if type(block) is ToolCall:
                self.calls.append(Asked(sent.at, block, block.id in sent.completed))
            elif type(block) is ToolResult:
                self.results.append(Given(sent.at, block))

    @property
    def at(self) -> int | None:
        """Return the position of the first item in the message."""
        return next((part.at for part in self.parts if part.at is not None), None)


class Fault(NamedTuple):
    """One reason for which a provider answers 400: the rule, the item, the tool call's id or an empty text, words."""

    rule: str
    at: int | None
    id: str
    text: str


class Provider(NamedTuple):
    """How a provider's API takes a window: `joined` are the roles of which neighbours are one message.

    `results_in` is the role of the message that carries tool results; system texts stand outside the messages unless
    `system_inline`. `call` and `result` are its words for the two.
    """

    name: str
    joined: frozenset[str]
    results_in: str
    system_inline: bool
    call: str
    result: str


class Rule(Protocol):
    """Takes a request's messages in order; what more is wrong may be asked after each."""

    def take(self, message: Message) -> Iterable[Fault]:
        """Take the next message, to which nothing is joined any more; return what is wrong with it for good."""
        ...

    def pending(self, last: Message | None) -> Iterable[Fault]:
        """Return what else is wrong while `last` stands behind the messages taken; changes nothing."""
        ...


class RuleModule(Protocol):
    """A module of this folder: `SOURCES` says by provider who demands the rule, and where that is published."""

    TEXT: RuleText
    SOURCES: dict[str, str]

    @staticmethod
    def make(provider: Provider) -> Rule:
        """Return the rule for one request of a provider."""
        ...


class Neighbours:
    """A rule that looks at a message and the one before it; a derived class says what it finds between the two."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._before: Message | None = None

    def take(self, message: Message) -> Iterable[Fault]:
        """Take the next message, and return what is wrong with it behind the one before."""
        found = list(self.between(self._before, message))
        self._before = message
        return found

    def pending(self, last: Message | None) -> Iterable[Fault]:
        """Return what the last message adds."""
        return () if last is None else self.between(self._before, last)

    def between(self, before: Message | None, message: Message) -> Iterable[Fault]:
        """Return what is wrong with `message` behind `before`."""
        raise NotImplementedError


def explained(name: str, what: str, why: str, sources: dict[str, str]) -> RuleText:
    """Return a rule's entry for `windowkeeper rules`, its source being those of all providers."""
    return RuleText(name, KIND, what, why, source="; ".join(f"{who}: {where}" for who, where in sources.items()))


def named(ident: str) -> str:
    """Return a tool call's id as a sentence shows it: one line, cut where it is long."""
    return one_line(ident, ID_CHARS) or "without an id"
