"""Rule texts: what a rule, reason, strategy or invariant means, in words that help and manual are made from."""

from __future__ import annotations

from windowkeeper_cli.model.value import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A running example: a transcript in our own format, a policy, and what the ledger then holds.

    `expect` is `(action or reason, position)`: a decision, or where `refused` a refusal, at that position.
    """

    transcript: dict[str, object]
    policy: dict[str, object]
    expect: tuple[str, int]
    refused: bool = False


@dataclass(frozen=True, slots=True)
class RuleText:
    """One entry of `windowkeeper rules`: `key` is the policy key that governs it, empty where none does."""

    name: str
    kind: str
    what: str
    why: str
    key: str = ""
    source: str = ""
    example: Example | None = None
