"""What completes in a shell (spec/8): commands, options, strategies, presets, formats, policy keys; in each shell."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import ROOT, Cli, process
from windowkeeper_cli.cli.commands import COMMANDS
from windowkeeper_cli.cli.completion import SHELLS
from windowkeeper_cli.cli.completion.answer import answer
from windowkeeper_cli.cli.completion.bash import reply, words
from windowkeeper_cli.cli.completion.candidate import Candidate
from windowkeeper_cli.formats import FORMATS
from windowkeeper_cli.policy.keys import KEYS
from windowkeeper_cli.policy.presets import PRESETS
from windowkeeper_cli.report.figures import FIGURES
from windowkeeper_cli.report.rules import rule_names
from windowkeeper_cli.strategies import STRATEGIES

SHELL = pytest.mark.parametrize("shell", SHELLS.names)


def values(line: str) -> list[str]:
    """Return what may stand for the last word of a line; one that ends with a blank has an empty last word."""
    return [one.value for one in answer([*shlex.split(line), *([""] if not line or line.endswith(" ") else [])])]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("", list(COMMANDS.names)),
        ("ex", ["explain"]),
        ("--v", ["--version"]),
        ("--show-completion ", list(SHELLS.names)),
        ("nothing ", []),
        ("explain t.json --al", ["--all", "--all-rows", "--also"]),
        ("explain t.json -p ", [*STRATEGIES.names, *PRESETS]),
        ("explain t.json --policy windowk", ["windowkeeper", "windowkeeper-idle"]),
        ("explain t.json --policy=windowk", ["--policy=windowkeeper", "--policy=windowkeeper-idle"]),
        ("explain t.json --set budget.b", ["budget.backoff="]),
        ("explain t.json --set budget.stopAtTarget=", ["budget.stopAtTarget=true", "budget.stopAtTarget=false"]),
        ("explain t.json --set clearToolResults.mode=f", ["clearToolResults.mode=fit"]),
        ("explain t.json --set strategy=sliding-w", ["strategy=sliding-window"]),
        ("explain t.json --set no.key=", []),
        ("explain t.json --from ", list(FORMATS.names)),
        ("explain t.json --all -f j", ["json", "jsonl"]),
        ("check t.json -f j", ["json", "junit"]),
        ("explain t.json --color ", ["auto", "always", "never"]),
        ("explain t.json --call ", ["next", "last", "replan"]),
        ("explain t.json --width ", []),
        ("explain t.json too-many", []),
        ("explain -- --al", []),
        ("explain l", ["latest"]),
        ("replay a.json b.json l", ["latest"]),
        ("diff l", ["latest"]),
        ("check t.json --max gaps.", [f"{name}=" for name in FIGURES if name.startswith("gaps.")]),
        ("gaps t.json --kind re", ["re-read", "request-lost"]),
        ("rules inside", ["inside-keep-window"]),
        ("rules ", list(rule_names())),
        ("policy s", ["show", "schema"]),
        ("policy show -p sliding-t", ["sliding-tokens"]),
        ("policy nothing -", []),
        ("man ledger", ["ledger.5"]),
        ("man --schema exp", ["explain"]),
    ],
)
def test_what_may_come_next(line: str, found: list[str]) -> None:
    got = values(line)
    assert sorted(got) == sorted(found) if line.startswith("explain t.json --al") else got == found


def test_each_policy_key_and_option_text_is_there() -> None:
    assert values("diff t.json --set-b ") == [f"{key.path}=" for key in KEYS]
    texts = {one.value: one.text for one in answer(["explain", "t.json", "--"])}
    assert texts["--new"] == "Only what this call decided"
    assert texts["--format"].startswith("One of table, json")


@pytest.mark.parametrize(
    ("given", "taken", "answered"),
    [
        (["explain", "x", "--set", "budget.m"], "budget.m", "budget.max="),
        (["explain", "x", "--set", "clearToolResults.mode", "="], "clearToolResults.mode=", "all"),
        (["explain", "x", "--set", "clearToolResults.mode", "=", "f"], "clearToolResults.mode=f", "fit"),
        (["explain", "x", "--policy", "=", "tie"], "--policy=tie", "tiered"),
        (["explain", "'x y'", "-p", '"tie'], "tie", "tiered"),
    ],
)
def test_bash_splits_words_that_are_one(given: list[str], taken: str, answered: str) -> None:
    joined = words(given)
    assert joined[-1] == taken
    assert next(iter(reply(answer(joined), given))) == answered


def test_bash_is_answered_from_where_it_split() -> None:
    assert list(reply([Candidate("a=bc")], ["a", "=", "b"])) == ["bc"]
    assert list(reply([Candidate("a=bc")], ["a="])) == ["a=bc"]
    assert list(reply([Candidate("bc")], ["x", ""])) == ["bc"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_zsh_and_fish_get_a_value_and_its_text(shell: str) -> None:
    module = SHELLS.module(shell)
    assert module.words(["a b", ""]) == ["a b", ""]
    found = [Candidate("json", "one document"), Candidate("budget.max=")]
    assert list(module.reply(found, [""])) == ["json\tone document", "budget.max="]


def test_commands_are_answered_without_the_command_line_library() -> None:
    code = (
        "import os, sys; os.environ['_WINDOWKEEPER_COMPLETE'] = 'fish'\n"
        "from windowkeeper_cli.cli.process import run\n"
        "assert run(['ex']) == 0\n"
        "assert not {'typer', 'rich', 'pydantic', 'orjson'} & set(sys.modules), 'imported'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "explain\tthe window at one call, and every decision in force there\n"


@SHELL
def test_the_script_is_printed_and_nothing_is_written(cli: Cli, shell: str) -> None:
    done = cli("--show-completion", shell)
    assert (done.code, done.err, done.text) == (0, "", SHELLS.module(shell).SCRIPT)
    assert cli("--install-completion").code == 2


def test_an_unknown_shell_is_named(cli: Cli) -> None:
    done = cli("--show-completion", "tcsh")
    assert (done.code, done.out) == (2, b"")
    assert done.err == "windowkeeper: unknown shell 'tcsh'; known: bash, zsh, fish\n"


def test_a_shell_that_asks_in_another_way_gets_nothing() -> None:
    done = process("explain", _WINDOWKEEPER_COMPLETE="complete_bash")
    assert (done.code, done.out) == (2, b"")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return a PATH on which windowkeeper is this one."""
    program = tmp_path / "windowkeeper"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {sys.executable} -m windowkeeper_cli "$@"\n'
    )
    program.chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


