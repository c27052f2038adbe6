"""Which logs are copies? One whose records are all in a later one, as a resumed session leaves it behind."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.outline import keys_of
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.value import NamedTuple


class Candidate(NamedTuple):
    """A log: its path, names for the records of its head, and the time of its last message."""

    path: str
    keys: tuple[str, ...]
    last: str | None


def copies_among(logs: Sequence[Candidate]) -> dict[str, str]:
    """Return for each log that is a copy the path of the log that holds all of its records, and is none itself.

    Only logs whose head another one shares are read whole. Of logs with the same records the last stands, by the
    time of its last message, then by path.
    """
    seen: dict[str, int] = {}
    for log in logs:
        for key in set(log.keys):
            seen[key] = seen.get(key, 0) + 1
    known: dict[str, str] = {}
    read = [(_records(log, known), log) for log in logs if any(seen[key] > 1 for key in log.keys)]
    read.sort(key=lambda pair: (len(pair[0]), pair[1].last or "", pair[1].path), reverse=True)
    # The largest first: each is held against those alone that stand, so thousands of cuts of one session are quick.
    standing: dict[str, list[tuple[frozenset[str], Candidate]]] = {}
    found: dict[str, str] = {}
    for records, log in read:
        if not records:
            continue
        whole = next((other for held, other in standing.get(log.keys[0], ()) if records <= held), None)
        if whole is not None:
            found[log.path] = whole.path
            continue
        for key in dict.fromkeys(log.keys):
            standing.setdefault(key, []).append((records, log))
    return found


def _records(log: Candidate, known: dict[str, str]) -> frozenset[str]:
    """Return the names of a log's records, equal ones the same object in every log; none where it cannot be read."""
    try:
        return frozenset(known.setdefault(key, key) for key in keys_of(log.path))
    except InputError:
        return frozenset()
