"""An archive that is one SQLite file: a row an item, a list, a visit; one transaction a visit, in its log first."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from windowkeeper_cli.archive.damage import Damage, open_to_others
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.archive.private import LINK, OTHERS, failed, make_files, sync_folder
from windowkeeper_cli.archive.store import DATABASES, FILE, ITEM, LIST, NOTHING, VISIT, Store
from windowkeeper_cli.model.errors import ArchiveError

MAGIC = b"SQLite format 3\x00"
APPLICATION = 0x776B6172
"""The number by which SQLite tells whose a file is: `wkar`."""
HEADER = 72
"""Bytes of a file up to the end of that number (SQLite, "Database File Format", 1.3)."""
BESIDE = ("-wal", "-shm", "-journal")
WAIT = 60.0
"""Seconds that a save waits for another process's."""
MOST_FOUND = 20
"""Faults that SQLite names before it stops looking."""
TABLES = (
    "CREATE TABLE items (name TEXT PRIMARY KEY, record BLOB NOT NULL)",
    "CREATE TABLE lists (name TEXT PRIMARY KEY, record BLOB NOT NULL)",
    "CREATE TABLE visits (name INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL)",
)
_OF = {ITEM: "items", LIST: "lists", VISIT: "visits"}


def takes(path: str, there: str) -> bool:
    """Return whether a path is, or by its ending is to be, such an archive."""
    return there == FILE or (there == NOTHING and path.endswith(DATABASES))


class SqliteArchive(Lasting):
    """An archive in the file `path`, made where there is none; its owner alone may read it.

    With `writes=False` nothing is made or changed. Raises ArchiveError for a file that is something else.
    """

    kind = "sqlite"

    def __init__(self, path: str | os.PathLike[str], *, writes: bool = True) -> None:
        super().__init__(Database(os.fspath(path), writes))


OPEN = SqliteArchive


class Database(Store):
    """Records as rows of a SQLite file."""

    def __init__(self, path: str, writes: bool) -> None:
        self.path = path
        self.writes = writes
        self.damage: tuple[Damage, ...] = ()
        try:
            self._find_or_make()
            self._connection = self._connected()
        except OSError as error:
            raise failed(error, path) from error
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; the last process to do so folds the log into it."""
        connection = getattr(self, "_connection", None)
        if connection is not None:
            connection.close()

    def rows(self, kind: str) -> Sequence[str]:
        """Return the names of all records of a kind; of a damaged table those that can be read."""
        table = _OF[kind]
        try:
            found = [str(name) for (name,) in self._connection.execute(f"SELECT name FROM {table}")]
        except sqlite3.Error:
            found = [name for name, _ in self._salvaged(table)]
        return sorted(found, key=int) if kind == VISIT else sorted(found)

    def row(self, kind: str, name: str) -> bytes | None:
        """Return a record, None where there is none; raise ArchiveError where it cannot be read."""
        table = _OF[kind]
        try:
            found = self._connection.execute(f"SELECT record FROM {table} WHERE name = ?", (name,)).fetchone()
        except sqlite3.Error as error:
            record = dict(self._salvaged(table)).get(name)
            if record is None:
                raise ArchiveError(str(error), where=self.place(kind, name)) from error
            return record
        return None if found is None else _bytes(found[0])

    def place(self, kind: str, name: str) -> str:
        """Return where a record stands, for people."""
        return f"{self.path}: {kind} {name}"

    @contextmanager
    def writing(self) -> Iterator[DatabaseWrite]:
        """Return what writes, in one transaction."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield DatabaseWrite(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def around(self) -> Iterator[Damage]:
        """Yield what SQLite finds wrong with the file, and which of its files others than the owner may read."""
        paths = [Path(self.path + ending) for ending in ("", *BESIDE)]
        yield from open_to_others([path for path in paths if path.exists() and path.stat().st_mode & OTHERS])
        try:
            for (text,) in self._connection.execute(f"PRAGMA integrity_check({MOST_FOUND})"):
                if text != "ok":
                    yield Damage("database", self.path, None, " ".join(str(text).split()))
        except sqlite3.Error as error:
            yield Damage("database", self.path, None, str(error))

    def _find_or_make(self) -> None:
        path = Path(self.path)
        for ending in BESIDE:
            if Path(self.path + ending).is_symlink():
                raise ArchiveError(LINK, "take it away", where=self.path + ending)
        if not path.exists():
            if not self.writes:
                raise ArchiveError("there is no archive", "check the path", where=self.path)
            _make(path)
        if not path.is_file():
            raise ArchiveError("it is no file", "name a file", where=self.path)
        with path.open("rb") as file:
            begins = file.read(HEADER)
        if begins[: len(MAGIC)] != MAGIC or begins[-4:] != APPLICATION.to_bytes(4, "big"):
            raise ArchiveError("it is no archive of windowkeeper", "name another file", where=self.path)

    def _connected(self) -> sqlite3.Connection:
        """Return a connection to the file; what is read alone is never written to, and nothing made beside it."""
        mode = "rw" if self.writes else "ro" if _has_bytes(self.path + "-wal") else "ro&immutable=1"
        uri = f"file:{quote(str(Path(self.path).absolute()))}?mode={mode}"
        connection = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False)
        try:
            if self.writes:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
            connection.execute("SELECT count(*) FROM sqlite_schema")
        except BaseException:
            connection.close()
            raise
        return connection

    def _salvaged(self, table: str) -> Iterator[tuple[str, bytes]]:
        """Yield what can be read of a damaged table, from its beginning and from its end up to the damage."""
        seen = set()
        for order in ("ASC", "DESC"):
            command = f"SELECT rowid, name, record FROM {table} NOT INDEXED ORDER BY rowid {order}"
            try:
                for rowid, name, record in self._connection.execute(command):
                    if rowid not in seen:
                        seen.add(rowid)
                        yield str(name), _bytes(record)
            except sqlite3.Error:
                continue

    def _failed(self, error: sqlite3.Error) -> ArchiveError:
        return ArchiveError(str(error), "what was saved before stands; check the file and the disk", where=self.path)


class DatabaseWrite:
    """One save into a database, in its transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, kind: str, records: Iterable[tuple[str, bytes]]) -> None:
        """Write items or lists under their names; one that is there is replaced."""
        self._connection.executemany(f"INSERT OR REPLACE INTO {_OF[kind]} (name, record) VALUES (?, ?)", records)

    def add(self, visits: Sequence[bytes]) -> None:
        """Add visits in the order given."""
        self._connection.executemany("INSERT INTO visits (record) VALUES (?)", ((record,) for record in visits))

    def drop(self, visits: Sequence[str]) -> None:
        """Forget visits."""
        self._connection.executemany("DELETE FROM visits WHERE name = ?", ((name,) for name in visits))


def _make(path: Path) -> None:
    """Put an archive without records at `path`, whole; one that another process put there first stands."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for command in (*TABLES, f"PRAGMA application_id = {APPLICATION}"):
            empty.execute(command)
        empty.commit()
        body = empty.serialize()
    beside = path.with_name(f".{path.name[:80]}.{os.getpid()}.part")
    beside.unlink(missing_ok=True)
    make_files([(beside, body)])
    try:
        path.hardlink_to(beside)
    except FileExistsError:
        pass
    except OSError:
        # Not every file system has hard links.
        beside.rename(path)
    finally:
        beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def _bytes(value: object) -> bytes:
    """Return a cell's bytes; what is no blob, in a file that somebody changed, is none of ours."""
    return value if isinstance(value, bytes) else b""


def _has_bytes(path: str) -> bool:
    return Path(path).exists() and Path(path).stat().st_size > 0
