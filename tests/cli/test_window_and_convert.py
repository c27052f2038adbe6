"""`windowkeeper window` and `windowkeeper convert` as a user types them (spec/8)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Cli
from windowkeeper_cli.formats import load
from windowkeeper_cli.formats.writers import WRITERS

SMALL = "fixtures/redis-auth/transcript.json"
POLICY = ("-p", "fixtures/redis-auth/policy.json")
LATE = "fixtures/cases/windowkeeper_late_bread.json"


@pytest.mark.parametrize("target", WRITERS.names)
def test_window_writes_one_document_and_says_what_is_missing(cli: Cli, target: str) -> None:
    done = cli("window", SMALL, *POLICY, "--to", target)
    assert done.code == 0
    body = json.loads(done.out)
    assert isinstance(body, dict)
    assert "earlier turns have left this window" in done.text
    assert ("to be added before it is sent" in done.err) is (target != "windowkeeper")


def test_the_window_at_a_call_is_what_explain_says(cli: Cli) -> None:
    """The ids that explain names as moved out at call 15 stand as stubs in the body, and nothing else does."""
    told = json.loads(cli("explain", SMALL, *POLICY, "-f", "json", "-q").out)["visits"][-1]
    stubs = [one["item"] for one in told["decisions"] if one["formAfter"] == "stub"]
    assert stubs
    body = cli("window", SMALL, *POLICY, "--to", "openai-chat", "-q").text
    assert all(f'recall(\\"{ident}\\")' in body for ident in stubs)
    assert body.count("[moved out: ") == len(stubs)


def test_an_earlier_call_is_sent_with_less(cli: Cli) -> None:
    first = json.loads(cli("window", SMALL, "--to", "anthropic", "--call", "1", "-q").out)
    assert [message["role"] for message in first["messages"]] == ["user"]
    replan = cli("window", SMALL, *POLICY, "--to", "anthropic", "--call", "replan")
    assert replan.code == 0 and b"recall" in replan.out


def test_what_is_changed_is_named_with_its_number(cli: Cli) -> None:
    done = cli("window", LATE, "--to", "anthropic")
    assert "results that came later, moved up to their calls: 1\n" in done.err
    assert cli("window", LATE, "--to", "anthropic", "-q").err == ""


def test_convert_to_our_own_format_and_back_is_the_same(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    done = cli("convert", "fixtures/cases/cc_boat.jsonl", "--to", "windowkeeper", "-o", str(file))
    assert done.code == 0 and done.out == b""
    source, made = load("fixtures/cases/cc_boat.jsonl"), load(str(file))
    assert [item._replace(origins=()) for item in made.items] == [item._replace(origins=()) for item in source.items]
    assert made.calls == source.calls


def test_convert_names_what_a_format_cannot_hold(cli: Cli) -> None:
    done = cli("convert", "fixtures/cases/cc_boat.jsonl", "--to", "openai-chat")
    assert "times of messages, left out: " in done.err
    assert json.loads(done.out)["messages"]


def test_wrong_targets_and_files_are_said_before_any_work(cli: Cli) -> None:
    for command in ("window", "convert"):
        done = cli(command, SMALL, "--to", "word")
        assert done.code == 2 and "known: windowkeeper, anthropic" in done.err
        done = cli(command, SMALL, "--to", "anthropic", "-o", SMALL)
        assert done.code == 2 and "is an input file" in done.err


def test_content_cannot_obey_a_terminal(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "hostile.json"
    text = "\x1b[2J\u202eabc\x07"
    file.write_text(json.dumps([{"role": "user", "content": text}, {"role": "assistant", "content": "ok"}]))
    for command in ("window", "convert"):
        done = cli(command, str(file), "--to", "openai-chat", "-q")
        assert b"\x1b" not in done.out and "\u202e" not in done.text
        assert json.loads(done.out)["messages"][0]["content"] == text
