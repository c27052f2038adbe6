"""Percentiles by the nearest rank: always a value that was there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value", int, float)


def rank(ordered: Sequence[Value], percent: int) -> Value:
    """Return the percentile of values in rising order; there is one at least."""
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]
