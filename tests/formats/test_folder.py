"""The session logs of a folder, after `spec/2` (Naming a transcript) and `spec/10` (symlinks). Values by hand."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import LogFile, text
from windowkeeper_cli.formats.folder import Folder, agent_id, log_paths, session_files
from windowkeeper_cli.formats.outline import END, glance, keys_of
from windowkeeper_cli.model.errors import InputError


def write(folder: Path, name: str, log: LogFile) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(log.encoded())
    return path


def talk(session: str, calls: int = 2, *, uuids: str = "u", side: bool = False) -> LogFile:
    """Return a session of some calls; the replies' ids are `m1`, `m2`, ... of the same session's first user line."""
    log = LogFile(session)
    more: dict[str, Any] = {"isSidechain": True, "agentId": "a"} if side else {}
    log.user("go", uuid=f"{uuids}0", timestamp="2026-01-01T00:00:00.000Z", **more)
    for number in range(1, calls + 1):
        time = f"2026-01-01T00:{number:02}:00.000Z"
        log.reply(f"{uuids[0]}m{number}", text("x"), uuid=f"{uuids}{number}", timestamp=time, **more)
    return log


def shape(folder: Folder) -> dict[str, tuple[tuple[str, ...], str | None]]:
    """Return each session's path below the folder, with its subagents' files and what it is a copy of."""

    def below(path: str) -> str:
        return Path(path).relative_to(folder.path).as_posix()

    return {
        below(file.path): (tuple(below(path) for path in file.agents), file.copy_of and below(file.copy_of))
        for file in folder.sessions
    }


def test_sessions_at_any_depth_with_their_subagents(tmp_path: Path) -> None:
    write(tmp_path, "p1/aaaa.jsonl", talk("aaaa", uuids="a"))
    write(tmp_path, "p1/aaaa/subagents/agent-1.jsonl", talk("aaaa", uuids="b", side=True))
    write(tmp_path, "p1/aaaa/subagents/agent-2.jsonl", talk("other", uuids="c", side=True))
    write(tmp_path, "p1/aaaa/tool-results/x.json", talk("zzzz", uuids="d"))
    write(tmp_path, "p2/deep/bbbb.jsonl", talk("bbbb", uuids="e"))
    write(tmp_path, "p2/deep/agent-9.jsonl", talk("bbbb", uuids="f", side=True))
    write(tmp_path, "p2/deep/helper.jsonl", talk("bbbb", uuids="g", side=True))
    write(tmp_path, ".hidden/cccc.jsonl", talk("cccc", uuids="h"))
    (tmp_path / "notes.txt").write_text("x")
    found = session_files(str(tmp_path))
    assert shape(found) == {
        "p1/aaaa.jsonl": (("p1/aaaa/subagents/agent-1.jsonl", "p1/aaaa/subagents/agent-2.jsonl"), None),
        "p2/deep/bbbb.jsonl": (("p2/deep/agent-9.jsonl", "p2/deep/helper.jsonl"), None),
    }
    assert found.skipped == () and [Path(path).name for path in found.others] == ["notes.txt"]
    assert [Path(path).name for path in log_paths(str(tmp_path))] == ["aaaa.jsonl", "bbbb.jsonl", "helper.jsonl"]


def test_a_subagent_without_its_session_is_named_and_a_log_of_one_alone_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "agent-1.jsonl", talk("gone", uuids="a", side=True))
    write(tmp_path, "only-side.jsonl", talk("gone", uuids="b", side=True))
    found = session_files(str(tmp_path))
    assert list(shape(found)) == ["only-side.jsonl"]
    assert [(Path(one.path).name, one.why) for one in found.skipped] == [
        ("agent-1.jsonl", "a subagent's log, and its session is not in the folder")
    ]


def test_a_resumed_copy_is_not_a_session_of_its_own(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", talk("s1", 2))
    write(tmp_path, "b.jsonl", talk("s2", 3))
    write(tmp_path, "c.jsonl", talk("s3", 4))
    write(tmp_path, "other.jsonl", talk("s4", 2, uuids="o"))
    assert shape(session_files(str(tmp_path))) == {
        "a.jsonl": ((), "c.jsonl"),
        "b.jsonl": ((), "c.jsonl"),
        "c.jsonl": ((), None),
        "other.jsonl": ((), None),
    }


def test_one_record_more_makes_a_session(tmp_path: Path) -> None:
    branched = talk("s1", 2)
    branched.reply("zz", text("its own"))
    write(tmp_path, "a.jsonl", branched)
    write(tmp_path, "b.jsonl", talk("s2", 4))
    assert [copy for _, copy in shape(session_files(str(tmp_path))).values()] == [None, None]


def test_one_line_more_of_the_same_reply_makes_a_session(tmp_path: Path) -> None:
    longer = talk("s1", 2)
    longer.reply("um2", text("second block"))
    write(tmp_path, "a.jsonl", longer)
    write(tmp_path, "b.jsonl", talk("s1", 2))
    assert shape(session_files(str(tmp_path))) == {"a.jsonl": ((), None), "b.jsonl": ((), "a.jsonl")}


def test_replies_are_known_by_their_id_under_new_uuids(tmp_path: Path) -> None:
    first, second = talk("s1", 2), talk("s2", 3)
    for number, line in enumerate(second.lines[1:]):
        line["uuid"] = f"new{number}"
    write(tmp_path, "a.jsonl", first)
    write(tmp_path, "b.jsonl", second)
    assert shape(session_files(str(tmp_path)))["a.jsonl"] == ((), "b.jsonl")


def test_of_two_equal_logs_one_stands(tmp_path: Path) -> None:
    write(tmp_path, "x/a.jsonl", talk("s1"))
    write(tmp_path, "y/a.jsonl", talk("s1"))
    assert shape(session_files(str(tmp_path))) == {"x/a.jsonl": ((), "y/a.jsonl"), "y/a.jsonl": ((), None)}


def test_links_are_followed_only_inside_the_folder(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    write(inside, "a.jsonl", talk("s1", uuids="a"))
    write(inside, "kept/store.txt", talk("s2", uuids="b"))
    secret = write(outside, "c.jsonl", talk("s3", uuids="c"))
    (inside / "twice.jsonl").symlink_to(inside / "a.jsonl")
    (inside / "named.jsonl").symlink_to(inside / "kept/store.txt")
    (inside / "away.jsonl").symlink_to(secret)
    (inside / "folder").symlink_to(outside)
    (inside / "round").symlink_to(inside)
    (inside / "gone.jsonl").symlink_to(inside / "nothing")
    (inside / "circle.jsonl").symlink_to(inside / "circle.jsonl")
    found = session_files(str(inside))
    assert list(shape(found)) == ["a.jsonl", "named.jsonl"]
    assert [(Path(one.path).name, one.why) for one in found.skipped] == [
        ("away.jsonl", "a link that leads out of the folder"),
        ("circle.jsonl", "a link that leads to no file"),
        ("gone.jsonl", "a link that leads to no file"),
    ]


def test_a_packed_log_is_known_as_a_copy_and_by_its_times(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", talk("s1", 2, uuids="a"))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(talk("s1", 3, uuids="a").encoded()))
    (tmp_path / "torn.jsonl.gz").write_bytes(gzip.compress(b"x" * 4_000)[:20])
    found = session_files(str(tmp_path))
    assert shape(found) == {"a.jsonl": ((), "a.jsonl.gz"), "a.jsonl.gz": ((), None), "torn.jsonl.gz": ((), None)}
    seen = found.sessions[1].glance
    assert seen is not None and (seen.session, seen.last) == ("s1", "2026-01-01T00:03:00.000Z")


def test_the_tail_of_a_long_packed_log_is_looked_at(tmp_path: Path) -> None:
    log = talk("s1", 59)
    plain = write(tmp_path, "plain.jsonl", log)
    assert plain.stat().st_size > END
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(log.encoded()))
    assert glance(str(tmp_path / "packed.jsonl.gz")) == glance(str(plain))


def test_a_folder_that_is_itself_a_link_is_taken(tmp_path: Path) -> None:
    write(tmp_path, "real/a.jsonl", talk("s1"))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert list(shape(session_files(str(tmp_path / "link")))) == ["a.jsonl"]


@pytest.mark.parametrize(
    ("name", "ident"),
    [
        ("agent-a1.jsonl", "a1"),
        ("x/agent-a1.jsonl.gz", "a1"),
        ("subagents/b2.jsonl", "b2"),
        ("rollout-7.jsonl.zst", "rollout-7"),
    ],
)
def test_the_id_of_a_subagent_is_in_its_files_name(name: str, ident: str) -> None:
    assert agent_id(name) == ident


def test_a_subagents_log_without_its_session_is_a_stray(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", talk("s1"))
    stray = write(tmp_path, "agent-1.jsonl", talk("gone", uuids="b", side=True))
    found = session_files(str(tmp_path))
    assert (found.strays, [one.path for one in found.skipped]) == ((str(stray),), [str(stray)])


def test_damaged_and_foreign_files_stay_in_the_list_without_a_glance(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", talk("s1"))
    (tmp_path / "broken.jsonl").write_bytes(b'{"type":"user"')
    (tmp_path / "foreign.json").write_text('{"a": 1}')
    (tmp_path / "empty.jsonl").write_bytes(b"")
    found = {Path(file.path).name: file.glance for file in session_files(str(tmp_path)).sessions}
    assert [name for name, seen in found.items() if seen is None] == ["broken.jsonl", "empty.jsonl", "foreign.json"]


@pytest.mark.parametrize("name", ["missing", "empty", "words", "a file", "a\0b"])
def test_a_missing_or_empty_folder_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "x.txt").write_text("x")
    (tmp_path / "a file").write_text("x")
    with pytest.raises(InputError) as caught:
        session_files(str(tmp_path / name))
    assert name in str(caught.value) and caught.value.exit_code == 2


def test_many_cuts_of_one_session_are_each_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: str) -> list[str]:
        read.append(path)
        return keys_of(path)

    monkeypatch.setattr("windowkeeper_cli.formats.copies.keys_of", noted)
    for calls in range(1, 31):
        write(tmp_path, f"{calls:02}.jsonl", talk("s", calls))
    for number in range(5):
        write(tmp_path, f"own{number}.jsonl", talk("t", uuids=f"{number}"))
    found = shape(session_files(str(tmp_path)))
    assert {copy for name, (_, copy) in found.items() if name < "30"} == {"30.jsonl"}
    assert [name for name, (_, copy) in found.items() if copy is None] == [
        "30.jsonl", *(f"own{number}.jsonl" for number in range(5))
    ]  # fmt: skip
    assert sorted(Path(path).name for path in read) == [f"{calls:02}.jsonl" for calls in range(1, 31)]
