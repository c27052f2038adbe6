"""Names of transcripts, after `spec/2`, Naming a transcript."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from windowkeeper_cli.formats import resolve
from windowkeeper_cli.formats.naming import ANY
from windowkeeper_cli.model.errors import UsageError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for age, name in enumerate(("p1/4b1cf20a-1.jsonl", "p2/4b1cffff-2.jsonl", "p2/9000aaaa-3.jsonl")):
        path = tmp_path / "projects" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "projects/p1/agent-4b1c.jsonl").write_text("{}\n")
    return tmp_path / "projects"


def test_a_path_that_exists_wins(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    Path("4b1c").write_text("x")
    Path("latest").write_text("x")
    assert resolve("4b1c", [str(root)]) == "4b1c"
    assert resolve("latest", [str(root)]) == "latest"
    assert resolve("-", []) == "-"


@pytest.mark.parametrize(
    ("name", "file"), [("latest", "4b1cf20a-1"), ("latest~0", "4b1cf20a-1"), ("latest~2", "9000aaaa-3")]
)
def test_the_latest_by_the_time_of_writing(root: Path, name: str, file: str) -> None:
    assert Path(resolve(name, [str(root)])).stem == file


def test_the_beginning_of_a_session_id(root: Path) -> None:
    assert Path(resolve("9000", [str(root)])).stem == "9000aaaa-3"
    assert Path(resolve("4b1cf2", [str(root), str(root)])).stem == "4b1cf20a-1"


def test_a_file_that_a_person_named_goes_by_the_id_inside(root: Path) -> None:
    line = '{"type":"user","uuid":"u","sessionId":"5e55-1","message":{"role":"user","content":"go"}}'
    (root / "p1/shop.jsonl").write_text(f"{line}\n")
    assert Path(resolve("5e55", [str(root)])).stem == "shop"
    (root / "p2/again.jsonl").write_text(f"{line}\n")
    with pytest.raises(UsageError, match=r"begins 2 session ids: .*shop\.jsonl, .*again\.jsonl"):
        resolve("5e55", [str(root)])
    (root / "p1/5e55.jsonl").write_text("{}\n")
    assert Path(resolve("5e55", [str(root)])).stem == "5e55"


def test_a_folder_that_was_named_has_logs_of_any_name(root: Path) -> None:
    (root / "chat-77.json").write_text("{}")
    with pytest.raises(UsageError):
        resolve("chat-77", [str(root)])
    assert Path(resolve("chat-77", [str(root)], ANY)).name == "chat-77.json"


def test_two_matches_are_an_error_that_lists_both(root: Path) -> None:
    with pytest.raises(UsageError) as caught:
        resolve("4b1c", [str(root)])
    assert "4b1cf20a-1.jsonl" in str(caught.value) and "4b1cffff-2.jsonl" in str(caught.value)


@pytest.mark.parametrize("name", ["0000aaaa", "900", "latest~3", "../x", "a\0b", "x" * 5000, "[a-z]*"])
def test_nothing_that_fits_says_what_was_looked_for(root: Path, name: str) -> None:
    with pytest.raises(UsageError):
        resolve(name, [str(root)])


def test_no_root_at_all_is_said() -> None:
    with pytest.raises(UsageError, match="none is set"):
        resolve("latest", [])


def test_a_link_out_of_the_root_is_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "77777777.jsonl"
    outside.write_text("{}\n")
    (root / "p1/77777777.jsonl").symlink_to(outside)
    with pytest.raises(UsageError):
        resolve("7777", [str(root)])
