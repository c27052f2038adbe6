"""The command `diff`: policies, calls, folders, exit codes (spec/7, spec/8); and `-f md` of every report of sheets."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import POLICY, ROOT, TRANSCRIPT, Cli, process
from tests.render.md_reader import read
from tests.report.made import fits

REDIS = "fixtures/redis-auth/transcript.json"
REDIS_POLICY = "fixtures/redis-auth/policy.json"
OWN = "fixtures/strategies/every_tenth.py:EveryTenth"
PAIR = ("-p", "none", "-p", REDIS_POLICY)


def document(cli: Cli, *args: str) -> dict[str, Any]:
    """Return the document that a command prints, after holding it to its schema."""
    done = cli("diff", *args, "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    fits(found)
    return found


def test_the_fixture_by_what_its_policy_file_says(cli: Cli) -> None:
    found = document(cli, REDIS, *PAIR)
    keys = {key["key"]: (key["a"], key["fromA"], key["b"], key["fromB"]) for key in found["keys"]}
    # fixtures/redis-auth/policy.json, by its lines.
    assert keys["budget.max"] == (160_000, "default", 7_700, "file:3")
    assert keys["toolResults.evictAfterTurns"] == (8, "default", 5, "file:12")
    assert keys["strategy"] == ("none", "-p", "windowkeeper", "default")
    ledger = [json.loads(line) for line in (ROOT / "fixtures/redis-auth/ledger.jsonl").read_text().splitlines()]
    decided = [line for line in ledger if line["kind"] == "decision" and line["action"] not in ("keep", "not-smaller")]
    assert found["parts"]["call"] == decided[0]["call"]
    assert [one["at"] for one in found["parts"]["b"]] == [
        line.get("at") for line in ledger if line["kind"] == "decision" and line["call"] == decided[0]["call"]
    ]
    last: dict[int, str] = {line["at"]: line["action"] for line in decided if "at" in line}
    gone = sorted(at for at, action in last.items() if action != "recall")
    assert [one["at"] for one in found["items"]] == gone
    assert all(one["a"] == "full" and one["ruleB"] for one in found["items"])
    assert (found["a"]["name"], found["b"]["name"], found["b"]["from"]) == ("none", REDIS_POLICY, "file")


def test_set_changes_both_and_set_b_changes_b_alone(cli: Cli) -> None:
    both = document(cli, REDIS, *PAIR, "--set", "toolResults.maxTokensEach=300")
    assert "toolResults.maxTokensEach" not in {key["key"] for key in both["keys"]}
    assert both["a"]["sets"] == both["b"]["sets"] == ["toolResults.maxTokensEach=300"]
    one = document(cli, REDIS, "-p", REDIS_POLICY, "--set-b", "toolResults.evictAfterTurns=2")
    assert [(key["key"], key["a"], key["b"], key["fromB"]) for key in one["keys"]] == [
        ("toolResults.evictAfterTurns", 5, 2, "--set")
    ]
    assert one["a"]["id"] != one["b"]["id"]
    over = document(
        cli,
        REDIS,
        "-p",
        REDIS_POLICY,
        "--set",
        "budget.max=9000",
        "--set-b",
        "budget.max=7000",
        "--set-b",
        "expire.now=true",
    )
    assert {key["key"]: (key["a"], key["b"]) for key in over["keys"]}["budget.max"] == (9_000, 7_000)


def test_the_commands_that_a_page_ends_with_run(cli: Cli) -> None:
    for words in (PAIR, ("-p", REDIS_POLICY, "--set-b", "toolResults.evictAfterTurns=2", "--limit", "5k")):
        page = cli("diff", REDIS, *words).text
        last = page.rpartition("\nnext")[2].strip("\n").split("\n")
        commands = [line.partition(" windowkeeper ")[2] for line in last]
        assert commands
        for command in commands:
            assert cli(*shlex.split(command)).code == 0, command


def test_the_call_may_be_a_number_a_word_or_the_last_that_moved_something(cli: Cli) -> None:
    moved = document(cli, REDIS, *PAIR, "--call", "replan")["call"]
    assert moved == 15
    assert document(cli, REDIS, *PAIR, "--call", "8")["call"] == 8
    assert document(cli, REDIS, *PAIR, "--call", "last")["call"] == 14
    ever = document(cli, REDIS, *PAIR, "--all")
    assert ever["ever"] and {one["at"] for one in ever["items"]} >= {
        one["at"] for one in document(cli, REDIS, *PAIR)["items"]
    }


def test_exit_codes(cli: Cli) -> None:
    assert cli("diff", REDIS, *PAIR).code == 0
    assert cli("diff", REDIS, *PAIR, "--exit-code").code == 1
    assert cli("diff", REDIS, "-p", "none", "-p", "windowkeeper", "--exit-code").code == 0
    better = [one["figure"] for one in document(cli, REDIS, *PAIR)["figures"] if one["better"] is True]
    worse = [one["figure"] for one in document(cli, REDIS, *PAIR)["figures"] if one["better"] is False]
    assert "costWeighted" in better and "invalidations" in worse
    assert cli("diff", REDIS, *PAIR, "--fail-worse", "costWeighted").code == 0
    assert cli("diff", REDIS, *PAIR, "--fail-worse", "costWeighted", "--fail-worse", "invalidations").code == 1
    assert cli("diff", REDIS, *PAIR, "--fail-worse", "invalidations").text == cli("diff", REDIS, *PAIR).text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((REDIS,), "diff compares two policies, and none is given; give -p twice"),
        ((REDIS, "-p", "none"), "diff compares two policies, and 1 is given; give -p twice, or once with --set-b"),
        ((REDIS, "-p", "none", "-p", "none"), "-p none is given twice; name another, or change a key of B by --set-b"),
        ((REDIS, *PAIR, "-p", "tiered"), "diff compares two policies, and 3 are given"),
        ((REDIS, "-p", "recorded", "-p", "none"), "A (recorded) cannot be replayed: this log holds no removals"),
        ((REDIS, "-p", "none", "-p", "sliding-window"), "B (sliding-window) cannot be replayed: sliding-window has no"),
        ((REDIS, *PAIR, "--call", "99"), "--call 99: no such call; there are calls 1 to 14"),
        ((REDIS, *PAIR, "--fail-worse", "recalls"), "--fail-worse recalls: no figure that can be worse; use one of"),
        ((REDIS, *PAIR, "--fail-worse", "money"), "--fail-worse money: not measured on both sides; give --model"),
        ((REDIS, *PAIR, "-f", "jsonl"), "no format jsonl here; use one of table, json, csv, md"),
        ((REDIS, *PAIR, "--limit", "x"), "--limit x: no number of tokens"),
        (("fixtures/none.json", *PAIR), "fixtures/none.json"),
        (("fixtures", *PAIR, "--call", "3"), "--call speaks of one session, and a folder is named"),
        (("fixtures", *PAIR, "--all"), "--all speaks of one session, and a folder is named"),
        (("fixtures", *PAIR, "--part", "2"), "--part speaks of one session, and a folder is named"),
    ],
)
def test_what_is_wrong_is_one_line(cli: Cli, words: tuple[str, ...], said: str) -> None:
    done = cli("diff", *words)
    assert (done.code, done.out) == (2, b"")
    assert done.err.count("\n") == 1 and said in done.err


def test_a_folder(cli: Cli, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copy(ROOT / REDIS, tmp_path / f"{name}.json")
    (tmp_path / "c.json").write_bytes((ROOT / REDIS).read_bytes()[:-900])
    (tmp_path / "d.json").write_bytes((ROOT / TRANSCRIPT).read_bytes())
    done = cli("diff", str(tmp_path), *PAIR, "-f", "json")
    assert done.code == 0
    found = json.loads(done.out)
    fits(found)
    assert [Path(one["path"]).name for one in found["sessions"]] == ["a.json", "b.json", "d.json"]
    assert [Path(one["path"]).name for one in found["skipped"]] == ["c.json"]
    parted = sum(one["partsAtCall"] is not None for one in found["sessions"])
    page = cli("diff", str(tmp_path), *PAIR, "--width", "100").text
    assert f"The windows part in {parted} of 3 sessions." in page and "sessions that change most" in page
    assert cli("diff", str(tmp_path), *PAIR, "--exit-code").code == 1
    assert cli("diff", str(tmp_path), *PAIR, "-j", "2", "-f", "json").out == done.out


def test_an_own_strategy_and_one_more_process(cli: Cli) -> None:
    found = document(cli, REDIS, "-p", "none", "-p", OWN)
    assert (found["b"]["name"], found["b"]["from"]) == (OWN, "own")


def test_standard_input_and_a_file_that_is_an_input(cli: Cli) -> None:
    data = (ROOT / REDIS).read_bytes()
    done = process("diff", "-", *PAIR, "-f", "json", data=data)
    assert json.loads(done.out)["figures"] == document(cli, REDIS, *PAIR)["figures"]
    assert cli("diff", REDIS, *PAIR, "-o", REDIS).code == 2
    assert cli("diff", REDIS, *PAIR, "-o", REDIS_POLICY).code == 2


def test_the_same_bytes_under_another_hash_seed() -> None:
    first = process("diff", REDIS, *PAIR, "--all", PYTHONHASHSEED="1")
    assert first.code == 0
    assert process("diff", REDIS, *PAIR, "--all", PYTHONHASHSEED="2").out == first.out


@pytest.mark.parametrize(
    "command",
    [
        ("explain", TRANSCRIPT, "-p", POLICY),
        ("explain", TRANSCRIPT, "-p", POLICY, "--all"),
        ("trace", TRANSCRIPT, "d2.log", "-p", POLICY),
        ("refusals", TRANSCRIPT, "-p", POLICY),
        ("dropped", TRANSCRIPT, "-p", POLICY),
        ("replay", REDIS, "--limit", "5k", "--by-call"),
        ("diff", REDIS, *PAIR),
        ("diff", "fixtures", *PAIR),
        ("check", TRANSCRIPT, "-p", POLICY),
        ("info", REDIS),
        ("sessions", "fixtures"),
        ("policy", "list"),
        ("policy", "show", "-p", REDIS_POLICY),
        ("policy", "check", REDIS_POLICY),
        ("rules",),
        ("rules", "protected-tag"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_every_report_is_markdown_too(cli: Cli, command: tuple[str, ...]) -> None:
    done = cli(*command, "-f", "md")
    assert done.code == 0, done.err
    assert done.text.startswith("### windowkeeper ") and done.text.endswith("\n")
    reader = read(done.text)
    tables = done.text.count("\n| ---")
    assert reader.tags.count("table") == tables
    assert set(reader.tags) <= {
        "h3", "ul", "li", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "details",
        "summary",
    }  # fmt: skip
    for row in done.text.split("\n"):
        assert not row.startswith("| ") or row.endswith(" |")
