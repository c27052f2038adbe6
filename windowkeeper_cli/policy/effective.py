"""What does a policy come to: every value with where it came from, and the floor that it can never go under."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy.keys import KEYS, Value, effective, value_of
from windowkeeper_cli.policy.loaded import Loaded

_ALWAYS = (
    ("the envelope (leading system text and what was sent unseen)", "always sent, never a turn"),
    ("the current request", "byte for byte"),
)


class ValueRow(NamedTuple):
    """One effective value: `origin` is where it came from, `line` in which line of the file, `read` whether the
    policy's strategy reads it."""

    key: str
    value: Value
    origin: str
    line: int | None
    read: bool
    text: str


class FloorRow(NamedTuple):
    """One thing that no window goes without: what it is, and the policy key (or the reason) that holds it."""

    what: str
    why: str


def value_rows(loaded: Loaded, reads: Sequence[str]) -> tuple[ValueRow, ...]:
    """Return one row a key in the order of a policy file; `reads` are the sections that its strategy reads."""
    rows = []
    for key in KEYS:
        origin = loaded.origin(key.path)
        read = not key.section or key.section in reads
        rows.append(ValueRow(key.path, effective(loaded.settings, key), origin.word, origin.line, read, key.text))
    return tuple(rows)


def floor_rows(loaded: Loaded, reads: Sequence[str]) -> tuple[FloorRow, ...]:
    """Return what the policy can never go under: the envelope, the request, and what the keys it reads keep."""
    rows = [FloorRow(what, why) for what, why in _ALWAYS]
    for key in KEYS:
        value = value_of(loaded.settings, key)
        if key.floor and key.section in reads and value:
            rows.append(FloorRow(key.floor.format(value), key.path))
    return tuple(rows)
