"""How does a Codex rollout file become entries? One JSON object a line; the response items are the history."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.codex.lines import ENVELOPES, ITEM, META, part_of
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.listed import objects_in
from windowkeeper_cli.formats.reading import CERTAIN, Reading, Verdict

WHAT = "rollout JSONL as Codex writes it"
_LEAST = 2


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are lines of a rollout file, and why."""
    objects = objects_in(values)
    for value in objects:
        kind = type_name(value)
        if kind in ENVELOPES and isinstance(value.get("payload"), dict):
            return Verdict(CERTAIN, f"{kind} lines with a payload", alone=len(values) >= _LEAST)
    # The first versions wrote bare items behind a line on the session.
    kinds = [part_of(value)[0] for value in objects]
    if kinds[:1] == [META] and ITEM in kinds:
        return Verdict(CERTAIN, "items behind a line on the session")
    return None


def read(reading: Reading) -> Draft:
    """Return the entries of the rollout file."""
    # Most inputs are another format's, and start sooner without the reader.
    from windowkeeper_cli.formats.codex.reader import read_rollout

    return read_rollout(reading)
