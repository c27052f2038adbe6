"""What a real terminal gets: colour, its width, and content that it cannot obey (spec/8, "How it behaves")."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT
from windowkeeper_cli.formats import load
from windowkeeper_cli.report.recalled import content

if os.name == "nt":
    pytest.skip("pseudo-terminals of POSIX", allow_module_level=True)

SGR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*args: str, **environment: str) -> str:
    """Return what the program writes to a terminal of 100 columns."""
    mine, its = os.openpty()
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    child = subprocess.Popen(
        [sys.executable, "-m", "windowkeeper_cli", *args],
        stdin=subprocess.DEVNULL,
        stdout=its,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**clean, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
    )
    os.close(its)
    body = b""
    try:
        while chunk := os.read(mine, 65536):
            body += chunk
    except OSError:
        pass
    os.close(mine)
    assert child.wait() == 0
    return body.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colour_and_its_width() -> None:
    text = on_terminal("explain", TRANSCRIPT, "-p", POLICY, "--call", "replan")
    assert "\x1b[" in text
    above = SGR.sub("", text).partition("\nnext")[0]
    assert max(len(line) for line in above.split("\n")) <= 100
    assert "\x1b" not in SGR.sub("", text)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"CLICOLOR": "0"}])
def test_a_terminal_that_wants_no_colour_gets_none(environment: dict[str, str]) -> None:
    assert "\x1b" not in on_terminal("explain", TRANSCRIPT, **environment)


@pytest.mark.parametrize("raw", [(), ("--raw",)])
def test_recall_never_sends_a_terminal_what_it_would_obey(raw: tuple[str, ...]) -> None:
    transcript = load(str(ROOT / TRANSCRIPT))
    at = next(item.at for item in transcript.items if "\x1b" in content(transcript, item.at))
    text = on_terminal("recall", transcript.items[at].id, TRANSCRIPT, *raw)
    assert "\x1b" not in text and "\u202e" not in text
    assert "[bold]not markup[/bold]" in text
    if not raw:
        assert "\\x1b[31mred\\x1b[0m" in text and "\\u202egnol" in text
        assert text.count("\n") == content(transcript, at).count("\n")


@pytest.mark.parametrize("name", ["json", "jsonl", "csv"])
def test_no_format_sends_a_terminal_what_it_would_obey(name: str) -> None:
    text = on_terminal("explain", TRANSCRIPT, "-p", POLICY, "-f", name)
    assert not any(char in text for char in "\x1b\x9b\u202e")
