"""The README's hook: what Claude Code would run before a compaction, given what it would give (its hooks reference)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house import ROOT
from tests.shell import shell
from windowkeeper_cli.formats import load

if os.name == "nt":
    pytest.skip("a hook for a POSIX shell", allow_module_level=True)

SETTINGS = re.findall(r"<!-- hook -->\n```json\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
LOG = ROOT / "fixtures" / "forgotten" / "session.jsonl"


def command() -> str:
    """Return the command that the settings name."""
    (text,) = SETTINGS
    (matched,) = json.loads(text)["hooks"]["PreCompact"]
    (hook,) = matched["hooks"]
    assert hook["type"] == "command"
    return str(hook["command"])


def hooked(home: Path, given: str) -> subprocess.CompletedProcess[str]:
    """Run the hook as Claude Code does, with the script where the README says."""
    (home / ".claude").mkdir()
    shutil.copy(ROOT / "fixtures" / "hooks" / "pre-compact.sh", home / ".claude")
    return shell(command(), home, given=given, HOME=str(home))


def given(transcript: str, trigger: str = "auto") -> str:
    """Return a hook's input, as the reference describes it."""
    return json.dumps(
        {
            "session_id": "5b7e21c0-0000-4000-8000-0000000000f1",
            "transcript_path": transcript,
            "cwd": "/home/ana/billing",
            "hook_event_name": "PreCompact",
            "trigger": trigger,
            "custom_instructions": "",
        }
    )


@pytest.mark.parametrize("trigger", ["auto", "manual"])
def test_the_hook_keeps_the_window_as_it_stands(tmp_path: Path, trigger: str) -> None:
    log = tmp_path / "a session's log.jsonl"
    lines = LOG.read_text("utf-8").splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if "compact_boundary" in line)
    log.write_text("".join(lines[:cut]), "utf-8")
    before = log.read_bytes()
    done = hooked(tmp_path, given(str(log), trigger))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page, body = sorted((tmp_path / "windowkeeper").iterdir(), key=lambda path: path.suffix != ".html")
    assert re.fullmatch(r"a session's log-\d{8}T\d{6}Z\.html", page.name) and body.suffix == ".json"
    assert page.read_text("utf-8").startswith("<!doctype html>")
    kept, whole = load(str(body)), load(str(log))
    assert [item.id for item in kept.items] == [item.id for item in whole.items]
    assert log.read_bytes() == before


@pytest.mark.parametrize("text", ["", "{}", "not json", given("/nowhere/session.jsonl")])
def test_the_hook_never_stops_a_compaction(tmp_path: Path, text: str) -> None:
    done = hooked(tmp_path, text)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr
