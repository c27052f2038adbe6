"""How does a finished visit become bytes? What it planned, and how long each list was when it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from windowkeeper_cli.archive.sealed import opened, sealed
from windowkeeper_cli.model.call import Call, Usage
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.plan import Planned
from windowkeeper_cli.model.transcript import Paused
from windowkeeper_cli.model.value import NamedTuple

KIND = "windowkeeper-visit/1"


class Ended(NamedTuple):
    """What a save wrote: the visit (None: a save without one), and the length of each list that grew."""

    planned: Planned | None
    lists: Mapping[str, int]


def visit_record(ended: Ended) -> bytes:
    """Return a save as the bytes that an archive keeps."""
    planned = ended.planned
    return sealed(KIND, {"visit": None if planned is None else _listed(planned), "lists": dict(ended.lists)})


def visit_in(record: bytes) -> Ended:
    """Return what a save wrote; raise ArchiveError where the record does not hold it."""
    value: Any = opened(KIND, record)
    try:
        visit, lists = value["visit"], {str(list_id): int(length) for list_id, length in value["lists"].items()}
        return Ended(None if visit is None else _planned(visit), lists)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ArchiveError("it is sealed, and no visit") from error


def _listed(planned: Planned) -> dict[str, object]:
    call, paused = _facts(planned.call), planned.paused
    call["usage"] = None if planned.call.usage is None else _facts(planned.call.usage)
    lines = [dict(line) for line in planned.lines]
    return {**planned._asdict(), "call": call, "lines": lines, "paused": None if paused is None else _facts(paused)}


def _planned(value: Mapping[str, Any]) -> Planned:
    call, paused = dict(value["call"]), value["paused"]
    call["usage"] = None if call["usage"] is None else Usage(**call["usage"])
    made = {"call": Call(**call), "lines": tuple(value["lines"])}
    return Planned(**{**value, **made, "paused": None if paused is None else Paused(**paused)})


def _facts(value: Call | Usage | Paused) -> dict[str, object]:
    return {field.name: getattr(value, field.name) for field in fields(value)}
