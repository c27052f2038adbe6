"""Which sessions a command's paths name, and which options speak of one alone (spec/2, spec/8). Values by hand."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import TRANSCRIPT, Cli
from tests.formats.logs import LogFile, call, text
from tests.report.made import fits
from windowkeeper_cli.report.replay import session_replay
from windowkeeper_cli.report.replay_worst import title_of
from windowkeeper_cli.tokens.chars import count

REDIS = "fixtures/redis-auth/transcript.json"
PAIR = ("-p", "none", "-p", "windowkeeper")
COMMANDS = {"replay": ("-p", "none"), "check": (), "diff": PAIR}
"""The commands that take folders and replay their sessions, with the policies that they need."""
LISTS = {"replay": "sessions", "check": "results", "diff": "sessions"}


def talk(session: str, calls: int = 2, *, agent: str | None = None, day: str = "01", cwd: str = "/p/shop") -> LogFile:
    """Return a log of so many calls, each with a tool call that is answered but the last; of a subagent where named."""
    log = LogFile(session)
    side: dict[str, Any] = {} if agent is None else {"isSidechain": True, "agentId": agent}
    mark = f"{session}{agent or ''}"
    for number in range(1, calls + 1):
        more = {**side, "timestamp": f"2026-01-{day}T10:{number:02}:00.000Z", "cwd": cwd}
        if number == 1:
            log.user("go", uuid=f"{mark}-0", **more)
        else:
            log.result(f"{mark}-c{number - 1}", "out " * 40, uuid=f"{mark}-r{number}", **more)
        body = text("done") if number == calls else call(f"{mark}-c{number}", "Read", file_path=f"/p/{number}.py")
        log.reply(f"{mark}-m{number}", body, uuid=f"{mark}-{number}", **more)
    return log


def write(path: Path, *logs: LogFile) -> Path:
    """Write the lines of logs into one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(log.encoded() for log in logs))
    return path


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Return a folder of sessions with subagents inside their files, beside them, and elsewhere."""
    folder = tmp_path / "logs"
    # The agent b1 is in the file and in one of its own, and is one.
    write(folder / "aaaa.jsonl", talk("aaaa", 3), talk("aaaa", 2, agent="b1"))
    write(folder / "aaaa/subagents/agent-b1.jsonl", talk("aaaa", 2, agent="b1"))
    write(folder / "aaaa/subagents/agent-b2.jsonl", talk("aaaa", 8, agent="b2", day="05"))
    write(folder / "bbbb.jsonl", talk("bbbb", 1))
    write(folder / "agent-b3.jsonl", talk("bbbb", 3, agent="b3"))
    # Its folder is not one that --agent looks in, so that its path names it.
    write(folder / "deep/agent-b4.jsonl", talk("bbbb", 2, agent="b4"))
    # Its session is not there.
    write(folder / "agent-b5.jsonl", talk("gone", 2, agent="b5"))
    return folder


SESSIONS = {("aaaa", None): 3, ("bbbb", None): 1}
SUBAGENTS = {("aaaa", "b1"): 2, ("aaaa", "b2"): 8, ("bbbb", "b3"): 3, ("bbbb", "b4"): 2, ("gone", "b5"): 2}
"""Calls by session and subagent."""


def document(cli: Cli, command: str, *words: str) -> dict[str, Any]:
    """Return the document that a command prints, after holding it to its schema."""
    done = cli(command, *words, *COMMANDS[command], "-q", "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    fits(found)
    return found


def named(command: str, found: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Return the sessions of a document, with their subagents."""
    return [(one["session"], one["agent"]) for one in found[LISTS[command]]]


@pytest.mark.parametrize("command", COMMANDS)
def test_subagents_are_sessions_of_their_own_where_asked_for(cli: Cli, logs: Path, command: str) -> None:
    assert named(command, document(cli, command, str(logs))) == list(SESSIONS)
    found = document(cli, command, str(logs), "--subagents")
    assert named(command, found) == [
        *(("aaaa", None), ("aaaa", "b1"), ("aaaa", "b2"), ("bbbb", None), ("bbbb", "b3"), ("bbbb", "b4")),
        ("gone", "b5"),
    ]
    page = cli(command, str(logs), "--subagents", *COMMANDS[command], "-q").text
    assert "5 of them subagents'" in page.split("\n")[0]
    assert "of them" not in cli(command, str(logs), *COMMANDS[command], "-q").text


