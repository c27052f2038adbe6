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
}


def failing_option(target: str, options: Mapping[str, object]) -> str | None:
    """Return the name of the first option of `target` that is not acceptable, None where all are."""
    for name, accepts in CHECKS[target]:
        if not accepts(options.get(name, ABSENT)):
            return name
    return None


def required_turns(strategy: str, key: str, value: int | None) -> int:
    """Return the turns; raise UsageError where none are given, since the strategy has no default for them."""
    if value is None:
        raise UsageError(f"{strategy} has no default for {key}", f"give it, as with --set {key}=6")
    if not TURNS(value):
        raise UsageError(f"{key} is {value}, and must be 1 or more", "it counts the newest turns that stay")
    return value


def required_tokens(strategy: str, key: str, value: float | None) -> float:
    """Return the tokens; raise UsageError where none are given, since the strategy has no default for them."""
    if value is None:
        raise UsageError(f"{strategy} has no default for {key}", f"give it, as with --set {key}=100000")
    if not _positive(value):
        raise UsageError(f"{key} is {value}, and must be over 0", "it counts input tokens")
    return value
