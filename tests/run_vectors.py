"""Runs recorded vectors of the reference strategies: `python -m tests.run_vectors FOLDER`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.vector_session import Json, VectorSession, notice_says
from windowkeeper_cli.model.block import units_of
from windowkeeper_cli.strategies.options import failing_option
from windowkeeper_cli.strategies.reference_texts import frame, notice

OURS = ("notice:", "summary:")


def failures(vector: Json) -> Iterator[str]:
    """Yield what of one vector is not as recorded, each in a line."""
    return KINDS[vector["kind"]](vector)


def replay_failures(vector: Json) -> Iterator[str]:
    session = VectorSession(vector)
    for number, (visit, found) in enumerate(zip(vector["visits"], session.visits(), strict=False)):
        expected = visit["expected"]
        for key, value in expected.items():
            known = key in found
            if not known or not same(key, value, found[key], expected):
                yield f"visit {number} {key}: expected {value!r}, got {found.get(key, 'nothing')!r}"
        if expected["error"] is not None:
            return


def same(key: str, value: Any, got: Any, expected: Json) -> bool:
    """Compare one value; the hash of a text that the library itself wrote depends on its wording, which is ours."""
    if key != "evictions":
        return bool(value == got)
    for label, one, other in zip(expected["removed"], value, got, strict=False):
        ours = isinstance(label, str) and label.startswith(OURS)
        fields = ("index", "survivalMs") if ours else ("index", "survivalMs", "contentHash")
        if any(one[field] != other[field] for field in fields):
            return False
    return len(value) == len(got) == len(expected["removed"])


def option_failures(vector: Json) -> Iterator[str]:
    name = failing_option(vector["target"], vector["options"])
    expected = vector["expected"]
    if (name is None, name) != (expected["accepted"], expected["names"]):
        yield f"expected {expected}, got the failing option {name!r}"


def notice_failures(vector: Json) -> Iterator[str]:
    text = notice(
        vector["droppedMessageCount"],
        vector["iteration"],
        vector["strategy"],
        request_kept=vector["currentRequestKept"],
        tools=vector["toolNames"] or (),
    )
    says = notice_says(text)
    found = {"chars": units_of(text), "namedTools": says["namedTools"], "moreTools": says["moreTools"]}
    if found != vector["expected"] or says["saysRequestKept"] != vector["currentRequestKept"]:
        yield f"expected {vector['expected']}, got {found}"


def frame_failures(vector: Json) -> Iterator[str]:
    text = frame(
        vector["foldedMessageCount"],
        vector["iteration"],
        vector["model"],
        vector["summaryText"],
        retained=vector["retain"] == "conversation",
    )
    if units_of(text) != vector["expected"]["chars"]:
        yield f"expected {vector['expected']['chars']} units, got {units_of(text)}"


KINDS = {
    "replay": replay_failures,
    "options": option_failures,
    "notice-text": notice_failures,
    "frame-text": frame_failures,
}


def vectors(folder: Path) -> Iterator[Json]:
    """Yield every vector of a folder's JSONL files, in the order of the files' names."""
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text("utf-8").split("\n"):
            if line.strip():
                yield json.loads(line)


def main(arguments: list[str]) -> int:
    """Run the folder named; print a line for each failure, then the counts; return 1 where any failed."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("usage: python -m tests.run_vectors FOLDER", file=sys.stderr)
        return 2
    passed = failed = 0
    for vector in vectors(Path(arguments[0])):
        problems = list(failures(vector))
        for problem in problems:
            print(f"{vector['id']}: {problem}")
        failed += bool(problems)
        passed += not problems
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
