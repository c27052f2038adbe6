"""What is an effective policy: its settings, its name, its id, and where every value came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from types import MappingProxyType
from typing import Any

from windowkeeper_cli.model.settings import Budget, Settings
from windowkeeper_cli.model.value import NamedTuple, dataclass

DEFAULT_STRATEGY = "windowkeeper"
ALIASES: Mapping[str, str] = MappingProxyType({"compaction": "summarize-oldest"})
HALF_OF_LIMIT = "half of the limit"


class Origin(NamedTuple):
    """Where a value came from: `default`, `file`, `preset`, `-p`, `--set` or `half of the limit`.

    `line` is its line in the file.
    """

    word: str
    line: int | None = None


DEFAULT = Origin("default")
NO_ORIGINS: Mapping[str, Origin] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Strategies:
    """The strategies that there are: their names in order, and the policy sections that a named one reads."""

    names: tuple[str, ...]
    reads: Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """An effective policy. `origins` holds the keys that are not defaults, by path.

    `source` and `certainty` say of a preset where its figures come from and how sure they are.
    """

    settings: Settings
    name: str
    id: str
    origins: Mapping[str, Origin] = field(default_factory=lambda: NO_ORIGINS)
    source: str = ""
    certainty: str = ""

    def origin(self, path: str) -> Origin:
        """Return where the effective value of the key `path` came from."""
        if path == "budget.target" and self.settings.budget.target is None:
            return Origin(HALF_OF_LIMIT)
        return self.origins.get(path, DEFAULT)


def policy_id(settings: Settings, reads: Sequence[str]) -> str:
    """Return 12 hex digits over the strategy's name and the effective values of the sections that it `reads`.

    `prices` and `check` never change a window: no strategy reads them, so they are never part of an id.
    """
    values: dict[str, object] = {"strategy": settings.strategy}
    for section in fields(settings):
        name = camel(section.name)
        if name in reads:
            values[name] = _values(getattr(settings, section.name))
    canonical = json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:12]


def _values(section: Any) -> dict[str, object]:
    values = {camel(key.name): plain(getattr(section, key.name)) for key in fields(section)}
    return {**values, "target": section.goal} if isinstance(section, Budget) else values


def camel(name: str) -> str:
    """Return the key of a settings field (`max_tokens_each`: `maxTokensEach`)."""
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


def plain(value: object) -> object:
    """Return a settings value as JSON has it; a whole float becomes an integer, so that 1 and 1.0 are one value."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Mapping):
        return {name: plain(value[name]) for name in sorted(value)}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def strategy_named(name: str) -> str:
    """Return the strategy's own name where `name` is an alias of it."""
    return ALIASES.get(name, name)


def default_policy(strategies: Strategies, strategy: str = DEFAULT_STRATEGY) -> Loaded:
    """Return the policy that is all defaults, under the strategy's own name; imports no validator."""
    settings = replace(Settings(), strategy=strategy)
    origins = {} if strategy == DEFAULT_STRATEGY else {"strategy": Origin("-p")}
    return Loaded(settings, strategy, policy_id(settings, strategies.reads(strategy)), origins)
