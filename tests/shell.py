"""Runs a line as a shell runs it, in a folder of its own, with the program on the path."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.house import ROOT


def shell(
    command: str, folder: Path, *, given: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `command` in `folder`; `given` is its standard input."""
    with tempfile.TemporaryDirectory() as bin_folder:
        program = Path(bin_folder) / "windowkeeper"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m windowkeeper_cli "$@"\n')
        program.chmod(0o755)
        path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["/bin/sh", "-e", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **environment},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
