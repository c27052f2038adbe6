"""Runs the command line, in this process or as one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from windowkeeper_cli.cli.process import run

ROOT = Path(__file__).parents[2]
TRANSCRIPT = "fixtures/small-explain/transcript.json"
POLICY = "fixtures/small-explain/policy.json"


class Outcome:
    """What a run ended with."""

    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def text(self) -> str:
        """Return standard output as text."""
        return self.out.decode()


class Cli:
    """Runs commands in this process, from the project's folder."""

    def __init__(self, capture: pytest.CaptureFixture[bytes]) -> None:
        self._capture = capture

    def __call__(self, *args: str) -> Outcome:
        """Run one command."""
        self._capture.readouterr()
        code = run(list(args))
        out, err = self._capture.readouterr()
        return Outcome(code, out, err.decode())


def process(*args: str, data: bytes | None = None, **environment: str) -> Outcome:
    """Run the program as a process of its own, without what the environment says of colour."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS")
    }
    done = subprocess.run(
        [sys.executable, "-m", "windowkeeper_cli", *args],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env={**clean, **environment},
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr.decode())


def hear_interrupts() -> None:
    """Let a process that is being started hear Ctrl-C, as in a terminal; one started in the background ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
