"""How do the figures of two rows compare: the change in each, and whether it is better or worse?"""

from __future__ import annotations

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.figures import FIGURES, figures_of, is_gaps
from windowkeeper_cli.report.replay_rows import Row

MORE_IS_BETTER = ("cacheReuse",)
NEITHER = ("gaps.recallable", "gaps.mentioned")
"""Gaps by a mild address: more of these beside fewer that are `lost` is no worse, so all and the lost are judged."""
LESS_IS_BETTER = (
    *("costWeighted", "money", "freshTokens", "invalidations", "cacheExpired", "peak", "callsOverLimit"),
    *("targetMissed", "itemsLost", "requestLostCalls"),
    *(name for name in FIGURES if is_gaps(name) and name not in NEITHER),
)
JUDGED = (*MORE_IS_BETTER, *LESS_IS_BETTER)
"""Figures of which one value is better than another; of the rest neither is."""
CALLS = "calls"
"""The figure that no policy changes."""
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
    """Return every figure of two rows, in the order of ROW, those of inner objects dotted, the sum of gaps last."""
    others = figures_of(b)
    return tuple(_figure(name, value, others[name]) for name, value in figures_of(a).items() if name != CALLS)


def _figure(name: str, a: float | None, b: float | None) -> Figure:
    change = None if a is None or b is None else b - a
    if isinstance(change, float):
        change = round(change, PLACES)
    better = None if not change or name not in JUDGED else (change > 0) == (name in MORE_IS_BETTER)
    return Figure(name, a, b, change, better)
