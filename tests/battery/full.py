"""What does a full disk leave? `python -m tests.battery full` (as root: it mounts a small tmpfs for each run).

A session is kept in an archive on a disk that fills up, and a report is written to it: each is one line of error and
exit 2, what was saved before stands, and nothing is half-written. Then room is made, and all goes on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.battery.kept import VISITS, expected, faults, held
from tests.battery.kill import NAMES
from tests.house import ROOT
from windowkeeper_cli.archive.opening import ARCHIVES, open_archive

KIB = range(60, 460, 20)
"""Sizes of the disk; the session takes more than the least and less than the most."""


def main(words: Sequence[str]) -> int:
    """Fill disks of many sizes, print one line for each fault, and last how many runs were in order."""
    parser = argparse.ArgumentParser(prog="python -m tests.battery full", description=__doc__)
    parser.parse_args(words)
    failed = done = filled = 0
    for kind in (*ARCHIVES.names, "output"):
        for size in KIB:
            with tempfile.TemporaryDirectory() as folder, disk(Path(folder), size):
                full, found = on_full(kind, Path(folder))
            done, failed, filled = done + 1, failed + bool(found), filled + full
            for fault in found:
                sys.stdout.write(f"FAIL {kind} {size} KiB: {fault}\n")
    sys.stdout.write(f"{filled} of {done} disks were full; {done - failed} passed, {failed} failed\n")
    return 1 if failed else 0


@contextmanager
def disk(folder: Path, size: int) -> Iterator[None]:
    """Let a disk of `size` KiB stand at a folder."""
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(folder)], check=True, capture_output=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def on_full(kind: str, folder: Path) -> tuple[bool, list[str]]:
    """Return whether the disk was full, and what was wrong then, or after room was made."""
    return _report(folder) if kind == "output" else _kept(str(folder / NAMES[kind]), folder)


def _kept(path: str, folder: Path) -> tuple[bool, list[str]]:
    ballast = folder / "ballast"
    ballast.write_bytes(b"x" * (20 << 10))
    done = subprocess.run(
        [sys.executable, "-m", "tests.battery.kept", path], capture_output=True, cwd=ROOT, check=False
    )
    said = [int(word) for word in done.stdout.split() if word.isdigit()]
    finished, found = max(said, default=0), []
    last = done.stderr.decode().strip().split("\n")[-1]
    if done.returncode and "ArchiveError" not in last:
        found.append(last)
    if finished or Path(path).exists():
        try:
            with open_archive(path, writes=False) as archive:
                found += faults(archive, finished)
        except Exception as error:
            found += [f"{type(error).__name__}: {error}"] if finished else []
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=4m", str(folder)], check=True)
    subprocess.run([sys.executable, "-m", "tests.battery.kept", path], stdout=subprocess.PIPE, cwd=ROOT, check=True)
    with open_archive(path, writes=False) as archive:
        found += faults(archive, VISITS)
        found += [] if held(archive) == expected()[VISITS] else ["with room it is not what it is without a full disk"]
    return done.returncode != 0, found


def _report(folder: Path) -> tuple[bool, list[str]]:
    target = folder / "report.json"
    target.write_bytes(b"old")
    filler = folder / "ballast"
    filler.write_bytes(b"x" * (40 << 10))
    words = ["archive", "export", "fixtures/small-explain/kept", "-o", str(target)]
    done = subprocess.run(
        [sys.executable, "-m", "windowkeeper_cli", *words], capture_output=True, text=True, cwd=ROOT, check=False
    )
    found = []
    if done.returncode:
        if (done.returncode, done.stderr.count("\n"), "No space left" in done.stderr) != (2, 1, True):
            found.append(f"exit {done.returncode}: {done.stderr.strip()}")
        if target.read_bytes() != b"old":
            found.append("the old file is not there any more")
    names = sorted(each.name for each in folder.iterdir())
    return done.returncode != 0, found + ([f"left behind: {names}"] if names != ["ballast", "report.json"] else [])
