"""Archives on disk: what a save wrote comes back from a new opening, and nothing else did (spec/4, "Archive").

Parametrized on the registry: a new kind of archive is held to all of this the moment it is registered.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.generated import by_seed, loaded
from tests.replay.test_keeping import LIMIT, grown, long_session, seen
from tests.sessions import asks, calls, gives, round_of, session
from windowkeeper_cli.archive import MemoryArchive
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.archive.opening import ARCHIVES, open_archive
from windowkeeper_cli.model.block import Other, Text
from windowkeeper_cli.model.errors import ArchiveError, UsageError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.keeping import keep
from windowkeeper_cli.tokens.chars import count

NAMES = {"file": "archive", "sqlite": "archive.sqlite"}
AWKWARD = session(asks("a\r\n\x00 \udc00\ud800 \u2028"), asks("b"), asks("b"), calls(1), gives(1, ""))


@pytest.fixture(params=ARCHIVES.names)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where an archive of each kind can be made."""
    return str(tmp_path / NAMES[request.param])


def filled(path: str, transcript: Transcript, *lists: tuple[str, list[str]]) -> None:
    with open_archive(path, writes=True) as archive:
        for item in transcript.items:
            archive.put(item, transcript.source)
        for list_id, ids in lists:
            archive.extend_list(list_id, ids)
        archive.save()


def files_of(path: str) -> list[Path]:
    """Return every file and folder that an archive is made of."""
    found = Path(path)
    return [found, *found.rglob("*")] if found.is_dir() else sorted(found.parent.glob(f"{found.name}*"))


def test_a_path_is_opened_as_what_it_is(path: str) -> None:
    filled(path, loaded(AWKWARD))
    with open_archive(path, writes=False) as archive:
        kind = type(archive).__name__
    assert kind == {"archive": "FileArchive", "archive.sqlite": "SqliteArchive"}[Path(path).name]


def test_items_come_back_from_a_new_opening_as_they_went_in(path: str) -> None:
    transcript = loaded(AWKWARD)
    filled(path, transcript)
    with open_archive(path, writes=False) as archive:
        first = transcript.items[0]
        assert archive.blocks(first.id) == (Text("a\r\n\x00 \udc00\ud800 \u2028"),)
        assert archive.item(first.id) == first
        assert archive.ids() == tuple(sorted({item.id for item in transcript.items}))
        assert archive.holds(first.id) and not archive.holds("ffffffffffff")
        assert archive.item("ffffffffffff") is None and archive.blocks("ffffffffffff") is None
        assert list(archive.verify()) == []


@pytest.mark.parametrize("seed", range(12))
def test_every_shape_of_item_comes_back(path: str, seed: int) -> None:
    transcript = by_seed(seed).transcript
    filled(path, transcript)
    with open_archive(path, writes=False) as archive:
        assert list(archive.verify()) == []
        for item in transcript.items:
            assert archive.blocks(item.id) == transcript.blocks(item.at)
            found = archive.item(item.id)
            assert found is not None and found._replace(at=item.at) is not None


def test_a_block_kept_verbatim_keeps_its_very_text(path: str) -> None:
    raw = '{"type":"odd","n":1.0e+2,"k":"\\u0041","k":2,"size":123456789012345678901234567890}'
    body = '{"format":"windowkeeper/1","messages":[{"role":"user","content":[' + raw + "]}]}"
    from windowkeeper_cli.formats import loads

    transcript = loads(body.encode(), "made.json", from_="windowkeeper")
    (block,) = transcript.blocks(0)
    assert isinstance(block, Other)
    filled(path, transcript)
    with open_archive(path, writes=False) as archive:
        assert archive.blocks(transcript.items[0].id) == (block,)


def test_what_was_not_saved_is_gone_and_the_rest_stands(path: str) -> None:
    transcript = loaded(AWKWARD)
    filled(path, transcript, ("0123456789ab", ["aaaaaaaaaaaa"]))
    other = loaded(session(asks("later")))
    with open_archive(path, writes=True) as archive:
        archive.put(other.items[0], other.source)
        archive.extend_list("0123456789ab", ["bbbbbbbbbbbb"])
        assert archive.holds(other.items[0].id)
        assert archive.list("0123456789ab") == ("aaaaaaaaaaaa", "bbbbbbbbbbbb")
    with open_archive(path, writes=False) as archive:
        assert not archive.holds(other.items[0].id)
        assert archive.list("0123456789ab") == ("aaaaaaaaaaaa",)
        assert archive.holds(transcript.items[0].id)


def test_lists_grow_in_the_order_of_leaving_each_id_once(path: str) -> None:
    filled(path, loaded(AWKWARD), ("0123456789ab", ["2", "1"]))
    filled(path, loaded(AWKWARD), ("0123456789ab", ["1", "3", "2"]), ("def", ["x"]))
    with open_archive(path, writes=False) as archive:
        assert archive.list("0123456789ab") == ("2", "1", "3")
        assert archive.list("def") == ("x",)
        assert archive.lists() == ("0123456789ab", "def")
        assert archive.list("fff") is None


