"""Do processes that write to one archive at a time harm each other? `python -m tests.battery processes --times 20`.

Four processes put each its own session into one archive, many saves each, while a fifth reads it; all must end well,
and every item and list of every one must be there, whole.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.battery.kill import NAMES
from tests.generated import loaded
from tests.house import ROOT
from windowkeeper_cli.archive.opening import ARCHIVES, open_archive
from windowkeeper_cli.model.example import asks, session
from windowkeeper_cli.model.transcript import Transcript

AT_ONCE, SAVES = 4, 12
SHARED = "0123456789ab"
"""The list that all of them add to."""


def main(words: Sequence[str]) -> int:
    """Run the processes against an archive of each kind, and print how many runs were in order."""
    parser = argparse.ArgumentParser(prog="python -m tests.battery processes", description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    asked = parser.parse_args(words)
    failed = 0
    for kind in ARCHIVES.names:
        for number in range(asked.times):
            with tempfile.TemporaryDirectory() as folder:
                found = at_once(str(Path(folder) / NAMES[kind]))
            failed += bool(found)
            for fault in found:
                sys.stdout.write(f"FAIL {kind} {number}: {fault}\n")
    sys.stdout.write(f"{asked.times * len(ARCHIVES.names) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


def own(writer: int) -> Transcript:
    """Return a writer's own session: half of it is the same for all."""
    messages = [asks(f"shared {number}") if number % 2 else asks(f"{writer}: {number}") for number in range(SAVES)]
    return loaded(session(*messages))


def at_once(path: str) -> list[str]:
    """Return what was wrong after several processes wrote to the archive at `path` and one read it."""
    words = [sys.executable, "-m", "tests.battery.processes", path]
    writers = [subprocess.Popen([*words, str(n)], stderr=subprocess.PIPE, cwd=ROOT) for n in range(AT_ONCE)]
    reader = subprocess.Popen([*words, "read"], stderr=subprocess.PIPE, cwd=ROOT)
    found = []
    for child in (*writers, reader):
        _, err = child.communicate(timeout=120)
        if child.returncode:
            found.append(err.decode().strip().split("\n")[-1])
    with open_archive(path, writes=False) as archive:
        found += [f"{one.where}: {one.text}" for one in archive.verify() if one.is_fault]
        sessions = [own(writer) for writer in range(AT_ONCE)]
        ids = {item.id for each in sessions for item in each.items}
        if set(archive.ids()) != ids:
            found.append(f"{len(ids - set(archive.ids()))} of {len(ids)} items are missing")
        if set(archive.list(SHARED) or ()) != ids:
            found.append(f"the list has {len(archive.list(SHARED) or ())} of {len(ids)} ids")
        found += [
            f"{item.id} is another"
            for s in sessions
            for item in s.items
            if archive.blocks(item.id) != s.blocks(item.at)
        ]
    return found


def _write(path: str, writer: int) -> None:
    transcript = own(writer)
    with open_archive(path, writes=True) as archive:
        for item in transcript.items:
            archive.put(item, transcript.source)
            archive.extend_list(SHARED, [item.id])
            archive.save()


def _read(path: str) -> None:
    for _ in range(SAVES):
        if not Path(path).exists() or (Path(path).is_dir() and not any(Path(path).iterdir())):
            continue
        with open_archive(path, writes=False) as archive:
            assert not [one for one in archive.verify() if one.is_fault and one.kind != "missing"]
            listed = archive.list(SHARED) or ()
            assert all(archive.blocks(item_id) is not None for item_id in listed)


if __name__ == "__main__":
    if sys.argv[2] == "read":
        _read(sys.argv[1])
    else:
        _write(sys.argv[1], int(sys.argv[2]))
