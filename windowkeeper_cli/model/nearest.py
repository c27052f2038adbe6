"""Which ids are nearest to one that nothing has? Those with the longest beginning in common."""

from __future__ import annotations

from collections.abc import Iterable

NEAREST = 3


def nearest(wanted: str, ids: Iterable[str]) -> list[str]:
    """Return the few of `ids` that are most like `wanted`, each once."""
    return sorted(dict.fromkeys(ids), key=lambda known: (-_shared(known, wanted), _differing(known, wanted), known))[
        :NEAREST
    ]


def _shared(known: str, wanted: str) -> int:
    length = 0
    for one, other in zip(known, wanted, strict=False):
        if one != other:
            break
        length += 1
    return length


def _differing(known: str, wanted: str) -> int:
    return sum(one != other for one, other in zip(known, wanted, strict=False))
