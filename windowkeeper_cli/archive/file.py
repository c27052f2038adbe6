"""An archive that is a folder: one file an item under its id, one a list, one a visit; a visit without its file never
happened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path

from windowkeeper_cli.archive.damage import Damage, open_to_others
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.archive.lock import lock
from windowkeeper_cli.archive.names import is_id, is_visit
from windowkeeper_cli.archive.private import (
    LINK,
    OTHERS,
    failed,
    make_files,
    make_folder,
    open_private,
    read_file,
    sync_folder,
)
from windowkeeper_cli.archive.store import DATABASES, FOLDER, ITEM, LIST, NOTHING, VISIT, Store, standing_at
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.payload import ID_DIGITS

MARKER, MARK = "windowkeeper-archive", b"windowkeeper-archive/1\n"
ITEMS, LISTS, VISITS, NEW, LOCK = "items", "lists", "visits", "new", "lock"
BEGUN = frozenset({MARKER, LOCK})
"""All that a folder holds that is only just an archive."""
FOLDERS = (ITEMS, LISTS, VISITS, NEW)
_OF = {ITEM: ITEMS, LIST: LISTS, VISIT: VISITS}
TOGETHER = 128
"""Files that are written before they are put in place."""


def takes(path: str, there: str) -> bool:
    """Return whether a path is, or is to be, such an archive: a folder, or nothing yet without a database's ending."""
    return there == FOLDER or (there == NOTHING and not path.endswith(DATABASES))


class FileArchive(Lasting):
    """An archive in the folder `path`, made where there is none; its owner alone may read it.

    With `writes=False` nothing is made or changed. Raises ArchiveError for a folder that holds something else.
    """

    kind = "file"

    def __init__(self, path: str | os.PathLike[str], *, writes: bool = True) -> None:
        super().__init__(Folder(os.fspath(path), writes))


OPEN = FileArchive


class Folder(Store):
    """Records as files of a folder."""

    def __init__(self, path: str, writes: bool) -> None:
        self.path = path
        self.writes = writes
        self.damage: tuple[Damage, ...] = ()
        self._folder = Path(path)
        self._linked: frozenset[str] = frozenset()
        try:
            self._make_or_find()
        except OSError as error:
            raise failed(error, path) from error

    def _make_or_find(self) -> None:
        folder = self._folder
        if self.writes and not os.path.lexists(folder):
            make_folder(folder)
        if standing_at(self.path) != FOLDER:
            raise ArchiveError("there is no archive", "check the path", where=self.path)
        there = self._there()
        if there <= BEGUN and self.writes:
            there = self._begin()
        mark = read_file(folder / MARKER)
        if there <= BEGUN and mark != MARK:
            raise ArchiveError("there is no archive, or none yet", "check the path", where=self.path)
        if not there & {MARKER, ITEMS}:
            what = "the folder is no archive of windowkeeper, and not empty"
            raise ArchiveError(what, "name a new folder", where=self.path)
        if mark != MARK:
            what = "it is not there" if mark is None else "it says something else"
            self.damage = (Damage("marker", self._at(MARKER), None, what),)
        self._linked = frozenset(name for name in FOLDERS if (folder / name).is_symlink())
        self.damage += tuple(Damage("link", self._at(name), None, LINK) for name in sorted(self._linked))

    def _there(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self._folder.iterdir())

    def _begin(self) -> frozenset[str]:
        """Mark a folder as an archive where nobody has, alone: what another process or a kill began is ended."""
        with self._locked():
            if read_file(self._folder / MARKER) != MARK and self._there() <= BEGUN:
                (self._folder / MARKER).unlink(missing_ok=True)
                make_files([(self._folder / MARKER, MARK)])
                sync_folder(self._folder)
            return self._there()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        descriptor = open_private(self._folder / LOCK)
        try:
            lock(descriptor)
            yield
        finally:
            os.close(descriptor)

    def place(self, kind: str, name: str) -> str:
        """Return where a record stands, for people."""
        return self._at(_OF[kind], name)

    def rows(self, kind: str) -> Sequence[str]:
        """Return the names of all records of a kind; a visit's begin with its number."""
        fits = is_visit if kind == VISIT else is_id
        return list(filter(fits, self._entries(_OF[kind])))

    def row(self, kind: str, name: str) -> bytes | None:
        """Return a record, None where there is none; raise ArchiveError where it cannot be read."""
        folder = _OF[kind]
        return None if folder in self._linked else read_file(self._folder / folder / name)

    def _at(self, *names: str) -> str:
        return str(self._folder.joinpath(*names))

    def _entries(self, folder: str) -> list[str]:
        if folder in self._linked:
            return []
        try:
            return sorted(entry.name for entry in (self._folder / folder).iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise failed(error, self._at(folder)) from error

    @contextmanager
    def writing(self) -> Iterator[FileWrite]:
        """Return what writes, under the folder's lock."""
        try:
            if self._linked:
                raise ArchiveError(LINK, "take it away", where=self._at(min(self._linked)))
            for name in FOLDERS:
                make_folder(self._folder / name)
            with self._locked():
                for left in (self._folder / NEW).iterdir():
                    left.unlink()
                yield FileWrite(self._folder, self.rows(VISIT))
        except OSError as error:
            raise failed(error, self.path) from error

    def around(self) -> Iterator[Damage]:
        """Yield links, files that no archive holds, and what others than the owner may read."""
        yield from self.damage
        opened: list[Path] = []
        try:
            yield from self._odd(self._folder, lambda name: name in (*FOLDERS, LOCK, MARKER), opened)
            for kind, folder in _OF.items():
                if folder not in self._linked and (self._folder / folder).is_dir():
                    yield from self._odd(self._folder / folder, is_visit if kind == VISIT else is_id, opened)
        except OSError as error:
            raise failed(error, self.path) from error
        yield from open_to_others(opened)

    def _odd(self, folder: Path, fits: Callable[[str], bool], opened: list[Path]) -> Iterator[Damage]:
        for path in sorted(folder.iterdir()):
            if not fits(path.name):
                yield Damage("stray", str(path), None, "no archive holds this")
            elif not path.is_symlink() and path.stat().st_mode & OTHERS:
                opened.append(path)


class FileWrite:
    """One save into a folder, under its lock."""

    def __init__(self, folder: Path, visits: Sequence[str]) -> None:
        self._folder = folder
        self._next = int(visits[-1].partition("-")[0]) + 1 if visits else 1

    def put(self, kind: str, records: Iterable[tuple[str, bytes]]) -> None:
        """Write items or lists under their names, each whole or not at all; one that is there is replaced."""
        self._put(_OF[kind], records)

    def add(self, visits: Sequence[bytes]) -> None:
        """Add visits in the order given, each whole or not at all."""
        for record in visits:
            self._put(VISITS, [(f"{self._next:08d}-{sha256(record).hexdigest()[:ID_DIGITS]}", record)])
            self._next += 1

    def drop(self, visits: Sequence[str]) -> None:
        """Forget visits in the order given."""
        for name in visits:
            (self._folder / VISITS / name).unlink(missing_ok=True)

    def _put(self, folder: str, records: Iterable[tuple[str, bytes]]) -> None:
        """Write files beside, flush them to the disk, and put them in place; nothing is left of those that fail."""
        rest, place, beside = iter(records), self._folder / folder, self._folder / NEW
        while some := dict(islice(rest, TOGETHER)):
            make_files((beside / name, record) for name, record in some.items())
            for name in some:
                (beside / name).replace(place / name)
            sync_folder(place)
