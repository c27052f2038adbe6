"""Which figures may be asked for by name, and what is each in a row of a replay?

The names are the keys of a row, dotted inside one (`gaps.reRead`); `gaps` alone is the sum over the kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.report.gap_counts import all_kinds
from windowkeeper_cli.report.replay_rows import NAMES, WORDS, Row, flat

GAPS = "gaps"
OF_MANY = ("sessions", *(name for name in NAMES if name.startswith("spread.")))
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


def figures_of(row: Row) -> Mapping[str, float | None]:
    """Return every figure of a row by its name, None where it was not measured."""
    values: dict[str, object] = dict(zip(NAMES, flat(row), strict=True))
    if row.gaps is not None:
        values[GAPS] = all_kinds(row.gaps)
    found = ((name, values.get(name)) for name in FIGURES)
    return {name: value if isinstance(value, int | float) else None for name, value in found}
