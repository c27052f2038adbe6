"""The case runner: the shared cases hold, and a case that does not hold fails by its key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.logs import SHARED, LogFile, call, text
from tests.run_cases import main

CASES = SHARED / "cases"


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
def test_the_shared_cases_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(CASES)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(" passed, 0 failed")


def folder(path: Path, expect: dict[str, Any], kind: str = "claude-code") -> str:
    log = LogFile()
    log.user("a", timestamp="2026-03-04T23:30:00Z")
    log.reply("m1", call("x", command="ls"), call("y"), usage={"input_tokens": 3, "output_tokens": 1})
    log.result("x", "out", timestamp="2026-03-05T00:00:01Z")
    log.reply("m2", text("b"), usage={"input_tokens": 5, "output_tokens": 1})
    (path / "log.jsonl").write_bytes(log.encoded())
    case = {"id": "t1", "file": "log.jsonl", "format": kind, "what": "", "expect": expect}
    (path / "cases.jsonl").write_text(json.dumps(case) + "\n")
    return str(path)


GOOD: dict[str, Any] = {
    "load": "warn",
    "faults": [{"line": 2, "kind": "unanswered-tool-call", "id": "y"}],
    "faults_at_most": [{"line": 2}],
    "records": 4,
    "api_calls": {"main": 2, "sidechain": 0},
    "usage": {"main": {"uncached_input": 8, "prompt_total": 8, "output": 2}},
    "peak_prompt_tokens": 5,
    "prompt_tokens_per_call": [3, 5],
    "call_order": ["m1", "m2"],
    "blocks": {"user_text": 1, "tool_call": 2, "tool_result": 1, "assistant_text": 1},
    "blocks_total": 5,
    "unanswered_calls": ["y"],
    "parallel_batches": 1,
    "ids_matched": 1,
    "error_results": [],
    "misplaced_results": [],
    "identical_items": 0,
    "first_time_utc": "2026-03-04T23:30:00+00:00",
    "last_time_utc": "2026-03-05T00:00:01Z",
    "duration_seconds": 1801,
    "text_of_results": {"x": "out"},
    "estimated_tokens_of_result_at_most": 20,
    "same_role_runs": 0,
    "strict_alternation_would_reject": False,
}


@pytest.mark.parametrize("key", GOOD)
def test_a_right_value_passes_and_a_wrong_one_fails_by_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    assert main([folder(tmp_path, {key: GOOD[key]})]) == 0
    wrong: dict[str, Any] = {
        "load": "ok",
        "faults": [],
        "faults_at_most": [],
        "usage": {"main": {"output": 3}},
        "api_calls": {"main": 3},
        "blocks": {"user_text": 9},
        "text_of_results": {"x": "no"},
        "estimated_tokens_of_result_at_most": 0,
        "strict_alternation_would_reject": True,
        "first_time_utc": "2026-03-04T23:30:01Z",
        "last_time_utc": "2026-03-04T23:30:01Z",
    }
    value = wrong.get(key, ["z"] if isinstance(GOOD[key], list) else 77)
    capsys.readouterr()
    assert main([folder(tmp_path, {key: value})]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith(f"FAILED t1 (log.jsonl): {key}: ") and out[-1] == "0 passed, 1 failed"


def test_a_key_that_is_not_known_fails_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([folder(tmp_path, {"moon_phase": 3})]) == 1
    assert "moon_phase: a key that this runner does not know" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("faults", [{"line": 2, "kind": "unanswered-tool-call", "colour": 1}], "colour: a key of a fault"),
        ("faults_at_most", [{"line": 2, "colour": 1}], "colour: a key of a fault"),
        ("faults", [{"line": 2, "kind": "late-tool-result"}], "not named"),
        ("usage", {"main": {"colour": 1}}, "colour"),
        ("usage", {"moon": {"output": 1}}, "moon"),
        ("synthetic_messages", {"colour": 1}, "colour"),
        ("compactions", 7, "a value in a shape that this runner does not know"),
    ],
)
def test_a_key_inside_a_value_that_is_not_known_fails_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, value: Any, problem: str
) -> None:
    assert main([folder(tmp_path, {key: value})]) == 1
    assert problem in capsys.readouterr().out


def test_a_window_of_a_log_is_meant_as_logged_or_as_sent(tmp_path: Path) -> None:
    for expected in (True, False):
        assert main([folder(tmp_path, {"provider_would_reject": expected})]) == 0
    (tmp_path / "log.jsonl").write_text('[{"role": "developer", "content": "a"}, {"role": "user", "content": "b"}]')
    line = {"id": "t", "file": "log.jsonl", "format": "openai-chat"}
    for expected in (True, False):
        case = line | {"expect": {"provider_would_reject": expected}}
        (tmp_path / "cases.jsonl").write_text(json.dumps(case))
        assert main([str(tmp_path)]) == expected


def test_a_kind_in_words_of_its_own_is_not_compared(tmp_path: Path) -> None:
    assert main([folder(tmp_path, {"faults": [{"line": 2, "kind": "a call that nobody answered", "id": "y"}]})]) == 0
    assert main([folder(tmp_path, {"faults": [{"line": 3, "kind": "a call that nobody answered", "id": "y"}]})]) == 1


def test_a_place_is_named_by_a_part_of_it(tmp_path: Path) -> None:
    asked = [{"id": name, "function": {"name": "n", "arguments": "{}"}} for name in "xy"]
    body = [{"role": "assistant", "tool_calls": asked}, {"role": "tool", "tool_call_id": "x", "content": "r"}]
    (tmp_path / "chat.json").write_text(json.dumps([*body, {"role": "user", "content": "on"}]))
    for place, code in (("[0]", 0), ("[0].tool_calls[1]", 0), ("[0].tool_calls[0]", 1), ("[00]", 1), ("[1]", 1)):
        case = {"id": "t", "file": "chat.json", "format": "openai-chat", "expect": {"faults": [{"at": place}]}}
        (tmp_path / "cases.jsonl").write_text(json.dumps(case))
        assert main([str(tmp_path)]) == code, place


def test_the_faults_of_a_load_that_fails_are_looked_for_in_its_message(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"messages": [\n{"role": "user",')
    for line, code in ((2, 0), (1, 1)):
        expect = {"load": "error", "faults": [{"line": line}], "error_names": {"file": ["cut", ".json"]}}
        case = {"id": "t", "file": "cut.json", "format": "anthropic", "expect": expect}
        (tmp_path / "cases.jsonl").write_text(json.dumps(case))
        assert main([str(tmp_path)]) == code


def test_formats_to_come_are_counted_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([folder(tmp_path, {}, "a-format-to-come")]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["1 not checked", "0 passed, 0 failed"]


def test_an_error_that_does_not_come_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([folder(tmp_path, {"load": "error", "exit_code": 2})]) == 1
    assert "expected an error, and it loaded" in capsys.readouterr().out
