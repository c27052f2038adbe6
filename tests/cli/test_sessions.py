"""The command `sessions`, and `check` over a folder, as a user meets them. Expected values by hand, from `spec/8`."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Cli, process
from tests.formats.logs import LogFile, text
from tests.report.made import fits
from windowkeeper_cli.cli.since import since_moment
from windowkeeper_cli.formats.outline import Outline, outline
from windowkeeper_cli.model.errors import UsageError

HOUR = timedelta(hours=1)


def stamp(age: timedelta) -> str:
    return (datetime.now(UTC) - age).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def talk(session: str, time: str, cwd: str, calls: int = 2, said: str = "go") -> bytes:
    log = LogFile(session)
    log.user(said, uuid=f"{session}-0", timestamp=time, cwd=cwd)
    for number in range(1, calls + 1):
        used = {"input_tokens": number, "output_tokens": 1}
        log.reply(f"{session}-m{number}", text("x"), uuid=f"{session}-{number}", timestamp=time, usage=used)
    return log.encoded()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Return a folder with three sessions, a copy, a damaged and a foreign file."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "old.jsonl").write_bytes(talk("old-1111", "2026-01-01T10:00:00.000Z", "/home/me/Shop", 5))
    (folder / "mid.jsonl").write_bytes(talk("mid-2222", "2026-02-01T10:00:00.000Z", "/home/me/web", 2))
    (folder / "new.jsonl").write_bytes(talk("new-3333", "2026-03-01T10:00:00.000Z", "/home/me/shop", 1))
    (folder / "copy.jsonl").write_bytes(talk("old-1111", "2026-01-01T10:00:00.000Z", "/home/me/Shop", 3))
    (folder / "broken.jsonl").write_bytes(b'{"type": "user", "mes')
    (folder / "foreign.json").write_bytes(b'{"a": 1}')
    return folder


def names(found: Any) -> list[str]:
    return [Path(row["path"]).stem for row in found["sessions"]]


def test_the_document_lists_newest_first_with_copies_marked(cli: Cli, logs: Path) -> None:
    done = cli("sessions", str(logs), "-f", "json")
    found = json.loads(done.out)
    fits(found)
    assert (done.code, names(found)) == (0, ["new", "mid", "copy", "old"])
    assert [row["copyOf"] for row in found["sessions"]] == [None, None, str(logs / "old.jsonl"), None]
    assert [(Path(note["where"]).name, note["kind"], note["level"]) for note in found["notes"]] == [
        ("broken.jsonl", "skipped", "warning"),
        ("foreign.json", "skipped", "warning"),
    ]
    assert found["root"] == str(logs)
    warned = done.err.splitlines()
    assert len(warned) == 2 and "broken.jsonl" in warned[0] and "no known transcript format" in warned[1]


def test_table_jsonl_and_csv(cli: Cli, logs: Path) -> None:
    page = cli("sessions", str(logs), "-q")
    assert page.err == ""
    assert "3 sessions   8 calls" in page.text and "1 copy of others and 2 other files left out" in page.text
    lines = [json.loads(line) for line in cli("sessions", str(logs), "-f", "jsonl").out.splitlines()]
    rows = list(csv.DictReader(io.StringIO(cli("sessions", str(logs), "-f", "csv").text)))
    assert [line["session"] for line in lines] == [row["session"] for row in rows]
    assert list(lines[0]) == list(rows[0])
    assert (rows[3]["calls"], rows[3]["peakTokens"], rows[3]["lastTokens"]) == ("5", "5", "5")
    assert cli("sessions", str(logs), "-f", "junit").code == 2


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--since", "2026-02-01"), ["new", "mid"]),
        (("--since", "2026-02-01T10:00:01"), ["new"]),
        (("--project", "SHOP"), ["new", "copy", "old"]),
        (("--project", "me/web"), ["mid"]),
        (("--min-calls", "2"), ["mid", "copy", "old"]),
        (("--min-calls", "2", "--project", "shop"), ["copy", "old"]),
        (("--min-calls", "99"), []),
        (("--since", "1h"), []),
    ],
)
def test_filters(cli: Cli, logs: Path, options: tuple[str, ...], expected: list[str]) -> None:
    done = cli("sessions", str(logs), "-f", "json", *options)
    assert (done.code, names(json.loads(done.out))) == (0, expected)


def test_since_leaves_older_logs_unread(cli: Cli, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: str, format_: str | None) -> Outline:
        read.append(path)
        return outline(path, format_)

    monkeypatch.setattr("windowkeeper_cli.cli.folders.outline", noted)
    cli("sessions", str(logs), "--since", "2026-02-15", "-q")
    assert [Path(path).name for path in read] == ["broken.jsonl", "foreign.json", "new.jsonl"]


def test_an_age_is_counted_from_now(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(talk("a", stamp(2 * HOUR), "/p"))
    (tmp_path / "b.jsonl").write_bytes(talk("b", stamp(50 * HOUR), "/p"))
    for age, expected in (("3h", ["a"]), ("1d", ["a"]), ("3d", ["a", "b"]), ("90m", []), ("1w", ["a", "b"])):
        done = cli("sessions", str(tmp_path), "-f", "json", "--since", age)
        assert names(json.loads(done.out)) == expected


@pytest.mark.parametrize("text", ["", "7", "7y", "d", "-1d", "yesterday", "2026-13-01", "٣d"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(UsageError, match="no date, time or age"):
        since_moment(text)


@pytest.mark.parametrize("made", [False, True])
def test_a_missing_or_empty_folder_is_an_error(cli: Cli, tmp_path: Path, made: bool) -> None:
    folder = tmp_path / "none"
    if made:
        folder.mkdir()
    for command in ("sessions", "check"):
        done = cli(command, str(folder))
        assert (done.code, done.out) == (2, b"")
        assert done.err.count("\n") == 1 and "none" in done.err


def test_a_folder_of_which_nothing_can_be_read_is_an_error(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b'{"a": 1}\n')
    done = cli("sessions", str(tmp_path))
    assert (done.code, done.out) == (2, b"") and "x.jsonl" in done.err


def test_the_session_roots_are_the_default(cli: Cli, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    claude = logs.parent / "claude"
    claude.mkdir()
    logs.rename(claude / "projects")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude))
    monkeypatch.setenv("CODEX_HOME", str(logs.parent / "nothing"))
    assert names(json.loads(cli("sessions", "-f", "json").out)) == ["new", "mid", "copy", "old"]
    rooted = cli("sessions", "--root", str(claude / "projects"), "-f", "json")
    assert names(json.loads(rooted.out)) == ["new", "mid", "copy", "old"]
    assert cli("sessions", str(claude), "--root", str(claude)).code == 2
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(logs.parent / "nothing"))
    done = cli("sessions")
    assert (done.code, done.out) == (2, b"") and done.err.count("\n") == 1


def test_several_processes_write_the_same_bytes(logs: Path) -> None:
    alone = process("sessions", str(logs), "-f", "json")
    shared = process("sessions", str(logs), "-f", "json", "-j", "3")
    assert (alone.code, shared.code) == (0, 0)
    assert alone.out == shared.out and alone.err == shared.err
    one, two = (process("check", str(logs), "-f", "json", "-j", number) for number in ("1", "2"))
    assert one.out == two.out and len(json.loads(one.out)["results"]) == 3


def test_nothing_is_written_to_a_file_that_is_read(cli: Cli, logs: Path) -> None:
    before = (logs / "old.jsonl").read_bytes()
    assert cli("sessions", str(logs), "-o", str(logs / "old.jsonl")).code == 2
    assert (logs / "old.jsonl").read_bytes() == before


def test_an_interruption_shows_what_is_finished(cli: Cli, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(path: str, format_: str | None) -> Outline:
        if path.endswith("new.jsonl"):
            raise KeyboardInterrupt
        return outline(path, format_)

    monkeypatch.setattr("windowkeeper_cli.cli.folders.outline", broken_off)
    done = cli("sessions", str(logs), "-f", "json")
    found = json.loads(done.out)
    assert (done.code, names(found)) == (130, ["mid", "copy"])
    assert [note["text"] for note in found["notes"] if note["kind"] == "partial"] == [
        "interrupted: 2 logs were not read"
    ]


def test_check_takes_a_folder(cli: Cli, logs: Path) -> None:
    done = cli("check", str(logs), "-f", "json")
    found = json.loads(done.out)
    fits(found)
    assert done.code == 0
    assert [Path(result["path"]).stem for result in found["results"]] == ["mid", "new", "old"]
    assert [Path(line.split(": ")[2]).name for line in done.err.splitlines()] == ["broken.jsonl", "foreign.json"]
    left = {Path(note["where"]).name: note["level"] for note in found["notes"] if note["kind"] == "skipped"}
    assert left == {"copy.jsonl": "warning", "broken.jsonl": "warning", "foreign.json": "warning"}
    few = json.loads(cli("check", str(logs), "-f", "json", "--min-calls", "2", "--project", "web").out)
    assert [Path(result["path"]).stem for result in few["results"]] == ["mid"]


def test_a_damaged_file_that_was_named_still_fails_a_check(cli: Cli, logs: Path) -> None:
    assert cli("check", str(logs), str(logs / "broken.jsonl"), "-q").code == 2


def bar_of(*args: str, monkeypatch: pytest.MonkeyPatch, terminal: bool) -> str:
    """Return what `by_bytes` writes to standard error of which it is told whether it is a terminal."""
    from windowkeeper_cli.cli import progress

    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setattr(progress, "is_terminal", lambda _stream: terminal)
    with progress.by_bytes("reading", 2_000_000, shown="-q" not in args) as advance:
        advance(500_000)
    return written.getvalue()


def test_progress_is_for_a_terminal_only_and_says_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert bar_of(monkeypatch=monkeypatch, terminal=False) == ""
    assert bar_of("-q", monkeypatch=monkeypatch, terminal=True) == ""
    assert "MB" in bar_of(monkeypatch=monkeypatch, terminal=True)


def test_a_page_where_nothing_fits_names_the_command_without_filters(cli: Cli, logs: Path) -> None:
    done = cli("sessions", str(logs), "--min-calls", "99", "-q")
    assert (done.code, done.text.rstrip().split("\n")[-1]) == (0, f"next   windowkeeper sessions {logs}")


def test_hostile_content_reaches_no_terminal(cli: Cli, tmp_path: Path) -> None:
    said = "\x1b[31mred \u202egnol [bold]x[/bold] =1+1"
    (tmp_path / "a.jsonl").write_bytes(talk("\x1b[2J", stamp(HOUR), "/p/\x1b]8;;http://x\x07y", said=said))
    for format_ in ("table", "json", "jsonl", "csv"):
        out = cli("sessions", str(tmp_path), "-f", format_).out
        assert b"\x1b" not in out and "\u202e".encode() not in out and b"[bold]x[/bold]" in out


def test_check_takes_what_sessions_lists_by_a_subagents_last_message(cli: Cli, tmp_path: Path) -> None:
    """The session's own last message is older; its subagent was still at work (both commands go by the log)."""
    log = LogFile("s")
    log.user("go", timestamp="2026-01-01T10:00:00.000Z", cwd="/p")
    log.reply("m1", text("x"), timestamp="2026-01-01T10:01:00.000Z")
    log.user("sub", timestamp="2026-01-05T10:00:00.000Z", isSidechain=True, agentId="a1", parent=None)
    (tmp_path / "s.jsonl").write_bytes(log.encoded())
    assert names(json.loads(cli("sessions", str(tmp_path), "-f", "json", "--since", "2026-01-03").out)) == ["s"]
    found = json.loads(cli("check", str(tmp_path), "-f", "json", "--since", "2026-01-03").out)
    assert [Path(result["path"]).stem for result in found["results"]] == ["s"]
    assert cli("check", str(tmp_path), "--since", "2026-01-06").code == 2
