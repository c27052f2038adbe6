"""Several processes at one job: a killed one, a fault, Ctrl-C, the end of the parent (spec/7, spec/8, spec/10)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.running import ROOT, TRANSCRIPT, Cli, hear_interrupts
from tests.report.made import fits
from windowkeeper_cli.cli.parallel import shared
from windowkeeper_cli.model.errors import InputError

posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
REDIS = "fixtures/redis-auth/transcript.json"
LATEST = 60.0
"""Seconds that a test waits for a process before it fails."""


class Job(NamedTuple):
    """A job of these tests."""

    path: str
    number: int


def squared(job: Job) -> int:
    """Return the number squared; a negative one kills its process."""
    if job.number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return job.number**2


def once(job: Job) -> int:
    """Return the number squared, after a kill at the first try: `path` remembers it."""
    mark = Path(job.path)
    if job.number < 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return job.number**2


def failing(job: Job) -> int:
    """Raise a fault of ours for a negative number."""
    if job.number < 0:
        raise KeyError("x")
    return job.number


def lost(job: Job, error: InputError) -> str:
    """Return what is said of a job whose process was killed."""
    return f"{job.number}: {error}"


def jobs(*numbers: int) -> list[Job]:
    return [Job(f"f{number}.jsonl", number) for number in numbers]


def results(work: Any, todo: Sequence[Job], processes: int) -> list[Any]:
    return [one for _, one in sorted(shared(work, todo, processes, lost), key=lambda pair: pair[0])]


@posix
@pytest.mark.parametrize("processes", [2, 4])
def test_a_job_that_kills_its_process_is_named_and_the_others_are_done(processes: int) -> None:
    found = results(squared, jobs(1, 2, -3, 4, 5, -6, 7), processes)
    assert [one for one in found if isinstance(one, int)] == [1, 4, 16, 25, 49]
    assert [found[2], found[5]] == [
        f"{number}: f{number}.jsonl: the process that read it was killed, as for want of memory; use a lower -j"
        for number in (-3, -6)
    ]


@posix
def test_a_process_killed_once_takes_nothing_away(tmp_path: Path) -> None:
    todo = [Job(str(tmp_path / f"m{number}"), number) for number in (1, -2, 3, 4)]
    assert results(once, todo, 2) == [1, 4, 9, 16]


@pytest.mark.parametrize("processes", [1, 2])
def test_a_fault_of_ours_says_at_which_file(processes: int) -> None:
    with pytest.raises(KeyError) as caught:
        results(failing, jobs(1, -2, 3), processes)
    assert caught.value.__notes__ == ["f-2.jsonl"]


def test_one_job_or_one_process_needs_no_other() -> None:
    here = results(os_ids, jobs(1, 2), 1) + results(os_ids, jobs(1), 8)
    assert set(here) == {os.getpid()}
    assert os.getpid() not in results(os_ids, jobs(1, 2), 2)


def os_ids(_job: Job) -> int:
    """Return the process that does the job."""
    return os.getpid()


def test_a_fault_is_one_line_with_its_file(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("windowkeeper_cli.cli.replaying.replay_session", broken)
    done = cli("replay", REDIS, TRANSCRIPT, "-p", "none")
    assert (done.code, done.out, done.err.count("\n")) == (3, b"", 1)
    assert done.err.startswith(f"windowkeeper: {REDIS}: a fault of windowkeeper's own: ZeroDivisionError: by nothing;")


STRATEGY = '''
import os, time
from pathlib import Path
from windowkeeper_cli.strategies.strategy import Plain

MARKS = Path(os.environ["MARKS"])


class Hanging(Plain):
    """Waits for ever at the first call of a session that begins with `wait`; `die` kills its process."""

    name = "hanging"

    def __init__(self, _settings):
        pass

    def plan(self, visit):
        said = str(visit.blocks(0)[0])
        if "wait" in said:
            (MARKS / f"{os.getpid()}").touch()
            time.sleep(300)
        if "die" in said:
            os.kill(os.getpid(), 9)
        return None
        yield
'''


def sessions(folder: Path, *requests: str) -> None:
    """Write small sessions a, b, c, ... whose first requests these are."""
    for name, said in zip("abcdef", requests, strict=False):
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "ok"}]
        (folder / f"{name}.json").write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}))


@pytest.fixture
def hanging(tmp_path: Path) -> tuple[Path, Path, dict[str, str]]:
    """Return a folder for sessions, a strategy's file, and the environment that it needs."""
    logs, marks = tmp_path / "logs", tmp_path / "marks"
    logs.mkdir()
    marks.mkdir()
    strategy = tmp_path / "hanging.py"
    strategy.write_text(STRATEGY)
    return logs, strategy, {**os.environ, "MARKS": str(marks)}


