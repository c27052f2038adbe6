"""Would a provider accept this request? Its messages one by one, the answer at any time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
                rule.take(self._last)
        self._last = Message.of(role, sent)

    def faults(self) -> list[Fault]:
        """Return why the provider would refuse the request so far, nothing where it would accept it."""
        return [fault for rule in self._rules for fault in rule.faults(self._last)]


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
