"""Which logs are copies? One whose records are all in a later one, as a resumed session leaves it behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from windowkeeper_cli.formats.outline import keys_of
from windowkeeper_cli.model.errors import InputError


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
    holders: dict[str, list[Candidate]] = {}
    for log in logs:
        for key in dict.fromkeys(log.keys):
            holders.setdefault(key, []).append(log)
    read: dict[str, frozenset[str]] = {}
    found: dict[str, str] = {}
    for log in logs:
        sharing = holders[log.keys[0]] if log.keys else []
        over = [other for other in sharing if other is not log and _holds(other, log, read)]
        if over:
            found[log.path] = max(over, key=lambda other: (len(_keys(other, read)), other.last or "", other.path)).path
    return found


def _holds(other: Candidate, log: Candidate, read: dict[str, frozenset[str]]) -> bool:
    """Return whether `other` holds all records of `log`, and more, or the same and is the later one."""
    if not all(key in _keys(other, read) for key in log.keys):
        return False
    mine, theirs = _keys(log, read), _keys(other, read)
    if mine == theirs:
        return (other.last or "", other.path) > (log.last or "", log.path)
    return bool(mine) and mine < theirs


def _keys(log: Candidate, read: dict[str, frozenset[str]]) -> frozenset[str]:
    if log.path not in read:
        try:
            read[log.path] = frozenset(keys_of(log.path))
        except InputError:
            read[log.path] = frozenset()
    return read[log.path]
