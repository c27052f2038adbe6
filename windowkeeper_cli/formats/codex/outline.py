"""What do the head and the tail of a rollout file say of its session? Its figures take a load."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from windowkeeper_cli.formats.codex.lines import META, TURN, parent_of, part_of
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.outline import Glance, Outline, span_of
from windowkeeper_cli.formats.reading import Reading


def glance(head: Sequence[Any], tail: Sequence[Any]) -> Glance:
    """Return what the lines of a file's head and tail say."""
    first, last = objects_in(head), objects_in(tail)
    times = [time for value in (*first, *last) if (time := text_or_none(value, "timestamp")) is not None]
    started, ended = span_of(times)
    parts = [(kind, payload) for kind, payload in map(part_of, first) if kind in (META, TURN)]
    meta = next((payload for kind, payload in parts if kind == META), {})
    parent = parent_of(meta)
    return Glance(
        session=parent or text_or_none(meta, "id"),
        project=next((cwd for _, payload in parts if (cwd := text_or_none(payload, "cwd")) is not None), None),
        first=started,
        last=ended,
        side=parent is not None,
    )


def keys(values: Iterable[Any]) -> list[str]:
    """Return nothing: Codex gives its lines no names, so that none is known as a copy."""
    del values
    return []


def outline(reading: Reading) -> Outline | None:
    """Return None: which replies there are, and who asked for them, is told by all of the lines."""
    del reading
    return None
