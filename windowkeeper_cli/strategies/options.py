"""Options of the reference strategies: which values are accepted, checked in the reference's order.

Source: agentfootprint 9.62.0, validation at construction; the first failing check is the one reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from windowkeeper_cli.model.errors import UsageError

ABSENT = object()
Check = Callable[[object], bool]


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def _whole(least: int) -> Check:
    def accepts(value: object) -> bool:
        number = _number(value)
        return number is not None and number == int(number) and number >= least

    return accepts


def _positive(value: object) -> bool:
    number = _number(value)
    return number is not None and number > 0


def _or_absent(check: Check) -> Check:
    return lambda value: value is ABSENT or check(value)


def _pins(value: object) -> bool:
    return value is ABSENT or value is False or _whole(0)(value)


TURNS = _whole(1)
CHECKS: Mapping[str, tuple[tuple[str, Check], ...]] = {
    "sliding-window": (("keepRecentTurns", TURNS),),
    "token-budget": (("thresholdTokens", _positive), ("keepRecentTurns", _or_absent(TURNS))),
    "summarize-oldest": (
        ("thresholdTokens", _positive),
        ("summarizer", lambda value: value is not ABSENT and value is not None),
        ("keepRecentTurns", _or_absent(TURNS)),
        ("model", lambda value: isinstance(value, str) and value.strip() != ""),
        ("retain", _or_absent(lambda value: value in ("conversation", "discard"))),
    ),
    "agent": (("keepLastToolResults", _pins),),
    "sliding-tokens": (("maxTokens", _positive),),
}


def failing_option(target: str, options: Mapping[str, object]) -> str | None:
    """Return the name of the first option of `target` that is not acceptable, None where all are."""
    for name, accepts in CHECKS[target]:
        if not accepts(options.get(name, ABSENT)):
            return name
    return None


def require(strategy: str, section: str, options: Mapping[str, object]) -> None:
    """Raise UsageError naming the first option of a strategy that is not acceptable; `section` is the policy's."""
    name = failing_option(strategy, options)
    if name is None:
        return
    key, value = f"{section}.{name}", options.get(name)
    if value is None:
        raise UsageError(
            f"{strategy} has no default for {key}", f"give it, as with --set {key}={EXAMPLES.get(name, 'VALUE')}"
        )
    raise UsageError(f"{key} is {value!r}, which {strategy} does not take", f"{ACCEPTED[name]}")


EXAMPLES = {"keepRecentTurns": 6, "thresholdTokens": 100_000, "maxTokens": 100_000}
ACCEPTED = {
    "keepRecentTurns": "give a whole number of turns, 1 or more",
    "thresholdTokens": "give a number of tokens over 0",
    "maxTokens": "give a number of tokens over 0",
    "summarizer": "give something that answers with a summary",
    "model": "give the name of the model that summarizes",
    "retain": "give conversation or discard",
    "keepLastToolResults": "give a whole number of turns, 0 or more, or false",
}