def in_shell(path: str, *command: str) -> list[str]:
    """Return the lines that a shell prints."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path, "TERM": "dumb"}
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


LINES = pytest.mark.parametrize(
    ("line", "found"),
    [
        ("windowkeeper ref", ["refusals"]),
        ("windowkeeper explain 'a b.json' -p wind", ["windowkeeper", "windowkeeper-idle"]),
        ("windowkeeper rules keep", ["keep-error"]),
        ("windowkeeper policy sh", ["show"]),
    ],
)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
@LINES
def test_bash_completes(path: str, line: str, found: list[str]) -> None:
    given = " ".join(shlex.quote(word) if " " not in word else f"\"'{word}'\"" for word in shlex.split(line))
    script = (
        "source <(windowkeeper --show-completion bash); complete -p windowkeeper >/dev/null || exit 3\n"
        f"COMP_WORDS=({given}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _windowkeeper windowkeeper\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert in_shell(path, "bash", "--norc", "--noprofile", "-c", script) == found


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_lets_a_value_follow_its_key_and_leaves_files_to_itself(path: str) -> None:
    script = (
        'source <(windowkeeper --show-completion bash); compopt() { echo "$@"; }\n'
        "COMP_WORDS=(windowkeeper explain x --set budget.b); COMP_CWORD=4; _windowkeeper windowkeeper\n"
        'echo "${COMPREPLY[@]}"; COMP_WORDS=(windowkeeper explain x --width ""); _windowkeeper windowkeeper\n'
        'echo "${#COMPREPLY[@]}"; complete -p windowkeeper'
    )
    assert in_shell(path, "bash", "--norc", "--noprofile", "-c", script) == [
        "-o nospace",
        "budget.backoff=",
        "0",
        "complete -o default -F _windowkeeper windowkeeper",
    ]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not here")
@LINES
def test_zsh_completes(path: str, line: str, found: list[str]) -> None:
    """The words stand as zsh's line editor gives them; what its `compadd` would offer is printed."""
    given = shlex.split(line)
    before = " ".join(shlex.quote(shlex.quote(word)) for word in given[:-1])
    script = (
        "compdef() { : }; _files() { echo files }\n"
        'compadd() { print -l -- "${(P@)@[-1]}" }\n'
        'eval "$(windowkeeper --show-completion zsh)"\n'
        f"words=({before} {given[-1]}); CURRENT={len(given)}; PREFIX={given[-1]}; _windowkeeper"
    )
    assert in_shell(path, "zsh", "-f", "-c", script) == found
    other = script.replace(f"PREFIX={given[-1]}", "PREFIX=no-such")
    assert in_shell(path, "zsh", "-f", "-c", other) == ["files"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not here")
@LINES
def test_fish_completes(path: str, line: str, found: list[str], tmp_path: Path) -> None:
    script = f"windowkeeper --show-completion fish | source; complete -C {shlex.quote(line)}"
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    lines = in_shell(path, "env", *(f"{name}={value}" for name, value in home.items()), "fish", "-c", script)
    assert [line.split("\t")[0] for line in lines] == found
