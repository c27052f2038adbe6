"""Which policies does a replay compare, and at what limit, cache lifetime and prices?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

from windowkeeper_cli.cli.loading import Source
from windowkeeper_cli.cli.policies import named_policy, one_policy, strategies
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.policy import built_in
from windowkeeper_cli.replay.tariff import Tariff
from windowkeeper_cli.report.subject import RECORDED, NamedPolicy
from windowkeeper_cli.strategies import STRATEGIES

USUAL = ("none", "sliding-tokens", "clear-tool-results", "token-budget", "summarize-oldest", "tiered")
"""Strategies that one session is replayed under where nobody names any, before the default policy."""
SIZES = {"": 1, "k": 1_000, "m": 1_000_000}
LIFETIMES: dict[str, float | None] = {"off": None, "5m": 300.0, "1h": 3600.0}
_LIMIT = re.compile(r"([0-9]{1,9})([kKmM]?)", re.ASCII)


@cache
def compared(names: tuple[str, ...], sets: tuple[str, ...], *, one: bool) -> tuple[NamedPolicy, ...]:
    """Return the policies in the order of their rows; raise UsageError for one that is named twice.

    Where nobody names any: `recorded`, of `one` session the usual strategies, and the default policy last.
    """
    if names:
        found = tuple(one_policy((name,), sets, complete=False) for name in names)
        for place, policy in enumerate(found):
            if any(policy.name == other.name for other in found[:place]):
                raise UsageError(f"-p {policy.name} is given twice", "name each policy once")
        return found
    last = default(sets)
    known = [name for name in (RECORDED, *(USUAL if one else ())) if name != last.name]
    usual = [built_in(name, strategies=strategies(), overrides=sets, complete=False) for name in known]
    return (*(named_policy(loaded, "built-in", sets) for loaded in usual), last)


@cache
def pair(names: tuple[str, ...], sets: tuple[str, ...], sets_b: tuple[str, ...]) -> tuple[NamedPolicy, NamedPolicy]:
    """Return the policies A and B; `sets` change both, `sets_b` B alone, which is A's where only one is named.

    Raises UsageError where the names are not two, or are the same policy.
    """
    if len(names) not in (1, 2) or (len(names) == 1 and not sets_b):
        todo = "give -p twice, or once with --set-b KEY=VALUE for what changes in B"
        raise UsageError(f"diff compares two policies, and {len(names) or 'none'} {_is_given(names)}", todo)
    if len(set(names)) < len(names) and not sets_b:
        raise UsageError(f"-p {names[0]} is given twice", "name another, or change a key of B by --set-b KEY=VALUE")
    changed = {word.partition("=")[0].strip() for word in sets_b}
    kept = tuple(word for word in sets if word.partition("=")[0].strip() not in changed)
    return (
        one_policy((names[0],), sets, complete=False),
        one_policy((names[-1],), (*kept, *sets_b), complete=False),
    )


def _is_given(names: Sequence[str]) -> str:
    return "are given" if len(names) > 1 else "is given"


def fitting(policies: tuple[NamedPolicy, ...], transcript: Transcript) -> tuple[NamedPolicy, ...]:
    """Return the policies, `recorded` left out where a log holds no removals."""
    return policies if transcript.events else tuple(one for one in policies if one.name != RECORDED)


def default(sets: Sequence[str] | None) -> NamedPolicy:
    """Return the default policy under its strategy's name, or that of the nearest pyproject.toml."""
    policy = one_policy(None, sets)
    return policy if policy.origin != "default" else policy._replace(name=policy.settings.strategy, origin="built-in")


def default_limit(sets: Sequence[str] | None) -> int:
    """Return the default policy's limit in tokens; of a strategy without one, that of the defaults."""
    settings = default(sets).settings
    limit: int | None = STRATEGIES.module(settings.strategy).make(settings).limit
    return Settings().budget.limit if limit is None else limit


def place_of(against: str | None, policies: Sequence[NamedPolicy]) -> int:
    """Return the place of the policy called `against`, the first by default; raise UsageError where there is none."""
    if against is None:
        return 0
    names = [policy.name for policy in policies]
    if against not in names:
        raise UsageError(f"--against {against}: no such row", f"the rows are {', '.join(names)}")
    return names.index(against)


def tokens_of(limit: str | None) -> int | None:
    """Return the tokens of `--limit` (`60k`, `120000`); raise UsageError where it is no number of tokens."""
    if limit is None:
        return None
    match = _LIMIT.fullmatch(limit)
    tokens = int(match[1]) * SIZES[match[2].lower()] if match else 0
    if not tokens:
        raise UsageError(f"--limit {limit}: no number of tokens", "write it as 60k or 120000")
    return tokens


def lifetime_of(ttl: str) -> float | None:
    """Return the seconds of `--cache-ttl`, None for `off`; raise UsageError for another word."""
    if ttl not in LIFETIMES:
        raise UsageError(f"--cache-ttl {ttl}: no such lifetime", f"use one of {', '.join(LIFETIMES)}")
    return LIFETIMES[ttl]


def tariff_for(model: str | None, ttl: str) -> Tariff | None:
    """Return the prices of a model today, None where none is named; raise as `tariff_of` does."""
    if model is None:
        return None
    from windowkeeper_cli.cli.prices import tariff_of

    return tariff_of(model, ttl, datetime.now(UTC).date())


def term_words(limit: str | None, ttl: str, model: str | None) -> tuple[str, ...]:
    """Return the options to type again for the same comparison."""
    given = (("--limit", limit), ("--cache-ttl", None if ttl == "off" else ttl), ("--model", model))
    return tuple(word for option, value in given if value is not None for word in (option, value))


def loading_words(counter: str, source: Source) -> tuple[str, ...]:
    """Return the options that were needed to load and count."""
    return (*source.words, *(() if counter == "auto" else ("--counter", counter)))
