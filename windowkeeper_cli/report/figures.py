"""Which figures may be asked for by name, and what is each in a row of a replay?

The names are the keys of a row, dotted inside one (`gaps.reRead`); `gaps` alone is the sum over the kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.report.replay_rows import KINDS, NAMES, WORDS, Row, flat

GAPS = "gaps"
KEY_OF = {
    "re-read": "reRead",
    "identifier": "identifier",
    "mention": "mention",
    "constraint": "constraint",
    "request-lost": "requestLost",
}
"""The key of each kind of gap in a row; the other keys of its `gaps` are addresses."""
OF_MANY = ("sessions", "spread.costWeighted.p10", "spread.costWeighted.p50", "spread.costWeighted.p90")
"""Figures that only a row over several sessions has."""
FIGURES = (*(name for name in NAMES if name not in (*WORDS, *OF_MANY)), GAPS)
"""The names of the figures that one session has, in the order of a row."""


def is_gaps(name: str) -> bool:
    """Return whether a figure counts evidence gaps."""
    return name == GAPS or name.startswith(f"{GAPS}.")


def require_figure(name: str, where: str, *, without: Iterable[str] = ()) -> None:
    """Raise UsageError naming the figures there are where `name` is none of them; `where` is who asked."""
    known = [figure for figure in FIGURES if figure not in tuple(without)]
    if name not in known:
        near = get_close_matches(name, known, 1, 0.6)
        meant = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no figure {name!r}", f"{meant}known: {', '.join(known)}", where=where)


def gap_counts(gaps: Iterable[Gap]) -> dict[str, int]:
    """Return how many gaps there are by kind and by address, under the keys of a row."""
    counted = dict.fromkeys(KINDS, 0)
    for gap in gaps:
        for key in (KEY_OF.get(gap.kind), gap.address):
            if key in counted:
                counted[key] += 1
    return counted


def figures_of(row: Row, gaps: Iterable[Gap] | None) -> Mapping[str, float | None]:
    """Return every figure of a session by its name, None where it was not measured."""
    values = dict(zip(NAMES, flat(row), strict=True))
    found = {name: value if isinstance(value, int | float) else None for name, value in values.items()}
    if gaps is not None:
        counted = gap_counts(gaps)
        found.update((f"{GAPS}.{key}", count) for key, count in counted.items())
        found[GAPS] = sum(counted[key] for key in KEY_OF.values())
    return {name: found.get(name) for name in FIGURES}
