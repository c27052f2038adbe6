"""A log that is cut, rewritten, replaced or removed while a command reads it: a report, or one line and exit code 2."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, Cli
from windowkeeper_cli.cli import loading
from windowkeeper_cli.formats.outline import outline

Change = Callable[[Path], None]
LOG = ROOT / "fixtures/cases/cc_boat.jsonl"
COMMANDS = {
    "explain": ("explain", "LOG", "--set", "budget.max=300", "--set", "budget.reserve=0"),
    "explain html": ("explain", "LOG", "-f", "html"),
    "trace": ("trace", "LOG", "boat"),
    "refusals": ("refusals", "LOG"),
    "dropped": ("dropped", "LOG"),
    "gaps": ("gaps", "LOG"),
    "replay": ("replay", "LOG", "-p", "none", "-p", "windowkeeper"),
    "diff": ("diff", "LOG", "-p", "none", "-p", "windowkeeper"),
    "check": ("check", "LOG"),
    "window": ("window", "LOG", "--to", "anthropic"),
    "convert": ("convert", "LOG", "--to", "windowkeeper"),
    "info": ("info", "LOG"),
}


def cut(path: Path) -> None:
    """Leave the first half of it."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    """Leave nothing."""
    path.write_bytes(b"")


def other(path: Path) -> None:
    """Write other bytes in place, as many."""
    path.write_bytes(b"x" * path.stat().st_size)


def replaced(path: Path) -> None:
    """Put another file in its place."""
    new = path.with_suffix(".new")
    new.write_bytes(b'{"type":"user","message":{"role":"user","content":"other"}}\n' * 9)
    new.replace(path)


def removed(path: Path) -> None:
    """Remove it."""
    path.unlink()


def grown(path: Path) -> None:
    """Add half a line, as a harness that is writing does."""
    with path.open("ab") as stream:
        stream.write(b'{"type":"assistant","message":{"role":"assi')


CHANGES = (cut, empty, other, replaced, removed, grown)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a log that is read as a large one: texts of results stay in it."""
    monkeypatch.setattr(loading, "LARGE", 0)
    path = tmp_path / "log.jsonl"
    shutil.copy(LOG, path)
    return path


def ends_well(cli: Cli, words: tuple[str, ...], log: Path) -> None:
    """Run a command on the log: a report, or one line that says what is wrong."""
    done = cli(*(str(log) if word == "LOG" else word for word in words))
    assert done.code in (0, 1, 2), done.err
    assert "Traceback" not in done.err
    if done.code == 2:
        assert done.out == b"" and "windowkeeper: " in done.err


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("name", COMMANDS)
def test_changed_once_it_is_loaded(
    cli: Cli, log: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: Change
) -> None:
    load = vars(loading)["load"]

    def loads_and_changes(*words: Any, **options: Any) -> Any:
        found = load(*words, **options)
        change(log)
        return found

    monkeypatch.setattr(loading, "load", loads_and_changes)
    ends_well(cli, COMMANDS[name], log)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("name", ["explain", "info", "check", "replay"])
def test_changed_while_it_is_read(
    cli: Cli, log: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: Change
) -> None:
    log.write_bytes(log.read_bytes() * 400)  # several times what is read at once

    read: list[int] = []

    def advance(size: int) -> None:
        read.append(size)
        if len(read) == 2:
            change(log)

    @contextmanager
    def by_bytes(_label: str, _total: int, *, shown: bool) -> Iterator[Callable[[int], object]]:
        assert shown in (True, False)
        yield advance

    monkeypatch.setattr(loading, "by_bytes", by_bytes)
    ends_well(cli, COMMANDS[name], log)
    assert len(read) >= 2 or name == "check"


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_log_in_a_folder_is_named_or_read_as_it_is(cli: Cli, log: Path, change: Change) -> None:
    (log.parent / "sound.jsonl").write_bytes(LOG.read_bytes())
    change(log)
    for words in (("sessions", "FOLDER"), ("replay", "FOLDER", "-p", "none"), ("check", "FOLDER")):
        done = cli(*(str(log.parent) if word == "FOLDER" else word for word in words))
        assert done.code in (0, 1) and "Traceback" not in done.err
        assert b"sound" in done.out or words[0] != "sessions"


def test_the_outline_of_a_log_that_is_cut_is_that_of_its_first_half(log: Path) -> None:
    whole = outline(str(log))
    cut(log)
    assert 0 < outline(str(log)).calls <= whole.calls
