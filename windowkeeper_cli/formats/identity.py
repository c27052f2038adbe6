"""Which id does each item get? The first digits of its payload's SHA-256, more of them where two payloads clash."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.model.payload import CLASH_DIGITS, ID_DIGITS


def short_ids(digests: Sequence[str]) -> tuple[list[str], list[tuple[int, int]]]:
    """Return an id for each hex digest, and the pairs of positions whose different payloads share a short one."""
    first: dict[str, int] = {}
    ids: list[str] = []
    clashes: list[tuple[int, int]] = []
    clashing: set[str] = set()
    for at, digest in enumerate(digests):
        ident = digest[:ID_DIGITS]
        earlier = first.setdefault(ident, at)
        if digests[earlier] != digest:
            clashes.append((earlier, at))
            clashing.add(ident)
        ids.append(ident)
    if clashing:
        ids = [
            digest[:CLASH_DIGITS] if ident in clashing else ident
            for ident, digest in zip(ids, digests, strict=True)
        ]
    return ids, clashes