def test_a_subagents_calls_are_its_own(cli: Cli, logs: Path) -> None:
    found = document(cli, "replay", str(logs), "--subagents")
    assert {(one["session"], one["agent"]): one["calls"] for one in found["sessions"]} == SESSIONS | SUBAGENTS
    assert found["rows"][0]["calls"] == sum((SESSIONS | SUBAGENTS).values())
    assert [Path(one["path"]).name for one in document(cli, "replay", str(logs))["skipped"]] == ["agent-b5.jsonl"]
    assert found["skipped"] == []


@pytest.mark.parametrize("command", ["replay", "diff"])
def test_the_commands_of_a_page_open_subagents(cli: Cli, logs: Path, command: str) -> None:
    words = ("-p", "none", "-p", "clear-tool-results", "--limit", "100", "--set", "clearToolResults.keep=1")
    page = cli(command, str(logs), "--subagents", "-q", "--counter", "chars:4", *words).text
    opened = [line.partition(" windowkeeper ")[2] for line in page.partition("\nnext")[2].split("\n") if line]
    assert any(f"{logs}/aaaa.jsonl --agent b2 " in line for line in opened)
    assert "aaaa --agent b2 shop" in page
    for line in opened:
        done = cli(*shlex.split(line), "-f", "json", "-q")
        assert done.code == 0, line
        assert len(json.loads(done.out)["sessions"]) == 1


def test_a_session_without_an_id_goes_by_its_files_name_however_deep_it_lies() -> None:
    transcript = talk("", 1, agent="b1").load()
    path = "a/very/long/way/to/the/folder/of/logs/name.jsonl"
    bare = session_replay(path, path, transcript, count(transcript, "4"), (), by_call=False)._replace(session=None)
    assert title_of(bare) == "name.jsonl --agent b1"
    long = bare._replace(path=f"x/{'y' * 60}.jsonl")
    assert title_of(long) == f"{'y' * 28}… --agent b1" and len(title_of(long)) <= 40
    assert title_of(bare._replace(agent=None)) == "name.jsonl"
    assert title_of(bare._replace(session="4b1cf20a-1111", project="shop")) == "4b1cf20a --agent b1 shop"


def test_check_names_a_subagent_by_its_session(cli: Cli, logs: Path) -> None:
    done = cli("check", str(logs), "--subagents", "-q")
    assert f"{logs}/aaaa.jsonl --agent b1  invariants 10 of 10" in done.text
    assert f"{logs}/deep/agent-b4.jsonl " in done.text and f"{logs}/agent-b5.jsonl " in done.text
    rows = cli("check", str(logs), "--subagents", "-q", "-f", "csv").text.splitlines()
    assert any(row.startswith(f"{logs}/aaaa.jsonl,aaaa,b1,invariant,") for row in rows)
    cases = cli("check", str(logs), "--subagents", "-q", "-f", "junit").text
    assert f"{logs}/aaaa.jsonl --agent b1" in cases


@pytest.mark.parametrize("command", COMMANDS)
def test_filters_ask_a_subagent_for_itself(cli: Cli, logs: Path, command: str) -> None:
    late = document(cli, command, str(logs), "--subagents", "--since", "2026-01-03")
    assert named(command, late) == [("aaaa", "b2")]
    long = document(cli, command, str(logs), "--subagents", "--min-calls", "3")
    assert named(command, long) == [("aaaa", None), ("aaaa", "b2"), ("bbbb", "b3")]


def test_a_resumed_sessions_subagents_count_once(cli: Cli, tmp_path: Path) -> None:
    """The later file holds the earlier one's records; of its own subagents' files only what is new is taken."""
    write(tmp_path / "old.jsonl", talk("aaaa", 2), talk("aaaa", 2, agent="b1"))
    write(tmp_path / "new.jsonl", talk("aaaa", 4), talk("aaaa", 2, agent="b1"))
    write(tmp_path / "old/subagents/agent-b1.jsonl", talk("aaaa", 2, agent="b1"))
    write(tmp_path / "old/subagents/agent-b2.jsonl", talk("aaaa", 2, agent="b2"))
    shutil.copy(tmp_path / "old.jsonl", tmp_path / "again.jsonl")
    found = document(cli, "replay", str(tmp_path), "--subagents")
    assert sorted(named("replay", found), key=str) == [("aaaa", "b1"), ("aaaa", "b2"), ("aaaa", None)]


def test_by_call_names_a_subagent_with_its_session(cli: Cli, logs: Path) -> None:
    lines = cli("replay", str(logs), "--subagents", "-q", "-p", "none", "--by-call", "-f", "jsonl").out.splitlines()
    seen = [json.loads(line)["session"] for line in lines]
    assert seen.count("aaaa") == 3 and seen.count("aaaa --agent b2") == 8


