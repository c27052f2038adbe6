"""Which one ratio makes the estimate fit the reported prompts? A robust slope over the growth of the window.

A stretch's first call gives its constant; every later call gives a ratio, its growth since then. A first, rougher
ratio comes from neighbouring calls: a jump, something sent that no item holds, spoils one pair there and is then cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.tokens.scaled import SCALE
from windowkeeper_cli.tokens.sent import Sent
from windowkeeper_cli.tokens.weigh import UNIT

JUMP = 2_000
"""A prompt that misses its growth by more tokens than this, and by more than the growth, jumped."""


@dataclass(frozen=True, slots=True)
class Fit:
    """`scale` per 10,000 of the estimate, and `prefix`: tokens of the first reporting call that no item holds.

    Errors are shares of the reported prompt, one a call but for the first of each stretch.
    """

    scale: int
    prefix: int
    error_median: float
    error_p90: float


def fit(windows: list[Sent]) -> Fit | None:
    """Return the fit, or None where the reported prompts do not grow with the items."""
    parts = stretches(windows)
    rough = slope(pair for part in parts for pair in pairwise(part))
    if rough is None:
        return None
    scale = slope((part[0], late) for part in without_jumps(parts, rough) for late in part[1:])
    if scale is None or scale <= 0:
        return None
    prefix = max(windows[0].prompt - tokens(windows[0], scale), 0)
    found = sorted(errors(parts, scale))
    middle = (found[(len(found) - 1) // 2] + found[len(found) // 2]) / 2
    return Fit(scale, prefix, middle, found[-(-9 * len(found) // 10) - 1])


def tokens(sent: Sent, scale: int) -> int:
    """Return the tokens of what the log holds of a window."""
    return -(-sent.weight * scale // (UNIT * SCALE)) + sent.fixed


def errors(parts: list[list[Sent]], scale: int) -> list[float]:
    """Return the share by which each prompt misses what its stretch's first prompt and the growth since give."""
    found: list[float] = []
    for first, *rest in parts:
        unseen = first.prompt - tokens(first, scale)
        found += [abs(unseen + tokens(sent, scale) - sent.prompt) / sent.prompt for sent in rest]
    return found


def slope(pairs: Iterable[tuple[Sent, Sent]]) -> int | None:
    """Return the median growth of reported tokens per 10,000 estimated ones, weighted by the growth."""
    slopes: list[tuple[int, int]] = []
    for early, late in pairs:
        grown = late.weight - early.weight
        if grown > 0:
            told = (late.prompt - late.fixed) - (early.prompt - early.fixed)
            slopes.append((told * UNIT * SCALE // grown, grown))
    return weighted_median(slopes)


def without_jumps(parts: list[list[Sent]], scale: int) -> list[list[Sent]]:
    """Return the parts, cut where a prompt grew by far more or less than the items: something no item holds."""
    cut: list[list[Sent]] = []
    for part in parts:
        cut.append(part[:1])
        for early, late in pairwise(part):
            expected = tokens(late, scale) - tokens(early, scale)
            if abs(late.prompt - early.prompt - expected) > max(JUMP, expected):
                cut.append([])
            cut[-1].append(late)
    return cut


def stretches(windows: list[Sent]) -> list[list[Sent]]:
    """Return the windows by stretch, those of two calls and more."""
    parts: dict[int, list[Sent]] = {}
    for sent in windows:
        parts.setdefault(sent.stretch, []).append(sent)
    return [part for part in parts.values() if len(part) > 1]


def weighted_median(values: list[tuple[int, int]]) -> int | None:
    """Return the lowest value up to which half of the weight lies, of (value, weight) pairs; None for no pair."""
    total = sum(weight for _, weight in values)
    reached = 0
    for value, weight in sorted(values):
        reached += weight
        if 2 * reached >= total:
            return value
    return None
