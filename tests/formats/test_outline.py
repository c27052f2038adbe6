"""Outlines of session logs: the figures of a load, without its text. Expected values by hand, or from the load."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.formats.logs import SHARED, LogFile, call, text
from windowkeeper_cli.formats import load
from windowkeeper_cli.formats.outline import Outline, first_words, glance, keys_of, outline, outline_of, span_of
from windowkeeper_cli.model.errors import InputError

ROOT = Path(__file__).parents[2]
TIMES = ("started", "ended")
"""A load's times are those of its items, an outline's those of all messages."""


def logs() -> list[Path]:
    """Return our own fixtures, and the shared logs and cases where they are there."""
    found = [path for folder in ("fixtures",) for path in (ROOT / folder).rglob("transcript.*")]
    for folder in ("sessions", "cases"):
        found += (path for path in (SHARED / folder).rglob("*.json*") if path.is_file())
    return sorted(found)


def written(folder: Path, log: LogFile, name: str = "s.jsonl", tail: bytes = b"") -> str:
    """Write a log and return its path."""
    path = folder / name
    path.write_bytes(log.encoded() + tail)
    return str(path)


def usage(read: int, output: int = 1) -> dict[str, int]:
    return {
        "input_tokens": 3,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": 7,
        "output_tokens": output,
    }


def at(minute: int, second: int = 0) -> str:
    return f"2026-03-04T09:{minute:02}:{second:02}.000Z"


def session() -> LogFile:
    """Return two requests, three calls in four lines, a compaction, a subagent, and two records of no known type."""
    log = LogFile("s-7")
    log.bare(type="mode", mode="x", sessionId="s-7")
    log.user("Look at a.py\nand b.py", timestamp=at(1), cwd="/home/me/shop", isMeta=False)
    log.reply("m1", text("I look"), usage=usage(90), timestamp=at(2))
    log.reply("m1", call("c1", "Read"), usage=usage(90, 20), timestamp=at(2, 1))
    log.result("c1", "x" * 500, timestamp=at(3), cwd="/home/me/shop/below")
    log.bare(type="future", n=1)
    log.reply("m2", text("done"), usage=usage(200), timestamp=at(4))
    boundary = log.add("system", subtype="compact_boundary", parent=None, logicalParentUuid=log.last)
    log.user("This session is being continued", parent=boundary, isCompactSummary=True, timestamp=at(5))
    log.user("And c.py", timestamp=at(6))
    log.reply("m3", text("yes"), usage=usage(40), timestamp=at(7))
    inner = {"type": "user", "uuid": "a1", "message": {"role": "user", "content": "sub"}, "timestamp": at(8)}
    data = {"type": "agent_progress", "agentId": "a77", "message": inner}
    log.bare(type="progress", uuid="p1", parentUuid=log.last, data=data, timestamp=at(9))
    return log


def test_the_figures_of_a_session_by_hand(tmp_path: Path) -> None:
    path = written(tmp_path, session(), tail=b'{"type":"user","mess')
    assert outline(path) == Outline(
        format="claude-code",
        session="s-7",
        project="/home/me/shop",
        started=at(1),
        ended=at(7),
        calls=3,
        requests=2,
        agents=("a77",),
        peak=210,
        last=50,
        compactions=1,
        microcompactions=0,
        request="Look at a.py and b.py",
        bytes=Path(path).stat().st_size,
        not_understood=2,
        still_written=True,
    )


@pytest.mark.parametrize("path", logs(), ids=lambda path: path.name)
def test_an_outline_has_the_figures_of_a_load(path: Path) -> None:
    try:
        loaded: Any = outline_of(load(str(path)))
    except InputError as error:
        with pytest.raises(InputError) as caught:
            outline(str(path))
        assert str(caught.value) == str(error)
        return
    found = outline(str(path))
    same = {key: value for key, value in found._asdict().items() if key not in TIMES}
    assert same == {key: value for key, value in loaded._asdict().items() if key not in TIMES}
    assert found.started is None or loaded.started is None or found.started <= loaded.ended
    assert found.ended is None or loaded.ended is None or found.ended >= loaded.started


def test_a_log_without_an_outline_is_loaded_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    used = {"inputTokens": 10, "outputTokens": 1, "cacheReadTokens": 5}
    messages = [
        {"role": "user", "content": "hello there", "time": at(1)},
        {"role": "assistant", "content": "yes", "usage": used, "time": at(2)},
    ]
    path.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}))
    found = outline(str(path))
    assert (found.format, found.calls, found.requests, found.request) == ("windowkeeper", 1, 1, "hello there")
    assert (found.peak, found.last, found.started, found.ended) == (15, 15, at(1), at(2))
    assert glance(str(path)) is None


def test_a_subagents_file_has_its_first_prompt_as_request(tmp_path: Path) -> None:
    log = LogFile()
    log.user("find it", isSidechain=True, agentId="a1", timestamp=at(1))
    log.reply("m1", text("found"), isSidechain=True, agentId="a1", usage=usage(5), timestamp=at(2))
    log.user("more", isSidechain=True, agentId="a1", timestamp=at(3))
    path = written(tmp_path, log)
    found = outline(path)
    assert (found.calls, found.requests, found.request, found.agents, found.last) == (1, 1, "find it", (), 15)
    seen = glance(path)
    assert seen is not None and seen.side


def test_a_packed_log_and_one_list_are_counted_too(tmp_path: Path) -> None:
    plain = outline(written(tmp_path, session()))
    packed = tmp_path / "s.jsonl.gz"
    packed.write_bytes(gzip.compress(session().encoded()))
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps(session().lines, indent=1))
    for path in (packed, listed):
        assert outline(str(path)) == plain._replace(bytes=path.stat().st_size)


def test_the_last_part_is_counted_and_a_branch_left_behind_is_not(tmp_path: Path) -> None:
    log = LogFile()
    log.user("old")
    log.reply("m1", text("x"))
    log.user("new", parent=None)
    asked = log.reply("m2", text("y"))
    log.reply("m3", text("left behind"), parent=asked)
    log.reply("m4", text("taken"), parent=asked)
    found = outline(written(tmp_path, log))
    assert (found.calls, found.requests, found.request) == (2, 1, "new")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("  a\n\n b\t c ", "a b c"),
        ("<command-message>x</command-message>\n<command-name>/go</command-name>\n<command-args>1 2</command-args>",
         "/go 1 2"),
        ("<command-name>/go</command-name>", "/go"),
        ("say <command-name>/go</command-name>", "say <command-name>/go</command-name>"),
        ("\x1b[31mred", "[31mred"),
        ("<current_datetime>2026-06-25</current_datetime>\n\n<note>n</note>\nwhy is it red", "why is it red"),
        ("<task>all that it says</task>\n", "<task>all that it says</task>"),
        ("<a>of another</b> word", "<a>of another</b> word"),
        ("<a><b>x</b></a> word", "<a><b>x</b></a> word"),
    ],
)  # fmt: skip
def test_first_words(said: str, words: str) -> None:
    assert first_words(said) == words


def test_times_are_compared_as_moments_where_they_are_written_differently() -> None:
    assert span_of([]) == (None, None)
    assert span_of(["no time"]) == (None, None)
    early, late = "2026-03-04T10:00:00+02:00", "2026-03-04T09:00:00.000Z"
    assert span_of([late, early, "x"]) == (early, late)


def test_a_glance_reads_the_ends_of_a_long_log(tmp_path: Path) -> None:
    log = LogFile("s-1")
    log.user("a", timestamp=at(1), cwd="/repo")
    for number in range(40):
        log.reply(f"m{number}", text("y" * 10_000), timestamp=at(2, number), cwd="/elsewhere")
    seen = glance(written(tmp_path, log))
    assert seen is not None
    assert (seen.session, seen.project, seen.first, seen.last) == ("s-1", "/repo", at(1), at(2, 39))
    assert seen.keys[:2] == ("u1", "m0 1") and len(seen.keys) < 20


def test_a_glance_at_a_first_line_longer_than_a_head(tmp_path: Path) -> None:
    log = LogFile("s-1")
    log.user("a" * 200_000, timestamp=at(1), cwd="/repo")
    seen = glance(written(tmp_path, log))
    assert seen is not None and seen.project == "/repo"


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"plain words\n", b'{"a":1}\n', b"{", b"[]"])
def test_what_is_no_log_is_an_error_and_has_no_glance(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    assert glance(str(path)) is None
    with pytest.raises(InputError):
        outline(str(path))


def test_a_log_that_grows_while_it_is_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, session())
    from windowkeeper_cli.formats.claude_code import outline as module

    whole = module.outline

    def growing(reading: Any) -> Any:
        found = whole(reading)
        with Path(path).open("ab") as more:
            more.write(b"{}\n")
        return found

    size = Path(path).stat().st_size
    assert not outline(path).still_written
    monkeypatch.setattr(module, "outline", growing)
    found = outline(path)
    assert found.still_written and found.bytes == size


def test_what_is_held_does_not_grow_with_the_text(tmp_path: Path) -> None:
    """A folder job is bounded: under half of the file's size where no text is needed (spec/10, 5)."""
    import tracemalloc

    log = LogFile()
    log.user("a")
    for number in range(300):
        log.reply(f"m{number}", call(f"c{number}"), usage=usage(1))
        log.result(f"c{number}", "z" * 50_000)
    path = written(tmp_path, log)
    outline(path)
    tracemalloc.start()
    outline(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < Path(path).stat().st_size / 4


PIECES = (
    b"null", b"[]", b"{}", b'""', b"1e400", b"12345678901234567890", b"true", b'"x"', b"\xff", b'"\\ud800"', b"\n",
    b"}{", b'"uuid":', b'"type":', b'"content":', b'"tool_use_id":', b'"isSidechain":true', b'"id":', b'"usage":',
)  # fmt: skip


def mutated(chance: Random, body: bytes) -> bytes:
    """Return a log with some pieces put in, values replaced, bytes cut out, or lines doubled."""
    for _ in range(chance.randint(1, 5)):
        at, way = chance.randrange(len(body) + 1), chance.randrange(4)
        if way == 0:
            body = body[:at] + chance.choice(PIECES) + body[at + chance.randint(0, 30) :]
        elif way == 1:
            values = list(re.finditer(rb':("[^"]{0,60}"|null|true|false|[0-9]+)', body))
            if values:
                start, end = chance.choice(values).span(1)
                body = body[:start] + chance.choice(PIECES[:8]) + body[end:]
        elif way == 2:
            body = body[:at] + body[at + chance.randint(1, 200) :]
        else:
            lines = body.split(b"\n")
            lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
            body = b"\n".join(lines)
    return body


@pytest.mark.parametrize("seed", range(300))
def test_a_mutated_log_is_counted_as_it_is_loaded(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    path = tmp_path / "x.jsonl"
    path.write_bytes(mutated(chance, session().encoded()))
    glance(str(path))
    try:
        loaded: Any = outline_of(load(str(path)))
    except InputError:
        with pytest.raises(InputError):
            outline(str(path))
        return
    found = outline(str(path))._asdict()
    assert {key: found[key] for key in found if key not in TIMES} == {
        key: value for key, value in loaded._asdict().items() if key not in TIMES
    }
    keys_of(str(path))
