"""`check --battery`: every format, the transcripts that it saves, the command that repeats each, and its options."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.cli.running import Cli
from windowkeeper_cli.report.schemas import schema

FAULTY = "tests/replay/battery/faulty.py"
ASKED = ("check", "--battery", "--times", "6", "-p")


def test_a_sound_strategy_of_the_users_own_passes(cli: Cli) -> None:
    done = cli(*ASKED, "fixtures/strategies/every_tenth.py:EveryTenth", "--times", "12")
    assert done.code == 0 and "FAIL" not in done.text and done.text.startswith("battery  12 transcripts   seed 0")


def test_a_faulty_one_fails_with_the_smallest_transcript(cli: Cli) -> None:
    done = cli(*ASKED, f"{FAULTY}:Orphans")
    assert done.code == 1 and "FAIL  invariant 3, no-orphans" in done.text
    assert "the smallest transcript that shows it has 2 messages" in done.text
    assert "rules no-orphans" in done.text


@pytest.mark.parametrize("name", ["Orphans", "Loops", "Raises", "Sound"])
def test_the_document_fits_its_schema_and_the_same_seed_gives_the_same_bytes(cli: Cli, name: str) -> None:
    first, second = (cli(*ASKED, f"{FAULTY}:{name}", "-f", "json").out for _ in range(2))
    document = json.loads(first)
    jsonschema.validate(document, schema("battery"))
    assert first == second and document["ok"] is (name == "Sound")


def test_pipelines_get_an_outcome_for_each_invariant_and_fault(cli: Cli) -> None:
    done = cli(*ASKED, f"{FAULTY}:Nameless", "-f", "junit")
    cases = list(ElementTree.fromstring(done.out).iter("testcase"))
    failed = [case.get("name") for case in cases if case.find("failure") is not None]
    assert done.code == 1 and failed == ["addressable"] and len(cases) == 10
    assert cli(*ASKED, f"{FAULTY}:Nameless", "-f", "github").text.count("::error") == 1
    assert "addressable" in cli(*ASKED, f"{FAULTY}:Nameless", "-f", "md").text
    assert cli(*ASKED, f"{FAULTY}:Nameless", "-f", "csv").text.splitlines()[1].startswith("addressable,8,")


@pytest.mark.parametrize(
    ("name", "told"),
    [("Orphans", "no-orphans"), ("Raises", "raised KeyError"), ("Unasked", "without"), ("Forces", "keep-error keeps")],
)
def test_what_is_saved_shows_it_again(cli: Cli, tmp_path: Path, name: str, told: str) -> None:
    folder = tmp_path / "smallest"
    document = json.loads(cli(*ASKED, f"{FAULTY}:{name}", "--save", str(folder), "-f", "json").out)
    assert {str(path) for path in folder.iterdir()} == {one["file"] for one in document["found"]}
    found = document["found"][0]
    again = cli("check", found["file"], *found["options"])
    assert again.code in (1, 2) and told in again.text + again.err


def test_a_table_ends_with_the_command_that_repeats_it(cli: Cli, tmp_path: Path) -> None:
    text = cli(*ASKED, f"{FAULTY}:Orphans", "--save", str(tmp_path / "new")).text
    assert f"next   windowkeeper check {tmp_path}/new/no-orphans.json -p {FAULTY}:Orphans --counter" in text


def test_settings_of_the_user_stay(cli: Cli) -> None:
    document = json.loads(cli(*ASKED, "windowkeeper", "--set", "budget.max=30000", "-f", "json").out)
    assert document["ok"] and document["changed"] < document["visits"]
    file = json.loads(cli(*ASKED, "fixtures/gate/policy.toml", "-f", "json").out)
    assert file["policy"]["from"] == "file" and file["ok"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--battery", "fixtures/small-explain/transcript.json"], "a PATH beside --battery"),
        (["--battery", "--provider", "anthropic"], "--provider beside --battery"),
        (["--battery", "--max", "gaps=1"], "--max beside --battery"),
        (["--battery", "--from", "pi"], "--from beside --battery"),
        (["--seed", "1", "fixtures"], "belong to --battery"),
        ([], "no PATH given"),
        (["--battery", "--save", "fixtures"], "no empty folder"),
        (["--battery", "--save", "no/such/place"], "no folder no/such"),
        (["--battery", "-f", "jsonl"], "no format jsonl here"),
    ],
)
def test_wrong_arguments(cli: Cli, words: list[str], told: str) -> None:
    done = cli("check", *words)
    assert (done.code, done.out) == (2, b"") and told in done.err and done.err.count("\n") == 1
