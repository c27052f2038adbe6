"""Which policy keys differ between two policies, with both values and where each came from?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.keys import KEYS, Key, Value, effective
from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.report.subject import NamedPolicy
from windowkeeper_cli.strategies import STRATEGIES

FILE = "file"
READ_BY_FIGURES = "prices"
"""The section that no strategy reads, and every figure of costs does."""


class KeyChange(NamedTuple):
    """A key whose effective values differ; `read_a` and `read_b` say whether that side's strategy reads it."""

    key: str
    a: Value
    b: Value
    from_a: str
    from_b: str
    read_a: bool
    read_b: bool

    def as_dict(self) -> dict[str, object]:
        """Return the key's entry in the document."""
        return {"key": self.key, "a": self.a, "b": self.b, "fromA": self.from_a, "fromB": self.from_b}


def key_changes(a: NamedPolicy, b: NamedPolicy, limit: int | None) -> tuple[KeyChange, ...]:
    """Return the keys that differ, in the order of a policy file; `limit` is that of all policies, in tokens."""
    return tuple(_found(a, b, limit))


def _found(a: NamedPolicy, b: NamedPolicy, limit: int | None) -> Iterator[KeyChange]:
    settings = [one.settings if limit is None else at_limit(one.settings, limit, 0) for one in (a, b)]
    reads = [_reads(one) for one in (a, b)]
    for key in KEYS:
        values = [effective(one, key) for one in settings]
        if values[0] != values[1]:
            origins = [_origin(one, key, now) for one, now in zip((a, b), settings, strict=True)]
            read = [not key.section or key.section in (*sections, READ_BY_FIGURES) for sections in reads]
            yield KeyChange(key.path, values[0], values[1], origins[0], origins[1], read[0], read[1])


def _reads(policy: NamedPolicy) -> Sequence[str]:
    own = policy.strategy()
    reads: Sequence[str] = STRATEGIES.module(policy.settings.strategy).READS if own is None else own.reads
    return reads


def _origin(policy: NamedPolicy, key: Key, now: Settings) -> str:
    """Return where a value came from, in the words of `policy show`; a line of a file with its number."""
    if effective(now, key) != effective(policy.settings, key):
        return "--limit"
    if policy.loaded is None or (policy.make is not None and not key.section):
        return "-p"
    word, line = policy.loaded.origin(key.path)
    return f"{word}:{line}" if word == FILE and line is not None else word
