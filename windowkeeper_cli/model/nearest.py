"""Which ids does a beginning mean, and which are nearest to an id that nothing has?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SHORTEST = 4
"""Digits that the beginning of an id has at least."""
NEAREST, LISTED = 3, 8


def begun(wanted: str, ids: Iterable[str]) -> list[str]:
    """Return `wanted` where it is one of `ids`, else those that begin so, each once; none for too few digits."""
    known = dict.fromkeys(ids)
    if wanted in known:
        return [wanted]
    return [one for one in known if one.startswith(wanted)] if len(wanted) >= SHORTEST else []


def begins_many(wanted: str, named: Sequence[str]) -> str:
    """Return what is said of a beginning of several ids; `named` are these, as they are called."""
    more = f", and {len(named) - LISTED:,} more" if len(named) > LISTED else ""
    return f"{wanted} begins {len(named):,} ids: {', '.join(named[:LISTED])}{more}"


def nearest(wanted: str, ids: Iterable[str]) -> list[str]:
    """Return the few of `ids` that have the longest beginning in common with `wanted`, each once."""
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
