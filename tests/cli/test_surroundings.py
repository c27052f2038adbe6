"""What the environment decides: colour, width, encoding, the session roots (spec/8; no-color.org)."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from windowkeeper_cli.cli.complete import formats_in, formats_out, policies, rules
from windowkeeper_cli.cli.surroundings import (
    encoding_of,
    is_terminal,
    session_roots,
    style_for,
    terminal_width,
    wants_color,
)
from windowkeeper_cli.render.style import Style

VARIABLES = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM", "COLUMNS", "CLAUDE_CONFIG_DIR")


@pytest.mark.parametrize(
    ("when", "terminal", "environment", "wanted"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", False, {"CLICOLOR_FORCE": "1"}, True),
        ("auto", False, {"CLICOLOR_FORCE": "0"}, False),
        ("auto", True, {"CLICOLOR": "0"}, False),
        ("auto", False, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_whether_to_colour(
    monkeypatch: pytest.MonkeyPatch, when: str, terminal: bool, environment: dict[str, str], wanted: bool
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(when, terminal) is wanted


@pytest.mark.parametrize(("columns", "width"), [("100", 100), ("0", 132), ("x", 132), ("", 132)])
def test_the_width_is_what_columns_says_else_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(os, "get_terminal_size", lambda _descriptor: os.terminal_size((132, 40)))
    assert terminal_width() == width


def test_without_a_terminal_the_width_is_80(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_descriptor: int) -> os.terminal_size:
        raise OSError

    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(os, "get_terminal_size", none)
    assert terminal_width() == 80


def test_a_closed_stream_is_no_terminal() -> None:
    stream = io.StringIO()
    stream.close()
    assert not is_terminal(stream)
    assert not is_terminal(None)


def test_utf_8_has_one_name() -> None:
    assert encoding_of(io.TextIOWrapper(io.BytesIO(), "UTF8")) == "utf-8"
    assert encoding_of(io.TextIOWrapper(io.BytesIO(), "cp1252")) == "cp1252"
    assert encoding_of(None) == "utf-8"


def test_a_file_is_utf_8_without_colour_or_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert style_for("auto", None, to_file=True) == Style(False, None, "utf-8")
    assert style_for("always", 90, to_file=True) == Style(True, 90, "utf-8")
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    assert style_for("never", 90, to_file=False) == Style(False, 90, "ascii")


def test_session_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    assert session_roots("logs") == ("logs",)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(Path("c")))
    monkeypatch.setenv("CODEX_HOME", str(Path("x")))
    assert session_roots(None) == (str(Path("c/projects")), str(Path("x/sessions")))


def test_a_shell_completes_from_the_registries() -> None:
    assert formats_in("claude") == ["claude-code"]
    assert formats_out("js") == ["json", "jsonl"]
    assert "windowkeeper" in policies("window")
    assert rules("keep-e") == ["keep-error"]
