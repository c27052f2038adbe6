"""-o FILE is written whole or not at all, and never over an input (spec/8; spec/10, "Interruption")."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import POLICY, TRANSCRIPT, Cli
from windowkeeper_cli.cli.output import write_file


def test_a_file_holds_what_standard_output_would_have(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    done = cli("explain", TRANSCRIPT, "-p", POLICY, "-f", "json", "-o", str(target))
    assert (done.code, done.out) == (0, b"")
    assert target.read_bytes() == cli("explain", TRANSCRIPT, "-p", POLICY, "-f", "json").out
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_an_input_is_never_written_to(cli: Cli, tmp_path: Path) -> None:
    transcript, policy = tmp_path / "t.json", tmp_path / "p.json"
    transcript.write_bytes(Path(TRANSCRIPT).read_bytes())
    policy.write_bytes(Path(POLICY).read_bytes())
    link = tmp_path / "link.json"
    link.symlink_to(transcript)
    for target in (transcript, policy, link):
        before = target.read_bytes()
        done = cli("explain", str(transcript), "-p", str(policy), "-o", str(target))
        assert done.code == 2
        assert "is an input file" in done.err
        assert target.read_bytes() == before
    assert cli("recall", "0000", str(transcript), "-o", str(transcript)).code == 2


def test_a_wrong_target_is_refused_before_any_work(cli: Cli, tmp_path: Path) -> None:
    assert "is a folder" in cli("explain", TRANSCRIPT, "-o", str(tmp_path)).err
    assert "no folder" in cli("explain", TRANSCRIPT, "-o", str(tmp_path / "no" / "x")).err


def test_a_failure_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")

    def chunks() -> Iterator[bytes]:
        yield b"new"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_file(str(target), chunks())
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_an_existing_file_keeps_its_mode_and_a_symlink_its_target(tmp_path: Path) -> None:
    target, link = tmp_path / "out", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o600)
    link.symlink_to(target)
    write_file(str(link), [b"new"])
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_leftover_of_a_killed_run_is_passed_over(tmp_path: Path) -> None:
    target = tmp_path / "out"
    leftover = tmp_path / f".out.{os.getpid()}.0.part"
    leftover.write_bytes(b"half")
    write_file(str(target), [b"new"])
    assert target.read_bytes() == b"new"
    assert leftover.read_bytes() == b"half"
