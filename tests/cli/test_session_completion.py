"""Do session ids complete? `latest` and the ids below the usual roots (spec/8), unless a file begins so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import process
from windowkeeper_cli.cli.complete import MANY, transcripts
from windowkeeper_cli.cli.completion.answer import answer


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    claude = tmp_path / "claude" / "projects" / "p"
    codex = tmp_path / "codex" / "sessions" / "2026" / "11" / "30"
    for folder in (claude, codex):
        folder.mkdir(parents=True)
    (claude / "4b1cf20a-1111.jsonl").write_text("{}\n")
    (claude / "4b99-2222.jsonl").write_text("{}\n")
    (claude / "agent-4b7.jsonl").write_text("{}\n")
    (codex / "rollout-2026-11-30T10-00-00-4bcodex.jsonl").write_text("{}\n")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


@pytest.mark.usefixtures("roots")
def test_ids_of_both_tools_complete_and_subagents_do_not() -> None:
    assert transcripts("4b") == ["4b1cf20a-1111", "4b99-2222", "4bcodex"]
    assert transcripts("4b1") == ["4b1cf20a-1111"]
    assert transcripts("lat") == ["latest"]


@pytest.mark.usefixtures("roots")
@pytest.mark.parametrize("typed", ["", "./4b", "~/4b", "a.jsonl"])
def test_paths_are_left_to_the_shell(typed: str) -> None:
    assert transcripts(typed) == []


def test_a_file_that_begins_so_leaves_it_to_the_shell(roots: Path) -> None:
    (roots / "4bfile").write_text("")
    assert transcripts("4b") == []


@pytest.mark.usefixtures("roots")
def test_no_more_ids_than_one_can_choose_from(tmp_path: Path) -> None:
    for number in range(MANY + 50):
        (tmp_path / "claude" / "projects" / "p" / f"aa{number:04}.jsonl").write_text("{}\n")
    assert len(transcripts("aa")) == MANY


@pytest.mark.usefixtures("roots")
def test_a_shell_gets_them(tmp_path: Path) -> None:
    done = process("explain", "4b9", _WINDOWKEEPER_COMPLETE="bash", CLAUDE_CONFIG_DIR=str(tmp_path / "claude"))
    assert done.text.split() == ["4b99-2222"]


@pytest.mark.usefixtures("roots")
def test_a_name_that_a_shell_could_read_as_a_command_is_not_offered(tmp_path: Path) -> None:
    folder = tmp_path / "claude" / "projects" / "p"
    for name in ("4bx$(id)", "4bx;id", "4bx`id`", "4bx id", "4bx\nid", "4bx\x1b[2J", "4bx*", "4bx-fine"):
        (folder / f"{name}.jsonl").write_text("{}\n")
    assert [one.value for one in answer(["explain", "4bx"])] == ["4bx-fine"]
