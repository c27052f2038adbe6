"""Fixtures of the command line's tests."""

from __future__ import annotations

import pytest

from tests.cli.running import ROOT, Cli


@pytest.fixture
def cli(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return a runner in the project's folder, with an environment that says nothing of colour."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(ROOT)
    return Cli(capsysbinary)
