"""How do the figures of two rows compare: the change in each, and whether it is better or worse?"""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.replay_rows import KINDS, Row

MORE_IS_BETTER = ("cacheReuse",)
LESS_IS_BETTER = (
    *("costWeighted", "money", "freshTokens", "invalidations", "cacheExpired", "peak", "callsOverLimit"),
    *("targetMissed", "itemsLost", "requestLostCalls"),
    *(f"gaps.{kind}" for kind in KINDS),
)
JUDGED = (*MORE_IS_BETTER, *LESS_IS_BETTER)
"""Figures of which one value is better than another; of the rest neither is."""
NO_FIGURES = frozenset({"policy", "id", "strategy", "modelled", "refused", "sessions", "calls", "spread"})
"""Keys of ROW that say which row it is, or how figures spread."""
PLACES = 4


class Figure(NamedTuple):
    """One figure of both sides, null where it was not measured; `better` says whether B is, None where neither is."""

    figure: str
    a: float | None
    b: float | None
    change: float | None
    better: bool | None

    def as_dict(self) -> dict[str, object]:
        """Return the figure's entry in the document."""
        return self._asdict()


def figures(a: Row, b: Row) -> tuple[Figure, ...]:
    """Return every figure of two rows, in the order of ROW, those of inner objects dotted."""
    others = dict(_numbers(b))
    return tuple(_figure(name, value, others.get(name)) for name, value in _numbers(a))


def _numbers(row: Row) -> Iterator[tuple[str, float | None]]:
    for key, value in row.as_dict().items():
        if key in NO_FIGURES:
            continue
        inner: dict[str, object] = value if isinstance(value, dict) else {"": value}
        for name, number in inner.items():
            yield f"{key}.{name}" if name else key, number if isinstance(number, int | float) else None


def _figure(name: str, a: float | None, b: float | None) -> Figure:
    change = None if a is None or b is None else b - a
    if isinstance(change, float):
        change = round(change, PLACES)
    better = None if not change or name not in JUDGED else (change > 0) == (name in MORE_IS_BETTER)
    return Figure(name, a, b, change, better)
