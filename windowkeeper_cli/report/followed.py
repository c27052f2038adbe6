"""How a report names the evidence gap that followed when an item left."""

from __future__ import annotations

from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Column

_KEYS = ("call", "kind", "exact", "use", "distance")
GAP_COLUMNS = (
    Column("gap.call", "gap at", NUMBER),
    Column("gap.kind", "gap", WORD),
    Column("gap.exact", "exact", WORD),
    Column("gap.use", "use", TEXT),
    Column("gap.distance", "distance", NUMBER),
)


def followed(gap: Gap | None) -> dict[str, object] | None:
    """Return a gap's keys under a departure, None where no gap followed."""
    return None if gap is None else {key: getattr(gap, key) for key in _KEYS}


def gap_cells(gap: Gap | None) -> dict[str, object]:
    """Return a gap's values by the keys of `GAP_COLUMNS`."""
    return {f"gap.{key}": None if gap is None else getattr(gap, key) for key in _KEYS}
