"""`windowkeeper trace` as a user types it (spec/7, spec/8)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli
from tests.cli.test_refusals_and_dropped import OWN, needs
from tests.report.made import fits
from windowkeeper_cli.formats import load
from windowkeeper_cli.strategies import STRATEGIES

CHARS = ("--counter", "chars:4")
LOGS = ROOT.parent / "shared" / "sessions" / "claude-code"


@pytest.mark.parametrize("strategy", STRATEGIES.names)
def test_every_strategy_has_a_trace(cli: Cli, strategy: str) -> None:
    words = ("trace", TRANSCRIPT, "logs/d2.log", "-p", strategy, *needs(strategy), *CHARS)
    done = cli(*words, "--width", "100")
    assert (done.code, done.err) == (0, "")
    assert "logs/d2.log at call 9: it is " in done.text
    document = json.loads(cli(*words, "-f", "json").out)
    fits(document)
    assert document["policy"]["strategy"] == strategy


def test_a_strategy_of_the_users_own_has_one(cli: Cli) -> None:
    document = json.loads(cli("trace", TRANSCRIPT, "d2.log", "-p", OWN, "-f", "json").out)
    fits(document)
    assert document["policy"]["from"] == "own"


def test_the_answer_comes_first_and_the_call_after_what(cli: Cli) -> None:
    # fixtures/small-explain: logs/d2.log leaves at call 5 by trim.enabled, and its notice names it.
    text = cli("trace", TRANSCRIPT, "logs/d2.log", "--call", "5", "-p", POLICY).text
    answer = text.split("\n\n")[1]
    assert answer.startswith("logs/d2.log at call 5: it is not in the window. It left at call 5 by trim.enabled")
    assert "The notice names it" in answer
    assert "call 4" in cli("trace", TRANSCRIPT, "logs/d2.log", "-p", POLICY, "--call", "4").text
    assert "it is in the window in full" in cli("trace", TRANSCRIPT, "d2.log", "-p", POLICY, "--call", "4").text
    assert "call 8" in cli("trace", TRANSCRIPT, "d2.log", "-p", POLICY, *CHARS, "--call", "replan").text


def test_nothing_matches_is_one_line_and_two(cli: Cli) -> None:
    done = cli("trace", TRANSCRIPT, "logs/d9.log")
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    assert done.err.startswith(
        'windowkeeper: no id, path or text here matches "logs/d9.log"; the nearest are logs/d1.log'
    )


def test_a_hostile_what_is_escaped_in_the_error(cli: Cli) -> None:
    done = cli("trace", TRANSCRIPT, "\x1b[31m\u202e[bold]")
    assert done.code == 2 and "\x1b" not in done.err and "\u202e" not in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("format_", ["jsonl", "junit"])
def test_a_format_that_is_not_there_is_refused(cli: Cli, format_: str) -> None:
    done = cli("trace", TRANSCRIPT, "d2.log", "-f", format_)
    assert done.code == 2 and done.out == b""


def test_csv_into_a_file(cli: Cli, tmp_path: Path) -> None:
    target = tmp_path / "life.csv"
    assert cli("trace", TRANSCRIPT, "d2.log", "-p", POLICY, "-f", "csv", "-o", str(target)).code == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text("utf-8"), newline="")))
    assert [row["event"] for row in rows] == ["used", "came", "left"]


def test_the_next_commands_run(cli: Cli) -> None:
    text = cli("trace", TRANSCRIPT, "d2.log", "-p", POLICY, "--call", "6").text
    commands = [line[4:].split() for line in text[text.index("\nnext") + 1 :].strip().split("\n")]
    assert [words[1] for words in commands] == ["recall", "explain", "trace"]
    for words in commands:
        assert cli(*words[1:]).code == 0


def test_the_examples_of_help_that_need_no_log_run(cli: Cli) -> None:
    shown = cli("trace", "--help").text
    assert "TRANSCRIPT WHAT [OPTIONS]" in shown
    ours = [line.split()[1:] for line in shown.split("Examples\n")[1].split("\n") if "fixtures/" in line]
    assert ours and all(cli(*words).code == 0 for words in ours)
    assert "\n  trace " in cli("--help").text


def reread() -> Iterator[tuple[Path, str, int, list[int]]]:
    """Yield (log, path, call, calls) of files read before a compaction and again at `call` after it.

    `calls` are where each earlier look left: at the first call after the compaction that followed it.
    """
    for path in sorted(LOGS.glob("*.jsonl")):
        transcript = load(str(path))
        compactions = [event for event in transcript.events if event.kind == "compaction"]
        numbers = {call.at: call.number for call in transcript.calls}
        looks: dict[str, list[int]] = {}
        for item in transcript.items if compactions else ():
            for call in item.calls:
                if call.name not in ("Read", "Write") or not call.resource:
                    continue
                before = looks.setdefault(call.resource, [])
                left = [next((e.call for e in compactions if e.at > at), 0) for at in before]
                if call.name == "Read" and before and all(0 < gone <= numbers[item.at] for gone in left):
                    yield path, call.resource, numbers[item.at], left
                before.append(item.at)


@pytest.mark.skipif(not LOGS.is_dir(), reason="the real logs are not here")
def test_what_real_logs_read_again_after_a_compaction_left_at_its_call(cli: Cli) -> None:
    """The five-minute test: one command a file says at which call each look left; microcompactions may be earlier."""
    found = list(reread())
    assert len(found) >= 10
    for path, resource, number, left in found[:: max(len(found) // 12, 1)]:
        words = ("trace", str(path), resource, "--call", str(number), "-p", "recorded", "-q")
        document = json.loads(cli(*words, "-f", "json").out)
        fits(document)
        assert document["atCall"]["full"] == document["atCall"]["truncated"] == 0, (path.name, resource)
        lost = [e for e in document["events"] if e["event"] == "left"]
        by_compaction = [e["call"] for e in lost if e["decision"]["rule"] == "recorded.compaction"]
        early = sum(e["decision"]["rule"] == "recorded.microcompaction" for e in lost)
        assert len(by_compaction) + early == len(left) == len(lost), (path.name, resource)
        if not early:
            assert by_compaction == left, (path.name, resource)
        if len(set(left)) <= 3:
            assert all(f"at call {number}" in document["answer"] for number in by_compaction), document["answer"]
