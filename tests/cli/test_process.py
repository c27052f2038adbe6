"""How the process ends: exit codes, one line an error, pipes, interrupts (spec/2, "Loading rules"; spec/8)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli, hear_interrupts, process
from tests.formats.logs import LogFile, call
from windowkeeper_cli import __version__
from windowkeeper_cli.cli.commands import COMMANDS
from windowkeeper_cli.formats.registry import FORMATS


def test_version_and_help_import_no_command_line_library() -> None:
    for flag in ("--version", "--help"):
        code = (
            "import sys; sys.argv = ['windowkeeper', sys.argv[1]]\n"
            "import windowkeeper_cli.__main__ as start\n"
            "from windowkeeper_cli.cli import process\n"
            "process.leave = lambda code: None\n"
            "start.main()\n"
            "print(sorted({'typer', 'rich', 'pydantic', 'orjson'} & set(sys.modules)), file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", code, flag], capture_output=True, cwd=ROOT, check=True)
        assert done.stderr == b"[]\n"


def test_version(cli: Cli) -> None:
    expected = f"windowkeeper {__version__}\n"
    assert process("--version").text == expected
    assert cli("--version").text == expected


def test_help_names_every_command_and_says_how_it_ends(cli: Cli) -> None:
    done = cli("--help")
    assert done.code == 0
    for name in COMMANDS.names:
        assert f"\n  {name} " in done.text
    assert "\nUsage\n" in done.text and "Exit codes" in done.text


def test_no_command_shows_the_help_as_an_error(cli: Cli) -> None:
    done = cli()
    assert done.code == 2
    assert done.out == b""
    assert "Usage" in done.err


@pytest.mark.parametrize("name", COMMANDS.names)
def test_every_command_has_plain_help_with_an_example(cli: Cli, name: str) -> None:
    done = cli(name, "--help")
    assert done.code == 0
    assert done.text.startswith(f"windowkeeper {name}: ")
    assert "\x1b" not in done.text and "╭" not in done.text
    described, _, examples = done.text.partition("\nExamples\n")
    assert max(len(line) for line in described.split("\n")) <= 100
    assert f"  windowkeeper {name} " in examples + " "


def test_explain_piped_needs_neither_rich_nor_pydantic() -> None:
    code = (
        "import sys\n"
        "from windowkeeper_cli.cli.process import run\n"
        f"run(['explain', {TRANSCRIPT!r}, '-q'])\n"
        "print(sorted({'rich.table', 'rich.console', 'pydantic'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True)
    assert done.stderr == b"[]\n"
    assert b"WHAT-IF" in done.stdout


HEAVY = (
    "rich.table", "rich.console", "pydantic", "tomllib", "logging", "unittest", "asyncio", "queue",
    "concurrent", "multiprocessing", "importlib.metadata", "email", "http", "socket", "ssl", "sqlite3", "decimal",
)  # fmt: skip
"""Modules that cost a short command more than it does itself."""
MOST_MODULES = 185
"""Our modules that one `explain` of a session log may import: each costs about 0.2 ms."""


def test_explain_of_a_session_log_imports_what_it_needs_alone(tmp_path: Path) -> None:
    log = LogFile()
    log.user("list the files")
    log.reply("m1", call("c1"), usage={"input_tokens": 5, "output_tokens": 2})
    log.result("c1", "a.txt")
    path = tmp_path / "log.jsonl"
    path.write_bytes(log.encoded())
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from windowkeeper_cli.cli.process import run\n"
        f"assert run(['explain', {str(path)!r}, '-q']) == 0\n"
        "print(*(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True)
    names = done.stderr.decode().split()
    assert sorted({*names} & {*HEAVY}) == []
    ours = sorted(name for name in names if name.startswith("windowkeeper_cli."))
    others = [name for name in FORMATS.names if name not in ("claude-code", "windowkeeper")]
    asked = {f"windowkeeper_cli.formats.{name.replace('-', '_')}" for name in others}
    assert [name for name in ours if name in asked] == []
    assert len(ours) <= MOST_MODULES, ours


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["explian", "x"], "windowkeeper: no such command 'explian'"),
        (["explain"], "windowkeeper: missing argument"),
        (["explain", TRANSCRIPT, "--cal", "3"], "windowkeeper: no such option: --cal"),
        (["explain", TRANSCRIPT, "--call", "99"], "windowkeeper: --call 99: no such call; there are calls 1 to 8"),
        (["explain", TRANSCRIPT, "--call", "replan", "--all"], "windowkeeper: --all does not go with"),
        (["explain", TRANSCRIPT, "-f", "xml"], "windowkeeper: unknown format 'xml'"),
        (["info", TRANSCRIPT, "-f", "jsonl"], "windowkeeper: no format jsonl here"),
        (
            ["explain", TRANSCRIPT, "--color", "blue"],
            "windowkeeper: --color blue: no such choice; use one of auto, always, never",
        ),
        (["explain", TRANSCRIPT, "-p", "a.json", "-p", "b.json"], "windowkeeper: 2 policies given"),
        (["explain", TRANSCRIPT, "-p", "./nothing.json"], "windowkeeper: ./nothing.json: No such file"),
        (["explain", TRANSCRIPT, "--set", "budget.mx=3"], "budget.mx"),
        (["explain", TRANSCRIPT, "--width", "x"], "windowkeeper: "),
        (["explain", "no/such/file.json"], "windowkeeper: "),
        (["recall", "ffff00000000", TRANSCRIPT], "windowkeeper: no item, notice or summary has the id ffff00000000"),
        (["rules", "keep-eror"], "windowkeeper: no rule keep-eror; did you mean"),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_2(cli: Cli, args: list[str], said: str) -> None:
    done = cli(*args)
    assert done.code == 2
    assert done.out == b""
    assert done.err.startswith("windowkeeper: ")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_debug_shows_the_traceback_of_an_error(cli: Cli) -> None:
    assert "Traceback" in cli("explain", "no/such/file.json", "--debug").err


def test_a_fault_of_ours_is_3_and_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_path: str, **_options: object) -> None:
        raise RuntimeError("two\nlines\x1b[31m")

    monkeypatch.setattr("windowkeeper_cli.cli.loading.load", broken)
    done = cli("explain", TRANSCRIPT)
    assert done.code == 3
    assert done.out == b""
    assert "RuntimeError" in done.err and "--debug" in done.err and "report" in done.err
    assert "\x1b" not in done.err and "Traceback" not in done.err
    assert "Traceback" in cli("explain", TRANSCRIPT, "--debug").err


def test_ctrl_c_is_130_and_leaves_no_file(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("windowkeeper_cli.report.explain.Explanation.sheet", interrupted)
    done = cli("explain", TRANSCRIPT, "-o", str(tmp_path / "out.txt"))
    assert done.code == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_real_interrupt_ends_with_130_and_no_traceback() -> None:
    reader, writer = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "windowkeeper_cli", "explain", "-"],
        stdin=reader,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - it does nothing but set a signal
    )
    os.close(reader)
    # A pipe holds 64 KiB: once more than that is written, the child is reading.
    text = b'{"format": "windowkeeper/1", "system": "' + b"x" * 300_000
    while text:
        text = text[os.write(writer, text) :]
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    os.close(writer)
    assert child.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_goes_away_ends_it_quietly_with_141() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    child = subprocess.Popen(
        [sys.executable, "-m", "windowkeeper_cli", "explain", TRANSCRIPT, "-p", POLICY, "-q"],
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    os.close(writer)
    _, err = child.communicate(timeout=20)
    assert (child.returncode, err) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        child = subprocess.run(
            [sys.executable, "-m", "windowkeeper_cli", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            check=False,
        )
    assert child.returncode == 2
    assert child.stderr.count(b"\n") == 1 and b"No space left" in child.stderr


def test_output_is_the_same_under_a_narrow_code_page() -> None:
    done = process("explain", TRANSCRIPT, "-p", POLICY, "--all-rows", "-q", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.code == 0
    done.out.decode("ascii")
