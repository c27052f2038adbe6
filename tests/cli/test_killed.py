"""A run killed while it writes -o FILE leaves the old file or the new one (spec/10, "Interruption")."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import ROOT

KILLS = int(os.environ.get("WINDOWKEEPER_KILLS", "12"))
"""How often a writer is killed; 200 in a run by hand."""
WRITER = """
import sys
from windowkeeper_cli.cli.output import write_file
while True:
    for letter in (b"a", b"b"):
        write_file(sys.argv[1], [letter * 40_000] * 5)
"""


@pytest.mark.skipif(os.name == "nt", reason="kill of POSIX")
def test_a_killed_writer_leaves_a_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "out"
    moments = random.Random(7)
    for _ in range(KILLS):
        before = target.stat().st_mtime_ns if target.exists() else 0
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(target)], cwd=ROOT)
        while (target.stat().st_mtime_ns if target.exists() else 0) == before:
            time.sleep(0.001)
        time.sleep(moments.random() / 50)
        child.kill()
        child.wait()
        body = target.read_bytes()
        assert len(body) == 200_000 and len(set(body)) == 1
