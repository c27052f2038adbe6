"""The vector runner: the recorded vectors and our own hold, and a vector with one value changed fails by its name."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.run_vectors import KINDS, failures, main, vectors

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT.parent / "shared" / "vectors" / "window-strategies"
OWN = ROOT / "fixtures" / "vectors"
Json = dict[str, Any]


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded vectors are not here")
def test_the_recorded_vectors_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(RECORDED)]) == 0
    assert last_line(capsys) == "299 passed, 0 failed"


def test_our_own_vectors_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(OWN)]) == 0
    assert last_line(capsys) == f"{len(list(vectors(OWN)))} passed, 0 failed"


def test_our_own_vectors_are_of_every_kind_and_theme() -> None:
    mine = list(vectors(OWN))
    assert {vector["kind"] for vector in mine} == set(KINDS)
    assert {vector["theme"] for vector in mine} >= {
        "turns", "anchor", "refusals", "span", "pins", "notice", "stand-down", "token-trigger", "summarize", "options",
        "lengths",
    }  # fmt: skip
    assert len({vector["id"] for vector in mine}) == len(mine)


def changed(value: Any) -> Any:
    """Return another value of the same shape."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, dict):
        first = next(iter(value))
        return {**value, first: changed(value[first])}
    return [*value[:-1], changed(value[-1])] if value else [0]


def sabotaged() -> Iterator[tuple[str, Json]]:
    """Yield (what was changed, vector): every value that any of our own vectors expects, changed one at a time."""
    for vector in vectors(OWN):
        places = vector["visits"] if vector["kind"] == "replay" else [vector]
        for n, place in enumerate(places):
            for key, value in place["expected"].items():
                copied = copy.deepcopy(vector)
                target = copied["visits"][n] if vector["kind"] == "replay" else copied
                target["expected"][key] = 1 if value is None else changed(value)
                yield f"{vector['id']}/{n}/{key}", copied


@pytest.mark.parametrize("kind", KINDS)
def test_any_expected_value_that_is_changed_fails(kind: str) -> None:
    made = [(name, vector) for name, vector in sabotaged() if vector["kind"] == kind]
    passing = [name for name, vector in made if not list(failures(vector))]
    assert made
    assert passing == []


def test_a_failure_names_the_vector_the_visit_and_the_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vector = next(vector for vector in vectors(OWN) if vector["id"] == "own-span-1")
    vector["visits"][0]["expected"]["removedIndices"] = [3, 4]
    (tmp_path / "span.jsonl").write_text(json.dumps(vector) + "\n")
    assert main([str(tmp_path)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out == ["own-span-1: visit 0 removedIndices: expected [3, 4], got [1]", "0 passed, 1 failed"]


@pytest.mark.parametrize("theirs", ["contentHash", "survivalMs", "index"])
def test_a_hash_counts_but_for_texts_that_are_ours(theirs: str) -> None:
    vector = next(vector for vector in vectors(OWN) if vector["id"] == "own-span-1")
    expected = vector["visits"][0]["expected"]
    expected["evictions"][0][theirs] = "0" if theirs == "contentHash" else 77
    assert list(failures(vector))
    expected["removed"] = ["notice:0"]
    ours = [problem for problem in failures(vector) if " evictions: " in problem]
    assert bool(ours) == (theirs != "contentHash")


def test_an_unknown_key_and_an_empty_folder_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vector = next(vector for vector in vectors(OWN) if vector["id"] == "own-span-1")
    vector["visits"][0]["expected"]["moonPhase"] = 3
    assert list(failures(vector)) == ["visit 0 moonPhase: expected 3, got 'nothing'"]
    assert main([str(tmp_path)]) == 1
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_a_session_that_does_not_raise_where_it_should_fails() -> None:
    vector = next(vector for vector in vectors(OWN) if vector["theme"] == "token-trigger")
    vector["visits"][-1]["call"]["output"] = 1
    assert [problem.split(":")[0] for problem in failures(vector)] == ["visit 4 error"]
