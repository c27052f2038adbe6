"""`windowkeeper gaps` as a user types it (spec/7, spec/8)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.running import TRANSCRIPT, Cli
from tests.cli.test_refusals_and_dropped import OWN, needs
from tests.replay.gaps.test_kinds import HASH, PATH, TEXT
from tests.replay.gaps.working import did, pause
from tests.report.made import fits
from tests.report.test_gaps import BIG
from tests.sessions import asks
from windowkeeper_cli.strategies import STRATEGIES

CHARS = ("--counter", "chars:4")
SLIDING = (
    "-p",
    "sliding-window",
    "--set",
    "slidingWindow.keepRecentTurns=3",
    "--set",
    "pins.keepLastToolResults=false",
)


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Return a session that needs a file and a hash again after both have left a window of three turns."""
    read = [did(number, "Read", TEXT * 3, file_path=PATH) for number in (1, 3)]
    show = did(4, "Bash", "", command=f"git show {HASH}")
    messages = [asks("Begin"), *read[0], *did(2, "Bash", BIG, command="git log"), *pause(2), *read[1], *show]
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}), "utf-8")
    return str(path)


@pytest.mark.parametrize("strategy", STRATEGIES.names)
def test_every_strategy_has_the_report(cli: Cli, strategy: str) -> None:
    words = ("gaps", TRANSCRIPT, "-p", strategy, *needs(strategy), *CHARS)
    done = cli(*words, "--width", "100")
    assert (done.code, done.err) == (0, "")
    assert ("RECORDED: what the harness itself did" if strategy == "recorded" else f"WHAT-IF {strategy}") in done.text
    fits(json.loads(cli(*words, "-f", "json").out))


def test_a_strategy_of_the_users_own_has_it(cli: Cli) -> None:
    fits(json.loads(cli("gaps", TRANSCRIPT, "-p", OWN, "-f", "json").out))


def test_the_formats_agree(cli: Cli, log: str) -> None:
    found = json.loads(cli("gaps", log, *SLIDING, *CHARS, "-f", "json").out)
    assert [(gap["call"], gap["kind"], gap["use"]) for gap in found["gaps"]] == [
        (6, "re-read", PATH),
        (7, "identifier", HASH),
    ]
    lines = cli("gaps", log, *SLIDING, *CHARS, "-f", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == found["gaps"]
    text = cli("gaps", log, *SLIDING, *CHARS, "-f", "csv").out.decode()
    assert len(list(csv.DictReader(io.StringIO(text, newline="")))) == 2
    assert "at least" in cli("gaps", log, *SLIDING, *CHARS).text


def test_a_kind_is_chosen_and_a_wrong_one_names_the_right_ones(cli: Cli, log: str) -> None:
    found = json.loads(cli("gaps", log, *SLIDING, "--kind", "identifier", "--kind", "unsourced", "-f", "json").out)
    assert found["byKind"] == {"identifier": 1, "unsourced": 0}
    done = cli("gaps", log, "--kind", "hunch")
    assert (done.code, done.out) == (2, b"") and done.err.count("\n") == 1
    assert done.err.startswith("windowkeeper: unknown gap kind 'hunch'; known: re-read, identifier, mention")


def test_up_to_a_call(cli: Cli, log: str) -> None:
    assert "call 6" in cli("gaps", log, *SLIDING, "--call", "6").text
    assert len(json.loads(cli("gaps", log, *SLIDING, "--call", "6", "-f", "json").out)["gaps"]) == 1


def test_hostile_content_is_shown_escaped(cli: Cli, tmp_path: Path) -> None:
    odd = "a/\x1b[31mred\u202e.py"
    messages = [
        asks("Begin"),
        *did(1, "Read", TEXT * 3, file_path=odd),
        *pause(2),
        *did(3, "Read", TEXT * 3, file_path=odd),
    ]
    path = tmp_path / "session.json"
    path.write_text(json.dumps({"format": "windowkeeper/1", "messages": messages}), "utf-8")
    done = cli("gaps", str(path), *SLIDING, *CHARS)
    assert "1 re-read" in done.text and "\x1b" not in done.text and "\u202e" not in done.text


def test_rules_explain_a_kind(cli: Cli) -> None:
    text = cli("rules", "re-read").text
    assert "gap kind" in text and "had left the window" in text


def test_replay_has_the_column_and_the_figures(cli: Cli, log: str) -> None:
    words = ("replay", log, "-p", "none", *SLIDING, *CHARS)
    rows = {row["policy"]: row["gaps"] for row in json.loads(cli(*words, "-f", "json").out)["rows"]}
    assert set(rows["none"].values()) == {0}
    assert (rows["sliding-window"]["reRead"], rows["sliding-window"]["identifier"]) == (1, 1)
    assert "gaps" in cli(*words).text
