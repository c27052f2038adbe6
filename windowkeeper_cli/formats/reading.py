"""What is a format given to read, and how does it say that an input is its own?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from windowkeeper_cli.formats.opening import Opened
from windowkeeper_cli.formats.sealing import Measure
from windowkeeper_cli.formats.stream import Log, Record
from windowkeeper_cli.model.item import Origin
from windowkeeper_cli.model.value import NamedTuple, dataclass

PLAIN, LIKELY, CERTAIN, NAMED = 1, 2, 3, 4
"""How sure a format is: several could hold this, the shape is its own, only it has such keys, the input says it is."""


class Verdict(NamedTuple):
    """A format's claim to an input, and why, in words; `alone` says that no other can have one: they are not asked."""

    strength: int
    why: str
    alone: bool = False


class ElsewhereError(Exception):
    """The transcript that is asked for stands in another file, at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(str(path))


@dataclass(frozen=True, slots=True)
class Reading:
    """The records of one or several files, in order, and which of their transcripts is asked for.

    `measure` is asked of the blocks of what is sealed; texts of results that can be read again stay out of memory
    where not `keeps_text`.
    """

    records: Iterable[Record]
    files: tuple[Opened, ...]
    log: Log
    agent: str | None = None
    part: int | None = None
    measure: Measure | None = None
    keeps_text: bool = True

    def where(self, origin: Origin, place: str | None = None) -> str:
        """Return the file, and the place in the document or else the line."""
        return f"{self.files[origin.file].name}:{origin.line if place is None else place}"


def peeked(reading: Reading) -> tuple[list[Any], Reading]:
    """Return the first value (nothing where there is none), and the reading from its beginning."""
    records = iter(reading.records)
    first = list(islice(records, 1))
    return [record.value for record in first], replace(reading, records=chain(first, records))
