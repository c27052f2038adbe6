"""Endings that a command does not choose itself (spec/2, exit codes; spec/8)."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator

import pytest
import typer

from tests.cli.running import TRANSCRIPT, Cli
from windowkeeper_cli.cli import process, stderr
from windowkeeper_cli.cli.output import write_stdout
from windowkeeper_cli.cli.progress import watched
from windowkeeper_cli.model.errors import PolicyError, UsageError


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (typer.Abort(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (SystemExit(1), 141, ""),
        (MemoryError(), 2, "windowkeeper: out of memory; the input is too large for this machine\n"),
        (
            PolicyError(("p.json:1: a; b", "p.json:2: c; d")),
            2,
            "windowkeeper: p.json:1: a; b\nwindowkeeper: p.json:2: c; d\n",
        ),
        (
            PermissionError(13, "Permission denied", "x.json"),
            2,
            "windowkeeper: x.json: Permission denied; check the path",
        ),
    ],
)
def test_every_ending_has_its_code(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, raised: BaseException, code: int, said: str
) -> None:
    def raising(_args: list[str]) -> int:
        raise raised

    monkeypatch.setattr(process, "_front", raising)
    monkeypatch.setattr(process, "_forget_stdout", lambda: None)
    done = cli("info", TRANSCRIPT)
    assert done.code == code
    assert done.err.startswith(said) if said else done.err == ""


def test_leaving_flushes_and_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "gettrace", lambda: None)
    monkeypatch.setattr(sys, "getprofile", lambda: None)
    monkeypatch.setattr(os, "_exit", ended.append)
    process.leave(1)
    assert ended == [1]
    monkeypatch.setattr(sys, "getprofile", lambda: print)
    with pytest.raises(SystemExit) as caught:
        process.leave(2)
    assert caught.value.code == 2


def test_a_closed_standard_output_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(UsageError, match="standard output is closed"):
        write_stdout([b"x"])


def test_large_output_is_written_in_pieces(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_stdout(b"x" * 1000 for _ in range(200))
    assert capsysbinary.readouterr().out == b"x" * 200_000


def test_standard_error_that_is_gone_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = io.StringIO()
    gone.close()
    for stream in (None, gone):
        monkeypatch.setattr(sys, "stderr", stream)
        stderr.complain("x")


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return true."""
        return True


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(stream: io.StringIO, shown: bool) -> str:
        monkeypatch.setattr(sys, "stderr", stream)
        values: Iterator[int] = watched([1, 2, 3], "checking", shown=shown)
        assert list(values) == [1, 2, 3]
        return stream.getvalue()

    monkeypatch.setenv("TERM", "xterm")
    assert "checking" in seen(Terminal(), True)
    assert seen(Terminal(), False) == ""
    assert seen(io.StringIO(), True) == ""


@pytest.mark.parametrize(
    ("stream", "options", "told"),
    [(Terminal, (), True), (Terminal, ("-q",), False), (Terminal, ("--no-progress",), False), (io.StringIO, (), False)],
)
def test_a_large_log_shows_how_far_its_loading_is(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], options: tuple[str, ...], told: bool
) -> None:
    from windowkeeper_cli.cli import loading

    stderr = stream()
    monkeypatch.setattr(loading, "LARGE", 100)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    assert cli("info", TRANSCRIPT, *options).code == 0
    assert ("loading" in stderr.getvalue()) is told
