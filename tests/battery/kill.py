"""Does a kill -9 lose anything that was finished? `python -m tests.battery kill --times 200 [--seed N] [--what NAME]`.

A process that writes is killed at a random moment, again and again: one that keeps a session in an archive of each
kind, and one whose reports go to `-o FILE`. Then the archive must hold every finished visit, whole and nothing else,
and the file must be an old report or a new one.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.battery.kept import VISITS, faults
from tests.house import ROOT
from windowkeeper_cli.archive.opening import ARCHIVES, open_archive

LONGEST, MOST = 0.06, 3
"""Seconds that a writer lives at most after it has said as many words, from none to so many."""
NAMES = {"file": "archive", "sqlite": "archive.sqlite"}
REPORTS = (
    ("explain", "fixtures/redis-auth/transcript.json", "-f", "json", "-q"),
    ("archive", "export", "fixtures/small-explain/kept"),
)
WRITER = f"""
import sys
from windowkeeper_cli.cli.process import run
sys.stdout.write("ready\\n"); sys.stdout.flush()
while True:
    for words in {REPORTS!r}:
        assert run([*words, "-o", sys.argv[1]]) == 0
        sys.stdout.write("1\\n"); sys.stdout.flush()
"""


def main(words: Sequence[str]) -> int:
    """Kill, look, print one line for each fault and for each writer, and last how many were in order."""
    parser = argparse.ArgumentParser(prog="python -m tests.battery kill", description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--what", choices=[*ARCHIVES.names, "output"])
    asked = parser.parse_args(words)
    failed = done = 0
    for what in (asked.what,) if asked.what else (*ARCHIVES.names, "output"):
        with tempfile.TemporaryDirectory() as folder:
            found, told = killed(what, Path(folder), asked.times, asked.seed)
        for fault in found:
            sys.stdout.write(f"FAIL {what}: {fault}\n")
        sys.stdout.write(f"{what}: {asked.times} kills; {', '.join(f'{n:,} {word}' for word, n in told.items())}\n")
        failed, done = failed + len(found), done + asked.times
    sys.stdout.write(f"{max(done - failed, 0)} passed, {failed} failed\n")
    return 1 if failed else 0


def killed(what: str, folder: Path, times: int, seed: int) -> tuple[list[str], Counter[str]]:
    """Return what was wrong after `times` kills of a writer, and what the kills met."""
    moments, told = random.Random(f"{what} {seed}"), Counter[str]()
    look = _look_at_file if what == "output" else _look_at_archive
    target = folder / ("report.json" if what == "output" else NAMES[what])
    words = ["-c", WRITER] if what == "output" else ["-m", "tests.battery.kept"]
    found: list[str] = []
    for number in range(times):
        finished = _one([*words, str(target)], moments.randint(0, MOST), moments.random() * LONGEST)
        found += [f"kill {number}: {fault}" for fault in look(target, finished, told)]
    return found, told


def _one(words: Sequence[str], says: int, lives: float) -> int:
    """Start a writer, kill it `lives` seconds after so many words, and return the last number that it said, else 0."""
    child = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, cwd=ROOT)
    assert child.stdout is not None
    if child.stdout.readline() != b"ready\n":
        raise RuntimeError("the writer did not start")
    said = [child.stdout.readline() for _ in range(says)]
    time.sleep(lives)
    child.kill()
    said += child.stdout.readlines()
    child.stdout.close()
    child.wait()
    # A word without its line end was not said whole.
    return max((int(word) for word in said if word.endswith(b"\n")), default=0)


def _look_at_archive(target: Path, finished: int, told: Counter[str]) -> list[str]:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        told["before there was an archive"] += 1
        return [f"{finished} visits were finished, and no archive is there"] if finished else []
    told["with half a save left behind"] += target.is_dir() and any(target.glob("new/*"))
    with open_archive(str(target), writes=False) as archive:
        found, visits = faults(archive, finished), len(archive.plan)
    told["after a visit was finished"] += finished > 0
    told["after a visit was saved and not yet said"] += visits > finished > 0
    if visits == VISITS:
        for each in (*target.parent.glob(f"{target.name}-*"), target):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    return found


def _look_at_file(target: Path, finished: int, told: Counter[str]) -> list[str]:
    del finished
    left = list(target.parent.glob(".*.part"))
    told["with half a report beside"] += bool(left)
    for each in left:
        each.unlink()
    if not target.exists():
        told["before the first report"] += 1
        return []
    body = target.read_bytes()
    told["with a whole report in place"] += body in _reports()
    return [] if body in _reports() else [f"{len(body)} bytes that are neither report"]


_MADE: list[bytes] = []


def _reports() -> list[bytes]:
    if not _MADE:
        for words in REPORTS:
            command = [sys.executable, "-m", "windowkeeper_cli", *words]
            _MADE.append(subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout)
    return _MADE
