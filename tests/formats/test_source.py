"""Where blocks come from: texts left in the file come back as they were, or the change of the file is said.

Expected blocks, items and counts are those of the same log loaded with its texts in memory.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.logs import SHARED, LogFile, call, text
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.block import Blocks, Text, ToolResult
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.tally import tally_items, weighed

LONG = "a line of a long result → \U0001f600\n" * 40
PLAIN = "plain letters alone\n" * 40


def log() -> LogFile:
    """Return a log with results of every shape: long, small, cut into texts, early, late, twice, a subagent's."""
    made = LogFile()
    made.user("do it")
    made.result("early", LONG)
    made.reply("m1", text("now"), call("a", x=1), call("b", "Read"), call("early", "Glob"))
    made.result("a", LONG)
    made.result("b", [{"type": "text", "text": PLAIN}, {"type": "text", "text": LONG}])
    made.reply("m2", call("c"), call("a", "Grep"))
    made.result("c", "small")
    made.result("a", PLAIN)
    made.result("a", PLAIN + "again")
    made.result("nobody", LONG)
    made.user([{"type": "tool_result", "tool_use_id": "c", "content": LONG}, text("and a person's words")])
    made.reply("m3", call("d", "Image"))
    made.result("d", [{"type": "text", "text": PLAIN}, {"type": "image", "source": {"data": "x" * 400}}])
    return made


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def both(name: str) -> tuple[Transcript, Transcript]:
    return load(name), load(name, measure=weighed, keeps_text=False)


def all_blocks(transcript: Transcript) -> list[Blocks]:
    return [transcript.blocks(at) for at in range(len(transcript.items))]


def alike(kept: Transcript, lean: Transcript) -> bool:
    same = kept.items == lean.items and kept.findings == lean.findings and kept.calls == lean.calls
    return same and all_blocks(kept) == all_blocks(lean) and tally_items(kept) == tally_items(lean)


def test_texts_left_in_the_file_are_the_same_blocks(tmp_path: Path) -> None:
    kept, lean = both(written(tmp_path / "log.jsonl", log().encoded()))
    assert alike(kept, lean)
    results = [block for blocks in all_blocks(lean) for block in blocks if isinstance(block, ToolResult)]
    assert {block.name for block in results} == {"Glob", "Bash", "Read", "Grep", "Image", None}
    assert Text(LONG) in results[0].content


def test_a_log_kept_as_one_list_is_read_again_too(tmp_path: Path) -> None:
    data = json.dumps(log().lines).encode()
    assert alike(*both(written(tmp_path / "log.json", data)))


def test_a_subagents_lines_are_read_again_too(tmp_path: Path) -> None:
    made = LogFile()
    made.user("do it")
    for number in range(3):
        inner = {"type": "user", "uuid": f"i{number}", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": f"t{number}", "content": LONG + str(number)}]}}  # fmt: skip
        made.add("progress", data={"type": "agent_progress", "agentId": "ag1", "message": inner})
    name = written(tmp_path / "log.jsonl", made.encoded())
    kept, lean = load(name, agent="ag1"), load(name, agent="ag1", keeps_text=False)
    assert all_blocks(kept) == all_blocks(lean)
    assert len(kept.items) == 3


def test_a_file_that_grew_still_gives_the_text(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lean = load(written(path, log().encoded()), keeps_text=False)
    expected = all_blocks(load(str(path)))
    path.write_bytes(path.read_bytes() + b'{"type":"summary"}\n')
    assert all_blocks(lean) == expected


@pytest.mark.parametrize("change", [lambda data: data.replace(b"long", b"lean"), lambda data: data[:400]])
def test_a_file_that_changed_is_an_error_and_never_another_text(tmp_path: Path, change: object) -> None:
    path = tmp_path / "log.jsonl"
    lean = load(written(path, log().encoded()), keeps_text=False)
    assert callable(change)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=r"log\.jsonl: the file has changed since it was loaded; load it again"):
        all_blocks(lean)


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    made = LogFile()
    made.reply("m1", call("a"))
    made.result("a", LONG)
    lean = load(written(path, made.encoded()), keeps_text=False)
    path.unlink()
    with pytest.raises(InputError, match="changed since it was loaded"):
        all_blocks(lean)


def test_long_texts_are_not_held(tmp_path: Path) -> None:
    made = LogFile()
    made.user("do it")
    for number in range(50):
        made.reply(f"m{number}", call(f"c{number}"))
        made.result(f"c{number}", LONG + str(number))
    lean = load(written(tmp_path / "log.jsonl", made.encoded()), keeps_text=False)
    held = lean.source._contents  # type: ignore[attr-defined]
    assert len(held) == 50
    assert not any(held.values())


def test_the_measure_is_asked_of_each_result_once_while_it_is_read(tmp_path: Path) -> None:
    asked: list[Blocks] = []

    def measure(blocks: Blocks) -> int:
        asked.append(blocks)
        return len(asked)

    name = written(tmp_path / "log.jsonl", log().encoded())
    found = load(name, measure=measure)
    assert len(asked) == 8
    assert {found.source.measured(item.at, measure) for item in found.items} >= {2, 3, 4}
    assert {found.source.measured(item.at, weighed) for item in found.items} == {None}


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    told: list[int] = []
    data = log().encoded() * 40
    load(written(tmp_path / "log.jsonl", data), progress=told.append)
    assert sum(told) == len(data)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real logs are not there")
@pytest.mark.parametrize("path", sorted((SHARED / "sessions").rglob("*.jsonl"))[::4], ids=lambda path: path.stem[:20])
def test_real_logs_are_the_same_either_way(path: Path) -> None:
    try:
        kept, lean = both(str(path))
    except InputError:
        pytest.skip("no transcript")
    assert alike(kept, lean)
    assert counts(kept).tokens == counts(lean).tokens
