"""The real session logs: calls as the manifest counts them, and no answered call without its result."""

from __future__ import annotations

import csv
from pathlib import Path

import orjson
import pytest

from tests.formats.logs import SHARED
from windowkeeper_cli.formats import load

FOLDER = SHARED / "sessions"
LOGS = sorted((FOLDER / "claude-code").glob("*.jsonl")) if FOLDER.is_dir() else []
pytestmark = pytest.mark.skipif(not LOGS, reason="the shared sessions are not here")


def chain_calls() -> dict[str, str]:
    with (FOLDER / "MANIFEST.tsv").open(encoding="utf-8", newline="") as stream:
        return {row["file"]: row["chain calls"] for row in csv.DictReader(stream, delimiter="\t")}


def results_in(path: Path) -> set[str]:
    """Return the ids of all tool results in the lines that can be read."""
    found: set[str] = set()
    for raw in path.read_bytes().split(b"\n"):
        try:
            value = orjson.loads(raw)
            content = value["message"]["content"]
        except (ValueError, KeyError, TypeError):
            continue
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_result":
                found.add(block["tool_use_id"])
    return found


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_calls_and_pairs(path: Path) -> None:
    transcript = load(str(path))
    expected = chain_calls()[f"claude-code/{path.name}"]
    if expected:
        assert len(transcript.calls) == int(expected)
    answered = results_in(path)
    asked = [(item.at, ref.id) for item in transcript.items for ref in item.calls]
    assert [pair for pair in asked if pair not in transcript.pairs and pair[1] in answered] == []
    misplaced = ("orphan-tool-result", "duplicate-tool-result", "late-tool-result")
    assert not [finding for finding in transcript.findings if finding.kind in misplaced]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_every_item_has_the_bytes_of_its_records(path: Path) -> None:
    transcript = load(str(path))
    data = path.read_bytes()
    for item in transcript.items[:: max(1, len(transcript.items) // 20)]:
        parts = [data[origin.offset : origin.offset + origin.length] for origin in item.origins]
        assert transcript.source.raw(item.at) == b"\n".join(parts)
        assert all(isinstance(orjson.loads(part), dict) for part in parts)
        assert [data.count(b"\n", 0, origin.offset) + 1 for origin in item.origins] == [o.line for o in item.origins]
