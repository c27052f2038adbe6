"""Some tens of what `python -m tests.battery` does by hand in hundreds (spec/10, "Interruption"; "Reliability")."""

from __future__ import annotations

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.battery.full import disk, on_full
from tests.battery.kill import NAMES, killed
from tests.battery.processes import at_once
from windowkeeper_cli.archive.opening import ARCHIVES

KILLS = int(os.environ.get("WINDOWKEEPER_KILLS", "8"))
"""How often a writer is killed; 200 in a run by hand."""
pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes of POSIX")


@pytest.mark.parametrize("what", [*ARCHIVES.names, "output"])
def test_a_kill_loses_nothing_that_was_finished(what: str, tmp_path: Path) -> None:
    found, told = killed(what, tmp_path, KILLS, 0)
    assert found == []
    # That the kills met writers at work, and not only before or after it.
    assert sum(told.values()) > 0


@pytest.mark.parametrize("kind", ARCHIVES.names)
def test_processes_on_one_archive_do_not_harm_each_other(kind: str, tmp_path: Path) -> None:
    assert at_once(str(tmp_path / NAMES[kind])) == []


@pytest.mark.parametrize("kind", [*ARCHIVES.names, "output"])
@pytest.mark.parametrize("size", [100, 240])
def test_a_full_disk_leaves_what_was_saved(kind: str, size: int, tmp_path: Path) -> None:
    with ExitStack() as stack:
        try:
            stack.enter_context(disk(tmp_path, size))
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("only root can make a small disk")
        _, found = on_full(kind, tmp_path)
    assert found == []
