"""Would a provider accept this request? Its messages one by one, the answer at any time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from windowkeeper_cli.model.item import ASSISTANT, SYSTEM, TOOL
from windowkeeper_cli.replay.acceptance import ACCEPTANCE
from windowkeeper_cli.replay.acceptance.request import Fault, Message, Provider, Rule, RuleModule, Sent

PACKING = frozenset({"results-first", "reasoning-followed"})
"""Rules that a harness's log cannot break: it does not say how results were packed into a message, nor whether
reasoning was sent sealed, which the API does not pair (a real Codex request held reasoning alone)."""


class Lint:
    """Takes what is sent part by part; only what is added is looked at.

    `packed` says that a harness packs the parts into messages: their order in one is not known, and a reply that broke
    off before it said anything is not sent.
    """

    def __init__(self, provider: Provider, *, packed: bool = False) -> None:
        self._provider = provider
        self._packed = packed
        self._rules = _rules_of(provider, packed)
        self._last: Message | None = None
        self._closed: list[Fault] = []
        self._told = 0

    def add(self, sent: Sent) -> None:
        """Take the next part of the request."""
        provider = self._provider
        role = provider.results_in if sent.role == TOOL else sent.role
        if role == SYSTEM and not provider.system_inline:
            return
        if self._packed and role == ASSISTANT and not sent.blocks:
            return
        if self._last is not None and self._last.role == role and role in provider.joined:
            self._last.add(sent)
            return
        if self._last is not None:
            for rule in self._rules:
                self._closed.extend(rule.take(self._last))
        self._last = Message.of(role, sent)

    def faults(self) -> list[Fault]:
        """Return why the provider would refuse the request so far, rule by rule; nothing where it would accept it."""
        order = ACCEPTANCE.names
        return sorted([*self._closed, *self._pending()], key=lambda fault: order.index(fault.rule))

    def news(self) -> list[Fault]:
        """Return the faults that the last call of this did not, and those that may yet pass.

        What was told once and is not of the last message stands for good.
        """
        fresh = self._closed[self._told :]
        self._told = len(self._closed)
        return [*fresh, *self._pending()]

    @property
    def refuses(self) -> bool:
        """Return whether the provider would refuse the request so far."""
        return bool(self._closed) or any(True for _ in self._pending())

    def _pending(self) -> Iterator[Fault]:
        for rule in self._rules:
            yield from rule.pending(self._last)


def faults_of(request: Iterable[Sent], provider: Provider, *, packed: bool = False) -> list[Fault]:
    """Return why a provider would refuse a whole request, rule by rule; nothing where it would accept it."""
    lint = Lint(provider, packed=packed)
    for sent in request:
        lint.add(sent)
    return lint.faults()


def _rules_of(provider: Provider, packed: bool) -> Sequence[Rule]:
    modules = [(name, cast(RuleModule, ACCEPTANCE.module(name))) for name in ACCEPTANCE.names]
    return [
        module.make(provider)
        for name, module in modules
        if provider.name in module.SOURCES and not (packed and name in PACKING)
    ]
