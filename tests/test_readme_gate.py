"""The README's gate for CI: its commands run as a step would run them, and end as they say."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.house import ROOT
from tests.shell import shell

README = (ROOT / "README.md").read_text("utf-8")
WORKFLOW = re.findall(r"<!-- gate -->\n```yaml\n(.*?)```", README, re.S)
SHOWN = re.findall(r"<!-- gate output, exit code ([0-9]+): (.*?) -->\n```text\n(.*?)```", README, re.S)


def steps() -> list[str]:
    """Return the shell commands of the workflow's steps that run the program."""
    (text,) = WORKFLOW
    return [line for line in re.findall(r"^ +(?:- )?run: (.*)$", text, re.M) if line.startswith("windowkeeper ")]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder as a runner checks it out."""
    shutil.copytree(ROOT / "fixtures" / "gate", tmp_path / "fixtures" / "gate")
    return tmp_path


def ran(command: str, checkout: Path) -> subprocess.CompletedProcess[str]:
    return shell(command, checkout, GITHUB_STEP_SUMMARY=str(checkout / "summary.md"))


def test_the_workflow_is_indented_as_yaml_wants_it() -> None:
    (text,) = WORKFLOW
    lines = text.splitlines()
    assert not any("\t" in line for line in lines)
    assert all((len(line) - len(line.lstrip(" "))) % 2 == 0 for line in lines)
    assert len(steps()) == 3 and {
        word for line in steps() for word in ("github", "md", "junit") if f"-f {word}" in line
    }


def test_its_steps_pass_and_write_what_they_name_alone(checkout: Path) -> None:
    before = {path for path in checkout.rglob("*") if path.is_file()}
    done = [ran(command, checkout) for command in steps()]
    assert [one.returncode for one in done] == [0, 0, 0], [one.stderr for one in done]
    assert {path.name for path in checkout.rglob("*") if path.is_file()} - {path.name for path in before} == {
        "summary.md", "check.xml",
    }  # fmt: skip
    assert done[0].stdout == ""
    assert (checkout / "summary.md").read_text("utf-8").startswith("### windowkeeper check\n")
    assert ET.parse(checkout / "check.xml").getroot().get("failures") == "0"


def test_its_steps_fail_where_a_bound_is_missed(checkout: Path) -> None:
    policy = checkout / "fixtures" / "gate" / "policy.toml"
    policy.write_text(policy.read_text("utf-8").replace("gaps = 2", "gaps = 0"))
    done = [ran(command, checkout) for command in steps()]
    assert [one.returncode for one in done] == [1, 1, 1]
    (annotation,) = done[0].stdout.splitlines()
    assert annotation.startswith("::error file=fixtures/gate/sessions/refunds.json,title=")
    assert "| **FAIL** |" in (checkout / "summary.md").read_text("utf-8")
    assert ET.parse(checkout / "check.xml").getroot().get("failures") == "1"


def test_an_output_that_it_shows_is_what_the_program_prints(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from windowkeeper_cli.cli.process import run

    monkeypatch.chdir(ROOT)
    assert SHOWN
    for code, arguments, text in SHOWN:
        assert run(shlex.split(arguments)) == int(code)
        assert capfd.readouterr().out == text