@pytest.mark.parametrize("reopened", [False, True])
def test_keep_with_it_is_keep_in_memory(path: str, reopened: bool) -> None:
    # The windows, the ledger, the lists and the plan of every call, the archive opened anew for each or held open.
    memory = MemoryArchive()
    steps = [long_session(rounds) for rounds in (1, 4, 9, 9, 14)]
    held = open_archive(path, writes=True)
    for transcript in steps:
        if reopened:
            held.close()
            held = open_archive(path, writes=True)
        one, two = (keep(transcript, LIMIT, archive=each, counter="chars:1") for each in (memory, held))
        assert (seen(one.window), [*map(dict, one.ledger)]) == (seen(two.window), [*map(dict, two.ledger)])
    held.close()
    with open_archive(path, writes=False) as archive:
        assert archive.plan == memory.plan and len(archive.plan) == 4
        assert {name: archive.list(name) for name in archive.lists()} == {n: memory.list(n) for n in memory.lists()}
        assert archive.lists() and list(archive.verify()) == []


@pytest.mark.parametrize("seed", range(4))
def test_keep_of_awkward_sessions_is_keep_in_memory(path: str, seed: int) -> None:
    case, memory = by_seed(seed), MemoryArchive()
    document = {key: value for key, value in case.document.items() if key not in ("paused", "request")}
    with open_archive(path, writes=True) as archive:
        for transcript in grown(document):
            counted = count(transcript, "4").counter
            one, two = (keep(transcript, case.settings, archive=a, counter=counted) for a in (memory, archive))
            assert seen(one.window) == seen(two.window)
        assert archive.plan == memory.plan


def test_a_visit_of_items_that_are_no_more_is_forgotten_and_nothing_else(path: str) -> None:
    memory, steps = MemoryArchive(), (long_session(4), long_session(9), long_session(4, tail=1))
    for transcript in steps:
        with open_archive(path, writes=True) as archive:
            for each in (memory, archive):
                keep(transcript, LIMIT, archive=each, counter="chars:1")
    with open_archive(path, writes=False) as archive:
        assert archive.plan == memory.plan and len(archive.plan) == 2
        # What left at the visit that is forgotten did leave: its list and its items stay.
        assert [archive.list(name) for name in archive.lists()] == [memory.list(name) for name in memory.lists()]
        assert set(archive.ids()) == set(memory.ids()) and list(archive.verify()) == []


def test_two_sessions_in_one_archive_lose_nothing_of_each_other(path: str) -> None:
    one, two = long_session(14), loaded(session(asks("Other"), *(m for n in range(9) for m in round_of(n, 400))))
    lists: dict[str, tuple[str, ...] | None] = {}
    for transcript in (one, two, one, two):
        memory = MemoryArchive()
        keep(transcript, LIMIT, archive=memory, counter="chars:1")
        lists |= {name: memory.list(name) for name in memory.lists()}
        with open_archive(path, writes=True) as archive:
            keep(transcript, LIMIT, archive=archive, counter="chars:1")
            assert archive.plan == memory.plan
    with open_archive(path, writes=False) as archive:
        assert len(lists) == 2 and {name: archive.list(name) for name in archive.lists()} == lists
        assert {item.id for each in (one, two) for item in each.items} == set(archive.ids())


HOSTILE = (
    "../../etc/passwd", "/etc/passwd", "..", ".", "", "a" * 12 + "/x", "ABCDEF012345", "0123456789a\n",
    "0123456789ab\x00",
    "..%2f..%2fetc", "0123456789abc", "٠١٢٣٤٥٦٧٨٩٠١", "CON", "items", "' OR 1=1 --", "0123456789ab' --",
)  # fmt: skip


@pytest.mark.parametrize("wanted", HOSTILE)
def test_only_an_id_is_ever_looked_for_or_written(path: str, wanted: str, tmp_path: Path) -> None:
    transcript = loaded(AWKWARD)
    filled(path, transcript)
    item = transcript.items[0]._replace(id=wanted)
    with open_archive(path, writes=True) as archive:
        assert archive.item(wanted) is None and archive.blocks(wanted) is None and archive.list(wanted) is None
        assert not archive.holds(wanted)
        with pytest.raises(UsageError, match="no item's id"):
            archive.put(item, transcript.source)
        # The id of a list is a strategy's to choose: it comes back, and no file is called so.
        archive.extend_list(wanted, [wanted])
        archive.save()
    with open_archive(path, writes=False) as archive:
        assert archive.list(wanted) == (wanted,) and archive.lists() == (wanted,)
    assert [entry.name for entry in tmp_path.iterdir()] == [Path(path).name]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
