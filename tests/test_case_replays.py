"""The `replay` key of cases: our own cases hold, a wrong value of any key fails, places name what they should."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.case_places import Places
from tests.case_replays import KEYS_OF_REPLAY, Replayed, ours, replay_failures
from tests.run_cases import CHECKS, main
from windowkeeper_cli.formats import FORMATS, load
from windowkeeper_cli.model.transcript import Transcript

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "cases"
CASES = [json.loads(line) for line in (FOLDER / "cases.jsonl").read_text("utf-8").splitlines()]
Json = dict[str, Any]


def opened(name: str) -> Transcript:
    return load(str(FOLDER / name))


def test_our_own_cases_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(FOLDER)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{len(CASES)} passed, 0 failed"]


def test_our_own_cases_are_of_every_format_and_use_every_key_of_a_replay() -> None:
    assert {case["format"] for case in CASES} == {
        "anthropic", "openai-chat", "openai-responses", "claude-code", "codex", "ai-sdk", "langchain", "windowkeeper",
        "none",
    }  # fmt: skip
    assert set(FORMATS.names) >= {case["format"] for case in CASES} - {"none"}
    replays = [one for case in CASES for one in case["expect"].get("replay", ())]
    assert {key for one in replays for key in one} - {"policy"} == set(KEYS_OF_REPLAY)
    assert {one["policy"]["strategy"] for one in replays} == {
        "sliding-window", "token-budget", "sliding-tokens", "clear-tool-results",
    }  # fmt: skip
    assert {"replay", "must_leave_together"} <= set(CHECKS)


WRONG: Json = {
    "removed_messages": 99,
    "turns_after": 99,
    "prompts_after": 99,
    "user_turns_after": 99,
    "provider_would_reject_after": True,
    "tool_pairs_after": 99,
    "first_role_after": "assistant",
    "orphan_results_after": ["zz"],
    "unanswered_calls_after": ["zz"],
    "pending_calls_after": ["zz"],
    "refusals_include": [{"at": "messages[0]", "reason": "pinned"}],
    "refusals_include_any": [{"at": "messages[0]", "reason": ["pinned", "paused-tool"]}],
    "must_keep": ["messages[1]"],
    "byte_identical": ["messages[1].content[0]"],
    "must_leave_together": [["messages[5]", "messages[6]"]],
    "over_budget": True,
}


@pytest.mark.parametrize("key", KEYS_OF_REPLAY)
def test_a_wrong_value_fails_by_its_key(key: str) -> None:
    policy = CASES[0]["expect"]["replay"][0]["policy"]
    found = list(replay_failures(opened(CASES[0]["file"]), {"policy": policy, key: WRONG[key]}))
    assert found
    assert all(problem.startswith(f"{key}: ") for problem in found)


def test_a_case_whose_replay_fails_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = copy.deepcopy(CASES[0])
    case["expect"] = {"replay": [case["expect"]["replay"][0] | {"removed_messages": 3}]}
    (tmp_path / case["file"]).write_bytes((FOLDER / case["file"]).read_bytes())
    (tmp_path / "cases.jsonl").write_text(json.dumps(case) + "\n")
    assert main([str(tmp_path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("FAILED c01 (anthropic_greenhouse.json): replay: [0] removed_messages: expected 3")


@pytest.mark.parametrize(
    "entry",
    [
        {"policy": {"strategy": "sliding-window", "keep_recent_turns": 1}, "moon_phase": 3},
        {"policy": {"strategy": "sliding-window", "moon_phase": 3}},
        {"policy": {"strategy": "moon"}},
        {"policy": {"strategy": "sliding-window"}},
        {"policy": {"strategy": "none"}, "must_keep": ["messages[99]"]},
        {"policy": {"strategy": "none"}, "must_keep": ["messages[0].content[1]"]},
        {"policy": {"strategy": "none"}, "must_keep": ["tools"]},
    ],
)
def test_what_is_not_known_fails(entry: Json) -> None:
    assert len(list(replay_failures(opened("anthropic_greenhouse.json"), entry))) == 1


def test_places_of_a_document_are_found_by_loading_its_parts() -> None:
    # By hand: 0 system, 1 request, 2 reply (text, two calls), 3 and 4 its results, 5 reply, 6 its result.
    places = Places(opened("anthropic_greenhouse.json"))
    assert places.of("system") == [(0, 0)]
    assert places.of("messages[0]") == [(1, 0)]
    assert places.of("messages[1]") == [(2, 0), (2, 1), (2, 2)]
    assert places.of("messages[1].content[2]") == [(2, 2)]
    assert places.items("messages[2]") == [3, 4]
    assert places.of("messages[2].content[1]") == [(4, 0)]
    assert places.of("messages[4]") == [(6, 0)]
    assert len(places.messages()) == 9


def test_places_of_a_list_and_of_a_log() -> None:
    places = Places(opened("openai_mail_list.json"))
    assert [places.items(f"[{n}]") for n in range(5)] == [[0], [1], [2], [3], [4]]
    places = Places(opened("cc_boat.jsonl"))
    assert [places.items(line) for line in range(1, 6)] == [[0], [1], [1], [2], [3]]
    with pytest.raises(LookupError):
        places.of(6)


def test_neutral_names_go_to_the_strategys_own_section_first() -> None:
    assert ours({"strategy": "token-budget", "threshold_tokens": 9, "keep_last_tool_results": 1}) == {
        "strategy": "token-budget", "tokenBudget": {"thresholdTokens": 9}, "pins": {"keepLastToolResults": 1},
    }  # fmt: skip
    assert ours({"strategy": "summarize-oldest", "keep_recent_turns": 2})["summarizeOldest"] == {"keepRecentTurns": 2}
    assert ours({"strategy": "windowkeeper", "max": 9, "budget.reserve": 0})["budget"] == {"max": 9, "reserve": 0}


def test_neutral_names_that_are_none_of_ours() -> None:
    policy = {"strategy": "clear-tool-results", "trigger_tokens": 0, "keep_tool_uses": 1, "budget_tokens": 9}
    assert ours(policy) == {
        "strategy": "clear-tool-results", "clearToolResults": {"trigger": 0, "keep": 1}, "budget": {"max": 9},
    }  # fmt: skip


def test_a_token_trigger_reads_the_transcripts_own_estimate() -> None:
    transcript = opened("anthropic_greenhouse.json")
    total = sum(Replayed(transcript, {"strategy": "none"}).session.counts.tokens)
    policy = {"strategy": "token-budget", "keep_recent_turns": 1}
    assert (
        list(replay_failures(transcript, {"policy": policy | {"threshold_tokens": total}, "over_budget": False})) == []
    )
    below = {"policy": policy | {"threshold_tokens": total - 1}, "over_budget": True}
    assert list(replay_failures(transcript, below)) == []
