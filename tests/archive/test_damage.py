"""A damaged archive: each damage is named, all else is served, and what is at hand again heals it (spec/4; spec/10)."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.archive.test_lasting import NAMES, filled, reading
from tests.generated import loaded
from tests.replay.test_keeping import LIMIT, long_session
from tests.sessions import asks, session
from windowkeeper_cli.archive import MemoryArchive
from windowkeeper_cli.archive.damage import KINDS
from windowkeeper_cli.archive.file import FileArchive
from windowkeeper_cli.archive.opening import ARCHIVES, open_archive
from windowkeeper_cli.archive.sqlite import SqliteArchive
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.replay.keeping import keep

TRANSCRIPT = loaded(session(*(asks(f"message {number} " + "x" * number * 40) for number in range(30))))
IDS = tuple(sorted(item.id for item in TRANSCRIPT.items))
FIRST = IDS[0]
LISTED = "0123456789ab"


def made(folder: Path) -> Path:
    """Return an archive of a folder with thirty items and a list of three."""
    path = folder / "archive"
    filled(str(path), TRANSCRIPT, (LISTED, list(IDS[:3])))
    return path


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[len(body) // 2] ^= 0x20
    path.write_bytes(bytes(body))


def swapped(path: Path) -> None:
    path.write_bytes((path.parent / IDS[5]).read_bytes())


def linked(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / IDS[5])


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.skipif(os.name == "nt", reason="files of POSIX")
@pytest.mark.parametrize("harm", [cut, emptied, flipped, swapped, linked, a_folder, a_pipe])
def test_one_damaged_item_is_named_and_the_rest_is_served(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = made(tmp_path)
    harm(path / "items" / FIRST)
    archive = FileArchive(path, writes=False)
    (damage,) = (one for one in archive.verify() if one.is_fault)
    assert (damage.kind, damage.where, damage.id) == ("item", str(path / "items" / FIRST), FIRST)
    found = reading(archive)
    assert isinstance(found.pop(FIRST), ArchiveError)
    assert found == {item.id: TRANSCRIPT.blocks(item.at) for item in TRANSCRIPT.items if item.id != FIRST}
    assert not archive.holds(FIRST) and archive.list(LISTED) == IDS[:3]


@pytest.mark.parametrize("harm", [cut, emptied, flipped, swapped])
def test_an_item_at_hand_is_written_anew_over_its_damage(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = made(tmp_path)
    harm(path / "items" / FIRST)
    filled(str(path), TRANSCRIPT)
    assert list(FileArchive(path, writes=False).verify()) == []


def test_an_item_that_is_gone_is_missed_by_its_list(tmp_path: Path) -> None:
    path = made(tmp_path)
    (path / "items" / FIRST).unlink()
    archive = FileArchive(path, writes=False)
    (damage,) = archive.verify()
    assert (damage.kind, damage.id) == ("missing", FIRST)
    assert archive.item(FIRST) is None and len(archive.ids()) == 29


@pytest.mark.parametrize("harm", [cut, emptied, flipped, Path.unlink])
def test_a_damaged_list_is_named_and_the_items_are_served(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = made(tmp_path)
    filled(str(path), TRANSCRIPT, ("ffffffffffff", ["1"]))
    (path / "items" / "000000000001").unlink(missing_ok=True)
    harm(path / "lists" / LISTED)
    archive = FileArchive(path, writes=False)
    kinds = {damage.kind for damage in archive.verify() if damage.id != "1"}
    assert kinds <= {"list", "missing"} and kinds
    with pytest.raises(ArchiveError, match=LISTED):
        archive.list(LISTED)
    assert archive.list("ffffffffffff") == ("1",) and len(reading(archive)) == 30


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_damaged_visit_ends_the_plan_and_nothing_else(tmp_path: Path, which: int) -> None:
    path, memory = tmp_path / "archive", MemoryArchive()
    for rounds in (4, 9, 14):
        for archive in (memory, FileArchive(path)):
            keep(long_session(rounds), LIMIT, archive=archive, counter="chars:1")
    flipped(sorted((path / "visits").iterdir())[which])
    archive = FileArchive(path)
    assert [(one.kind, one.id) for one in archive.damage] == [("visit", None)]
    assert [one.kind for one in archive.verify()] == ["visit"]
    assert archive.plan == memory.plan[:which]
    assert [archive.list(name) for name in archive.lists()] == [memory.list(name) for name in memory.lists()]
    # The next visit makes again what the damage took, and then nothing is wrong.
    keep(long_session(14), LIMIT, archive=archive, counter="chars:1")
    assert list(FileArchive(path, writes=False).verify()) == []


def test_a_visit_without_its_file_never_happened(tmp_path: Path) -> None:
    # As a kill between the lists and the visit leaves it: items and lists are written, the visit is not.
    path = tmp_path / "archive"
    keep(long_session(4), LIMIT, archive=FileArchive(path), counter="chars:1")
    before = FileArchive(path)
    was = {name: before.list(name) for name in before.lists()}
    keep(long_session(9), LIMIT, archive=FileArchive(path), counter="chars:1")
    max((path / "visits").iterdir()).unlink()
    after = FileArchive(path)
    assert {name: after.list(name) for name in after.lists()} == was
    assert len(after.plan) == 1 and list(after.verify()) == []


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("name", ["items", "lists", "visits", "new"])
def test_a_linked_folder_is_neither_read_nor_written(tmp_path: Path, name: str) -> None:
    path, elsewhere = made(tmp_path), tmp_path / "elsewhere"
    (path / name).rename(elsewhere)
    (path / name).symlink_to(elsewhere)
    before = sorted(each.name for each in elsewhere.iterdir())
    archive = FileArchive(path)
    assert ("link", str(path / name)) in [(one.kind, one.where) for one in archive.damage]
    assert ("link", str(path / name)) in [(one.kind, one.where) for one in archive.verify()]
    other = loaded(session(asks("later")))
    archive.put(other.items[0], other.source)
    with pytest.raises(ArchiveError, match="symbolic link"):
        archive.save()
    assert sorted(each.name for each in elsewhere.iterdir()) == before
    if name != "items":
        assert len(reading(archive)) == 31


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_file_is_never_written_through_a_link(tmp_path: Path) -> None:
    path, secret = made(tmp_path), tmp_path / "secret"
    secret.write_text("mine")
    (path / "items" / FIRST).unlink()
    (path / "items" / FIRST).symlink_to(secret)
    filled(str(path), TRANSCRIPT)
    assert secret.read_text() == "mine" and not (path / "items" / FIRST).is_symlink()
    assert list(FileArchive(path, writes=False).verify()) == []
    for name in ("lock", "windowkeeper-archive"):
        (path / name).unlink()
        (path / name).symlink_to(secret)
        with pytest.raises(ArchiveError):
            filled(str(path), loaded(session(asks(f"after {name}"))))
        assert secret.read_text() == "mine"
        (path / name).unlink()


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
@pytest.mark.parametrize("beside", ["-wal", "-shm", "-journal"])
def test_a_database_is_not_opened_over_a_link_beside_it(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "archive.sqlite"
    filled(str(path), TRANSCRIPT)
    (tmp_path / "secret").write_text("mine")
    Path(f"{path}{beside}").symlink_to(tmp_path / "secret")
    for writes in (True, False):
        with pytest.raises(ArchiveError, match="symbolic link"):
            open_archive(str(path), writes=writes)
    assert (tmp_path / "secret").read_text() == "mine"


def test_strays_and_open_files_are_named_and_are_no_fault(tmp_path: Path) -> None:
    path = made(tmp_path)
    (path / "items" / "notes.txt").write_text("x")
    (path / "visits" / "0").write_text("x")
    (path / "thesis.txt").write_text("x")
    (path / "items" / FIRST).chmod(0o644)
    found = list(FileArchive(path, writes=False).verify())
    assert sorted(one.kind for one in found) == ["open", "stray", "stray", "stray"]
    assert not any(one.is_fault for one in found)


@pytest.mark.parametrize("text", [None, "windowkeeper-archive/9\n", ""])
def test_a_lost_or_foreign_mark_is_named_and_all_is_served(tmp_path: Path, text: str | None) -> None:
    path = made(tmp_path)
    (path / "windowkeeper-archive").unlink()
    if text is not None:
        (path / "windowkeeper-archive").write_text(text)
        (path / "windowkeeper-archive").chmod(0o600)
    archive = FileArchive(path, writes=False)
    assert [one.kind for one in archive.damage] == [one.kind for one in archive.verify()] == ["marker"]
    assert len(reading(archive)) == 30


def test_leftovers_of_a_killed_save_are_no_damage_and_go(tmp_path: Path) -> None:
    path = made(tmp_path)
    (path / "new" / FIRST).write_bytes(b"half")
    assert list(FileArchive(path, writes=False).verify()) == []
    filled(str(path), loaded(session(asks("later"))))
    assert list((path / "new").iterdir()) == []


def pages_of(path: Path) -> int:
    return path.stat().st_size // 4096


def test_damaged_pages_of_a_database_are_named_and_the_rest_is_served(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite"
    filled(str(path), TRANSCRIPT, (LISTED, list(IDS[:3])))
    whole = path.read_bytes()
    expected = {item.id: TRANSCRIPT.blocks(item.at) for item in TRANSCRIPT.items}
    served = 0
    for page in range(1, pages_of(path)):
        body = bytearray(whole)
        body[page * 4096 : page * 4096 + 4096] = b"\xa5" * 4096
        path.write_bytes(bytes(body))
        with SqliteArchive(path, writes=False) as archive:
            assert any(one.is_fault for one in archive.verify()), page
            found = reading(archive)
        assert all(value == expected[name] for name, value in found.items() if not isinstance(value, ArchiveError))
        served += sum(not isinstance(value, ArchiveError) for value in found.values())
    # Half of all that was asked for, or more: one page holds several items, and the tables' roots hold all.
    assert served > (pages_of(path) - 1) * 30 // 2


@pytest.mark.parametrize("length", [0, 10, 100, 4096, 9000])
def test_a_cut_database_is_an_error_or_served_never_a_crash(tmp_path: Path, length: int) -> None:
    path = tmp_path / "archive.sqlite"
    filled(str(path), TRANSCRIPT, (LISTED, list(IDS[:3])))
    os.truncate(path, length)
    for writes in (False, True):
        try:
            with SqliteArchive(path, writes=writes) as archive:
                assert any(one.is_fault for one in archive.verify())
                reading(archive)
        except ArchiveError as error:
            assert "archive.sqlite" in str(error)


@pytest.mark.parametrize("value", [b"", b"half", "text", 7, None])
def test_a_changed_row_is_named_and_the_rest_is_served(tmp_path: Path, value: object) -> None:
    path = tmp_path / "archive.sqlite"
    filled(str(path), TRANSCRIPT, (LISTED, list(IDS[:3])))
    connection = sqlite3.connect(path)
    if value is None:
        connection.execute("DELETE FROM items WHERE name = ?", (FIRST,))
    else:
        connection.execute("UPDATE items SET record = ? WHERE name = ?", (value, FIRST))
    connection.commit()
    connection.close()
    with SqliteArchive(path, writes=False) as archive:
        assert {one.id for one in archive.verify()} == {FIRST}
        found = reading(archive)
    assert sum(not isinstance(each, ArchiveError) for each in found.values()) == 29
    filled(str(path), TRANSCRIPT)
    with SqliteArchive(path, writes=False) as archive:
        assert list(archive.verify()) == []


def test_every_kind_of_damage_is_explained() -> None:
    assert len(dict(KINDS)) == len(KINDS) and all(text for _, text in KINDS)


@pytest.mark.parametrize("name", ARCHIVES.names)
@pytest.mark.parametrize("after", [0, 1, 5, 30, 31])
def test_a_full_disk_is_an_error_and_what_was_saved_stands(
    tmp_path: Path, name: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder's disk is full after so many files; the database's after none, by SQLite's own bound."""
    path = str(tmp_path / NAMES[name])
    old = loaded(session(asks("old")))
    filled(path, old, (LISTED, [old.items[0].id]))
    size = {each: each.stat().st_size for each in tmp_path.rglob("*") if each.is_file()}
    real, left = os.fsync, [after]

    def full(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        archive = open_archive(path, writes=True)
        if isinstance(archive, SqliteArchive):
            store = archive._store
            store._connection.execute("PRAGMA max_page_count = 1")  # type: ignore[attr-defined]
        for item in TRANSCRIPT.items:
            archive.put(item, TRANSCRIPT.source)
        archive.extend_list(LISTED, [FIRST])
        with pytest.raises(ArchiveError, match=r"No space left|is full") as caught:
            archive.save()
        assert str(caught.value).count("\n") == 0 and "what was saved before stands" in str(caught.value)
        # It is still in memory, and the next save may have the room.
        assert archive.list(LISTED) == (old.items[0].id, FIRST) and len(archive.ids()) == 31
    with open_archive(path, writes=False) as other:
        assert other.list(LISTED) == (old.items[0].id,) and other.blocks(old.items[0].id) == old.blocks(0)
        assert list(other.verify()) == []
        assert not any(isinstance(each, ArchiveError) for each in reading(other).values())
    if isinstance(archive, SqliteArchive):
        archive._store._connection.execute("PRAGMA max_page_count = 100000")  # type: ignore[attr-defined]
    archive.save()
    archive.close()
    with open_archive(path, writes=False) as other:
        assert other.list(LISTED) == (old.items[0].id, FIRST) and len(other.ids()) == 31 and list(other.verify()) == []
    assert size and not list(tmp_path.glob("archive/new/*"))