def started(words: Sequence[str], environment: dict[str, str], waiting: int) -> subprocess.Popen[bytes]:
    """Return a process in a group of its own, once so many sessions wait in it."""
    child = subprocess.Popen(
        [sys.executable, "-m", "windowkeeper_cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - it does nothing but set a signal
    )
    marks = Path(environment["MARKS"])
    begun = time.monotonic()
    while len(list(marks.iterdir())) < waiting:
        assert child.poll() is None, child.communicate()
        assert time.monotonic() - begun < LATEST
        time.sleep(0.02)
    return child


def both_waiting(logs: Path, strategy: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Return a replay of two sessions that both wait."""
    sessions(logs, "wait", "wait")
    return started(("replay", str(logs), "-j", "2", *policies("replay", strategy)), environment, 2)


def policies(command: str, strategy: Path) -> tuple[str, ...]:
    own = ("-p", f"{strategy}:Hanging")
    return ("-p", "none", *own) if command == "diff" else own


@posix
@pytest.mark.parametrize("command", ["replay", "check", "diff"])
def test_ctrl_c_shows_what_is_finished_and_waits_for_nothing(
    hanging: tuple[Path, Path, dict[str, str]], command: str
) -> None:
    """Two processes: the third session begins when the first is done, so that both wait with one finished."""
    logs, strategy, environment = hanging
    sessions(logs, "go", "wait", "wait", "go")
    child = started((command, str(logs), "-j", "2", *policies(command, strategy)), environment, 2)
    begun = time.monotonic()
    os.killpg(child.pid, signal.SIGINT)
    out, err = child.communicate(timeout=LATEST)
    assert (child.returncode, err) == (130, b"")
    assert time.monotonic() - begun < LATEST / 2
    assert b"PARTIAL: interrupted, 3 more not reached" in out
    alive = [mark.name for mark in Path(environment["MARKS"]).iterdir() if is_alive(int(mark.name))]
    assert not alive


@posix
def test_ctrl_c_before_anything_is_finished_prints_nothing(hanging: tuple[Path, Path, dict[str, str]]) -> None:
    logs, strategy, environment = hanging
    child = both_waiting(logs, strategy, environment)
    os.killpg(child.pid, signal.SIGINT)
    assert child.communicate(timeout=LATEST) == (b"", b"")
    assert child.returncode == 130


@posix
def test_the_processes_end_with_a_killed_parent(hanging: tuple[Path, Path, dict[str, str]]) -> None:
    logs, strategy, environment = hanging
    child = both_waiting(logs, strategy, environment)
    child.kill()
    child.communicate(timeout=LATEST)
    waiting = [int(mark.name) for mark in Path(environment["MARKS"]).iterdir()]
    begun = time.monotonic()
    while any(is_alive(pid) for pid in waiting):
        assert time.monotonic() - begun < LATEST
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@posix
@pytest.mark.parametrize("command", ["replay", "check", "diff"])
def test_a_session_that_kills_its_process_is_left_out_by_name(
    hanging: tuple[Path, Path, dict[str, str]], command: str
) -> None:
    logs, strategy, environment = hanging
    sessions(logs, "go", "die", "go", "go")
    words = (command, str(logs), "-j", "2", *policies(command, strategy), "-f", "json")
    done = subprocess.run(
        [sys.executable, "-m", "windowkeeper_cli", *words], capture_output=True, cwd=ROOT, env=environment, check=False
    )
    found = json.loads(done.stdout)
    fits(found)
    assert done.returncode == 0
    shown = found["results" if command == "check" else "sessions"]
    assert [Path(one["path"]).name for one in shown] == ["a.json", "c.json", "d.json"]
    assert f"{logs}/b.json: " in done.stderr.decode() and b"was killed" in done.stderr


@pytest.mark.parametrize("command", ["replay", "check", "diff", "sessions"])
def test_the_same_bytes_from_any_number_of_processes(cli: Cli, tmp_path: Path, command: str) -> None:
    """Damaged, foreign and copied files among good ones; warnings are in the same order too."""
    for number, name in enumerate("abcdef"):
        shutil.copy(ROOT / (REDIS if number % 2 else TRANSCRIPT), tmp_path / f"{name}.json")
    (tmp_path / "broken.jsonl").write_text('{"type": "user"')
    (tmp_path / "foreign.json").write_text('{"a": 1}')
    words = (command, str(tmp_path), *(("-p", "none", "-p", "windowkeeper") if command == "diff" else ()), "-f", "json")
    first = cli(*words)
    assert first.code == 0
    for processes in ("2", "5"):
        again = cli(*words, "-j", processes)
        assert (again.out, again.err, again.code) == (first.out, first.err, first.code)
