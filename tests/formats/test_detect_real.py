"""Every real file and case is known as its own format and no other; expected names follow the manifest's folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.formats.logs import SHARED
from windowkeeper_cli.formats import load
from windowkeeper_cli.formats.detect import SAMPLE, detect
from windowkeeper_cli.formats.opening import open_bytes, open_path
from windowkeeper_cli.formats.stream import Log, records
from windowkeeper_cli.model.errors import InputError

NAMES = {
    "anthropic-messages": "anthropic",
    "gemini-cli": "gemini",
    "gemini-api": "gemini",
    "otel-genai": "otel",
}
"""Folders that are not named as the format is."""
FILES = sorted((SHARED / "sessions").glob("*/*"))
CASES = SHARED / "cases" / "cases.jsonl"
pytestmark = pytest.mark.skipif(not FILES or not CASES.is_file(), reason="the shared sessions are not here")


def cases() -> list[dict[str, Any]]:
    lines = CASES.read_bytes().splitlines() if CASES.is_file() else []
    return [case for case in map(orjson.loads, lines) if case["format"] != "none"]


def head_of(path: Path) -> list[Any]:
    found = []
    for record in records(open_path(str(path)), 0, Log()):
        found.append(record.value)
        if len(found) == SAMPLE:
            break
    return found


def known_as(path: Path, expected: str) -> None:
    assert detect(head_of(path), path.name)[0] == expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_real_file_is_known_as_its_own_format(path: Path) -> None:
    known_as(path, NAMES.get(path.parent.name, path.parent.name))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_case_is_known_as_its_own_format(case: dict[str, Any]) -> None:
    path = CASES.parent / case["file"]
    if case["expect"].get("load") == "error":
        with pytest.raises(InputError):
            load(str(path))
        return
    known_as(path, case["format"])


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".jsonl"], ids=lambda path: path.name)
def test_a_tail_of_a_real_log_is_never_taken_for_another_format(path: Path) -> None:
    # A log whose first lines are lost is still its own, or unknown.
    expected = NAMES.get(path.parent.name, path.parent.name)
    lines = path.read_bytes().split(b"\n")
    for start in (len(lines) // 3, len(lines) // 2, max(0, len(lines) - 4)):
        rest = b"\n".join(lines[start : start + SAMPLE])
        values = [record.value for record in records(open_bytes(rest, path.name), 0, Log())]
        try:
            assert detect(values, path.name)[0] == expected, start
        except InputError as error:
            assert "no known transcript format" in error.what or "not supported" in error.what, start