@pytest.mark.parametrize("command", COMMANDS)
def test_subagents_in_several_processes_are_the_same_bytes(cli: Cli, logs: Path, command: str) -> None:
    words = (command, str(logs), "--subagents", *COMMANDS[command], "-f", "json")
    assert cli(*words, "-j", "2").out == cli(*words).out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--also", REDIS), "--also speaks of one session, and a folder is named; name one of its sessions"),
        (("--agent", "b1"), "--agent speaks of one session, and a folder is named; name one of its sessions"),
        (("--part", "1"), "--part speaks of one session, and a folder is named; name one of its sessions"),
    ],
)
def test_what_speaks_of_one_session_is_refused_of_a_folder(
    cli: Cli, logs: Path, command: str, words: tuple[str, ...], said: str
) -> None:
    done = cli(command, str(logs), *words, *COMMANDS[command])
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert said in done.err


@pytest.mark.parametrize("command", ["replay", "check"])
@pytest.mark.parametrize("words", [("--also", REDIS), ("--agent", "b1"), ("--part", "1")])
def test_what_speaks_of_one_session_is_refused_of_several(cli: Cli, command: str, words: tuple[str, ...]) -> None:
    done = cli(command, REDIS, TRANSCRIPT, *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert f"{words[0]} speaks of one session, and 2 are named" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_subagents_need_a_folder(cli: Cli, command: str) -> None:
    done = cli(command, REDIS, "--subagents", *COMMANDS[command])
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert "--subagents is for folders" in done.err


@pytest.mark.parametrize("command", COMMANDS)
def test_one_session_has_an_agent_a_part_and_further_files(cli: Cli, tmp_path: Path, command: str) -> None:
    first = write(tmp_path / "s.jsonl", talk("aaaa", 2), talk("aaaa", 3, agent="b1"))
    after = LogFile("aaaa")
    after.user("again", uuid="n0", parent=None)
    after.reply("n1", text("yes"), uuid="n1")
    second = write(tmp_path / "t.jsonl", after)
    assert named(command, document(cli, command, str(first), "--agent", "b1")) == [("aaaa", "b1")]
    calls = {
        words: document(cli, "replay", str(first), *words)["sessions"][0]["calls"]
        for words in ((), ("--agent", "b1"), ("--also", str(second)), ("--also", str(second), "--part", "1"))
    }
    assert list(calls.values()) == [2, 3, 1, 2]
    assert len(named(command, document(cli, command, str(first), "--also", str(second), "--part", "1"))) == 1
    for words in (("--part", "7"), ("--agent", "zz"), ("--also", str(tmp_path / "missing"))):
        done = cli(command, str(first), *words, *COMMANDS[command])
        # `check` goes on with other sessions, and its page names this one.
        assert (done.code, done.err.count("\n"), command == "check" or done.out == b"") == (2, 1, True)


def test_a_page_repeats_the_options_that_loaded_it(cli: Cli, tmp_path: Path) -> None:
    log = write(tmp_path / "s.jsonl", talk("aaaa", 2), talk("aaaa", 3, agent="b1"))
    page = cli("replay", str(log), "--agent", "b1", "-p", "none").text
    last = page.partition("\nnext")[2]
    assert last.count("--agent b1") == 1
    assert cli(*shlex.split(last.partition("windowkeeper ")[2])).code == 0


@pytest.mark.parametrize("command", ["replay", "diff"])
def test_strict_stops_a_session_and_leaves_one_of_a_folder_out(cli: Cli, tmp_path: Path, command: str) -> None:
    good = write(tmp_path / "good.jsonl", talk("aaaa", 2))
    bad = write(tmp_path / "bad.jsonl", talk("bbbb", 2))
    bad.write_bytes(bad.read_bytes() + b"{broken\n")
    words = COMMANDS[command]
    assert cli(command, str(bad), *words).code == 0
    done = cli(command, str(bad), *words, "--strict")
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert f"{bad}:5" in done.err
    found = document(cli, command, str(tmp_path), "--strict")
    assert [one["path"] for one in found["sessions"]] == [str(good)]
    assert [one["path"] for one in found["skipped"]] == [str(bad)]


def test_an_input_given_by_also_is_never_written_to(cli: Cli, tmp_path: Path) -> None:
    log, more = write(tmp_path / "s.jsonl", talk("aaaa", 2)), write(tmp_path / "t.jsonl", talk("bbbb", 2))
    before = more.read_bytes()
    for command, words in COMMANDS.items():
        assert cli(command, str(log), "--also", str(more), "-o", str(more), *words).code == 2
    assert more.read_bytes() == before
