"""Where do an archive's records lie? Names and bytes of three kinds, and one way to write that is whole or nothing."""

from __future__ import annotations

import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from windowkeeper_cli.archive.damage import Damage

ITEM, LIST, VISIT = "item", "list", "visit"
KINDS = (ITEM, LIST, VISIT)
"""The kinds of records, in the order in which a save writes them."""
DATABASES = (".sqlite", ".sqlite3", ".db")
"""How the name of a new archive ends that is to be one file."""
FOLDER, FILE, NOTHING, OTHER = "folder", "file", "nothing", "other"
"""What may stand at a path."""


def standing_at(path: str) -> str:
    """Return what stands at a path, by one look: others may make an archive there meanwhile."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return OTHER if Path(path).is_symlink() else NOTHING
    return FOLDER if stat.S_ISDIR(mode) else FILE if stat.S_ISREG(mode) else OTHER


class Write(Protocol):
    """One save while it is made, alone on the store."""

    def put(self, kind: str, records: Iterable[tuple[str, bytes]]) -> None:
        """Write items or lists under their names, each whole or not at all; one that is there is replaced."""
        ...

    def add(self, visits: Sequence[bytes]) -> None:
        """Add visits in the order given, each whole or not at all."""
        ...

    def drop(self, visits: Sequence[str]) -> None:
        """Forget visits in the order given."""
        ...


class Store(ABC):
    """Records on disk at `path`; `writes` says whether they may be written, `damage` what opening found wrong."""

    path: str
    writes: bool
    damage: tuple[Damage, ...]

    @abstractmethod
    def rows(self, kind: str) -> Sequence[str]:
        """Return the names of all records of a kind: of items and lists sorted, of visits in order."""

    @abstractmethod
    def row(self, kind: str, name: str) -> bytes | None:
        """Return a record, None where there is none; raise ArchiveError where it cannot be read."""

    @abstractmethod
    def place(self, kind: str, name: str) -> str:
        """Return where a record stands, for people."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Write]:
        """Return what writes, alone until it is left; what it wrote lasts then. Raises ArchiveError where it cannot."""

    @abstractmethod
    def around(self) -> Iterator[Damage]:
        """Yield what is wrong with the store besides its records."""

    def close(self) -> None:
        """Let go of what is held open."""
        return
