"""The README says what is so: its output is the program's, its commands exist, its links lead somewhere."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.golden_reports import GOLDEN, names
from tests.house import ROOT
from windowkeeper_cli.cli.commands import COMMANDS
from windowkeeper_cli.cli.completion import SHELLS
from windowkeeper_cli.formats import FORMATS

README = (ROOT / "README.md").read_text("utf-8")
SHELL = re.findall(r"```sh\n(.*?)```", README, re.S)


def outputs() -> list[tuple[str, str]]:
    """Return (arguments, text) of every output that the README shows."""
    return re.findall(r"<!-- output: (.*?) -->\n```text\n(.*?)```", README, re.S)


@pytest.mark.parametrize(("arguments", "shown"), outputs())
def test_an_output_is_what_the_program_prints(
    arguments: str, shown: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from windowkeeper_cli.cli.process import run

    monkeypatch.chdir(ROOT)
    assert run(shlex.split(arguments)) == 0
    assert capfd.readouterr().out == shown


def test_there_is_an_output_and_both_commands_for_ci() -> None:
    assert outputs()
    assert re.findall(r"<!-- ci: (\w+) -->\n```sh\n", README) == ["explain", "test"]


def test_every_command_it_names_is_there() -> None:
    lines = [line for block in SHELL for line in block.splitlines() if line.startswith("windowkeeper ")]
    named = {line.split()[1] for line in lines if not line.startswith("windowkeeper --show-completion ")}
    assert named <= set(COMMANDS.names)
    assert {"explain", "info", "check", "recall", "rules", "policy"} <= named


def test_it_names_every_format() -> None:
    section = README.partition("**Another harness's log.**")[2].partition("```")[0]
    assert set(FORMATS.names) <= set(re.findall(r"`([a-z-]+)`", section))


def test_its_picture_is_a_golden_one() -> None:
    (picture,) = re.findall(r"!\[[^\]]+\]\((.*?)\)", README)
    assert (ROOT / picture) in {GOLDEN / name for name in names()}


def test_it_says_how_completion_is_installed() -> None:
    for shell in SHELLS.names:
        assert f"\n{SHELLS.module(shell).INSTALL}\n" in README


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
