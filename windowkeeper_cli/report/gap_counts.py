"""How many evidence gaps are there by kind and by address, as a row of figures has them?"""

from __future__ import annotations

from collections.abc import Iterable

from windowkeeper_cli.replay.gaps.gap import Gap

KEY_OF = {
    "re-read": "reRead",
    "identifier": "identifier",
    "mention": "mention",
    "constraint": "constraint",
    "request-lost": "requestLost",
}
"""The key of each kind of gap in a row."""
KINDS = (*KEY_OF.values(), "recallable", "mentioned", "lost")
"""Kinds and addresses of evidence gaps, as a row has them; null where none were looked for."""


def gap_counts(gaps: Iterable[Gap]) -> dict[str, int]:
    """Return how many gaps there are by kind and by address, under the keys of a row."""
    counted = dict.fromkeys(KINDS, 0)
    for gap in gaps:
        for key in (KEY_OF.get(gap.kind), gap.address):
            if key in counted:
                counted[key] += 1
    return counted


def all_kinds(counted: dict[str, int]) -> int:
    """Return how many gaps there are of all kinds together."""
    return sum(counted[key] for key in KEY_OF.values())
