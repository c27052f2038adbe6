"""Nothing writes to any file that the user did not name, and nothing connects to a network (spec/10, "Reliability")."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT
from windowkeeper_cli.cli.manual.pages import commands

SESSIONS, KEPT, ITEM = "fixtures/gate/sessions", "fixtures/small-explain/kept", "401b06b2ee70"
OWN = "fixtures/strategies/every_tenth.py:EveryTenth"
BUDGET = ("-p", POLICY)
CALLS: dict[tuple[str, ...], list[tuple[str, ...]]] = {
    ("explain",): [
        (TRANSCRIPT, *BUDGET, "-f", name) for name in ("table", "json", "jsonl", "csv", "md", "html", "svg")
    ],
    ("trace",): [(TRANSCRIPT, ITEM, *BUDGET)],
    ("refusals",): [(TRANSCRIPT, *BUDGET), (TRANSCRIPT, "-p", OWN)],
    ("dropped",): [(TRANSCRIPT, *BUDGET, "-f", "html")],
    ("gaps",): [(TRANSCRIPT, *BUDGET)],
    ("replay",): [(SESSIONS, "-p", "none", "-p", POLICY), (SESSIONS, "-p", POLICY, "--model", "claude-sonnet-4-5")],
    ("diff",): [(TRANSCRIPT, "-p", "none", *BUDGET), (SESSIONS, "-p", "none", *BUDGET)],
    ("check",): [(SESSIONS, *BUDGET, "-f", "junit"), ("--battery", "-p", OWN, "--times", "2")],
    ("recall",): [(ITEM, TRANSCRIPT), (ITEM, "--archive", KEPT)],
    ("window",): [(TRANSCRIPT, "--to", "anthropic", *BUDGET)],
    ("convert",): [(TRANSCRIPT, "--to", "openai-chat")],
    ("sessions",): [(), (SESSIONS,)],
    ("info",): [(TRANSCRIPT,), ("latest",)],
    ("archive", "verify"): [(KEPT,)],
    ("archive", "list"): [(KEPT,)],
    ("archive", "export"): [(KEPT,)],
    ("policy", "list"): [()],
    ("policy", "show"): [BUDGET],
    ("policy", "schema"): [()],
    ("policy", "check"): [(POLICY,)],
    ("policy", "init"): [()],
    ("rules",): [(), ("no-orphans",)],
    ("man",): [(), ("explain",)],
}
BESIDE: dict[tuple[str, ...], str] = {
    ("explain",): "-o",
    ("check",): "-o",
    ("window",): "-o",
    ("convert",): "-o",
    ("replay",): "-o",
}


class Place:
    """A copy of the fixtures, with a home that has a session log, watched for changes."""

    def __init__(self, folder: Path) -> None:
        self.work, self.home = folder / "work", folder / "home"
        shutil.copytree(ROOT / "fixtures", self.work / "fixtures")
        logs = self.home / ".claude" / "projects" / "-work"
        logs.mkdir(parents=True)
        shutil.copy(ROOT / "fixtures/cases/cc_boat.jsonl", logs / "0a1b2c3d-0000-4000-8000-000000000000.jsonl")
        (folder / "tmp").mkdir()
        self.folder = folder

    def state(self) -> dict[str, str]:
        """Return every file and folder with its bytes, mode and time of change."""
        return {str(path): _state(path) for path in self.folder.rglob("*")}

    def run(self, *calls: tuple[str, ...]) -> list[tuple[int, list[list[str]]]]:
        """Run commands in one watched process; return the exit code and the deeds of each."""
        clean = {name: value for name, value in os.environ.items() if name not in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
        own = {"HOME": str(self.home), "TMPDIR": str(self.folder / "tmp"), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-B", "-m", "tests.cli.watched"],
            input=json.dumps(calls),
            capture_output=True,
            text=True,
            cwd=self.work,
            env={**clean, **own, "COVERAGE_PROCESS_START": ""},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: list[Any] = json.loads(done.stdout)
        return [(code, deeds) for code, deeds in found]


def _state(path: Path) -> str:
    if path.is_dir():
        return f"folder {path.stat().st_mode:o}"
    return f"{sha256(path.read_bytes()).hexdigest()} {path.stat().st_mode:o} {path.stat().st_mtime_ns}"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Return a copy of the fixtures and a home."""
    return Place(tmp_path)


def test_every_command_is_here() -> None:
    known = {tuple(path.split(" ")[1:]): command for path, command, _ in commands()}
    assert set(CALLS) == {name for name, command in known.items() if not hasattr(command, "list_commands")}


def test_the_watch_sees_what_a_command_does(place: Place) -> None:
    ((code, deeds),) = place.run(("info", TRANSCRIPT, "-o", "out.txt"))
    assert code == 0 and {"open", "os.rename"} <= {deed[0] for deed in deeds}


def test_no_command_touches_anything_that_the_user_did_not_name(place: Place) -> None:
    calls = [(*name, *words) for name, several in CALLS.items() for words in several]
    before = place.state()
    for words, (code, deeds) in zip(calls, place.run(*calls), strict=True):
        assert (code, deeds) == (0, []), words
    assert place.state() == before


@pytest.mark.parametrize("name", list(BESIDE), ids=" ".join)
def test_a_report_that_goes_to_a_file_touches_that_file_alone(place: Place, name: tuple[str, ...]) -> None:
    (place.work / "out").mkdir()
    before = place.state()
    ((code, deeds),) = place.run((*name, *CALLS[name][0], BESIDE[name], "out/report"))
    out = str(place.work / "out")
    assert code == 0 and deeds
    for event, *paths in deeds:
        assert event in ("open", "os.rename", "os.chmod") and all(
            path.startswith(out) or path in ("None", "-1") or path.isdigit() for path in paths
        ), (event, paths)
    after = place.state()
    assert {path for path in after if after[path] != before.get(path)} == {f"{out}/report"}
    assert set(before) - set(after) == set()


def test_several_processes_touch_nothing_and_speak_to_nobody(place: Place) -> None:
    before = place.state()
    ((code, deeds),) = place.run(("replay", SESSIONS, "-p", "none", "-p", POLICY, "-j", "2"))
    assert code == 0 and place.state() == before
    assert not [deed for deed in deeds if deed[0] in ("socket.connect", "socket.bind", "socket.getaddrinfo")]


def test_a_battery_writes_to_its_folder_alone(place: Place) -> None:
    own = str(ROOT / "tests/replay/battery/faulty.py:Nameless")
    before = place.state()
    ((code, _),) = place.run(("check", "--battery", "-p", own, "--times", "2", "--save", "found"))
    after = place.state()
    new = {path for path in after if after[path] != before.get(path)}
    assert code == 1 and new == {str(place.work / "found"), str(place.work / "found" / "addressable.json")}


@pytest.mark.parametrize(
    "wrong", [("explain", "no.json"), ("explain", TRANSCRIPT, "-f", "x"), ("check", "fixtures/man")]
)
def test_a_failing_command_touches_nothing_either(place: Place, wrong: tuple[str, ...]) -> None:
    before = place.state()
    ((code, deeds),) = place.run((*wrong, "-o", "out.txt"))
    assert (code, deeds) == (2, []) and place.state() == before


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_a_folder_without_write_bits_is_read_like_any_other(place: Place) -> None:
    for path in (place.work / "fixtures").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert [code for code, _ in place.run(("check", SESSIONS, *BUDGET), ("sessions", SESSIONS))] == [0, 0]
    finally:
        for path in (place.work / "fixtures").rglob("*"):
            path.chmod(0o755)