@pytest.mark.parametrize("umask", [0o000, 0o777, 0o022])
def test_the_owner_alone_may_read_it_whatever_the_umask(path: str, umask: int) -> None:
    before = os.umask(umask)
    try:
        with open_archive(path, writes=True) as archive:
            transcript = loaded(AWKWARD)
            for item in transcript.items:
                archive.put(item, transcript.source)
            archive.extend_list("0123456789ab", ["1"])
            keep(transcript, LIMIT, archive=archive, counter="chars:1")
            made = files_of(path)
            modes = {stat.S_IMODE(each.stat().st_mode) for each in made if each.is_file()}
            folders = {stat.S_IMODE(each.stat().st_mode) for each in made if each.is_dir()}
    finally:
        os.umask(before)
    assert modes == {0o600} and folders <= {0o700} and len(made) > 2


def test_an_archive_that_is_read_is_not_changed(path: str) -> None:
    transcript = loaded(AWKWARD)
    filled(path, transcript, ("0123456789ab", [transcript.items[0].id]))
    before = [(each, each.stat().st_mtime_ns, each.is_file() and each.read_bytes()) for each in files_of(path)]
    with open_archive(path, writes=False) as archive:
        assert archive.blocks(transcript.items[0].id) and archive.lists()
        assert list(archive.verify()) == []
        with pytest.raises(ArchiveError, match="read alone"):
            archive.save()
    assert [(each, each.stat().st_mtime_ns, each.is_file() and each.read_bytes()) for each in files_of(path)] == before


def test_many_processes_may_make_one_archive_at_the_same_moment(path: str) -> None:
    import subprocess
    import sys
    import time

    code = (
        "import sys, time; from windowkeeper_cli.archive.opening import open_archive\n"
        "import windowkeeper_cli.archive.file, windowkeeper_cli.archive.sqlite\n"
        "while time.time() < float(sys.argv[2]): pass\n"
        "with open_archive(sys.argv[1], writes=True) as archive:\n"
        "    archive.extend_list('0123456789ab', [sys.argv[3]]); archive.save()"
    )
    moment = str(time.time() + 2)
    words = [sys.executable, "-c", code, path, moment]
    children = [subprocess.Popen([*words, str(n)], stderr=subprocess.PIPE) for n in range(4)]
    assert [(child.communicate()[1], child.returncode) for child in children] == [(b"", 0)] * 4
    with open_archive(path, writes=False) as archive:
        assert sorted(archive.list("0123456789ab") or ()) == ["0", "1", "2", "3"] and archive.damage == ()


@pytest.mark.parametrize("begun", [[], ["lock"], ["lock", "windowkeeper-archive"]])
def test_an_archive_that_a_kill_left_just_begun_is_made_whole(tmp_path: Path, begun: list[str]) -> None:
    folder = tmp_path / "archive"
    folder.mkdir()
    for name in begun:
        (folder / name).touch()
    with pytest.raises(ArchiveError, match="there is no archive, or none yet"):
        open_archive(str(folder), writes=False)
    filled(str(folder), loaded(AWKWARD))
    with open_archive(str(folder), writes=False) as archive:
        assert not any(one.is_fault for one in archive.verify()) and len(archive.ids()) == 4


def test_nothing_is_made_where_an_archive_is_to_be_read(path: str, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="there is no archive"):
        open_archive(path, writes=False)
    assert list(tmp_path.iterdir()) == []


def test_what_is_something_else_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    (tmp_path / "notes.db").write_text("no database")
    (tmp_path / "empty.db").touch()
    import sqlite3

    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE mine (x)")
    other.commit()
    other.close()
    for name in ("mine", "notes.db", "empty.db", "other.db"):
        before = [(each, each.is_file() and each.read_bytes()) for each in files_of(str(tmp_path / name))]
        for writes in (True, False):
            with pytest.raises(ArchiveError, match="no archive of windowkeeper"):
                open_archive(str(tmp_path / name), writes=writes)
        assert [(each, each.is_file() and each.read_bytes()) for each in files_of(str(tmp_path / name))] == before


def test_no_database_is_loaded_for_a_folder(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys, windowkeeper_cli; from windowkeeper_cli import FileArchive\n"
        "from windowkeeper_cli.archive.opening import open_archive\n"
        "open_archive(sys.argv[1], writes=True).save()\n"
        "assert 'sqlite3' not in sys.modules\n"
        "from windowkeeper_cli import SqliteArchive\n"
        "assert 'sqlite3' in sys.modules and FileArchive.__name__ == 'FileArchive' and SqliteArchive"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=True)


def reading(archive: Lasting) -> dict[str, Any]:
    """Return all that can be had of an archive; what is damaged is its error's text."""
    found: dict[str, Any] = {}
    for item_id in archive.ids():
        try:
            found[item_id] = archive.blocks(item_id)
        except ArchiveError as error:
            found[item_id] = error
    return found
