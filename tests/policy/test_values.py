"""What a policy file's values become in the settings; expected values from spec/3."""

from __future__ import annotations

import pytest

from tests.policy.known import load, problems
from windowkeeper_cli.model.settings import Budget, Expire, Pins, Protect, Settings, ToolResults

GIVEN = """{"budget": {"max": 9, "reserve": 1, "idleSeconds": 300}, "protect": {"tags": ["b", "a"]},
            "expire": {"tools": {"z": 1, "a": 2}}}"""
SAME = """
[budget]
max = 9
reserve = 1
idleSeconds = 300
[protect]
tags = ["b", "a"]
[expire.tools]
a = 2
z = 1
"""


@pytest.mark.parametrize(("data", "name"), [(GIVEN, "p.json"), (SAME, "p.toml"), (SAME, "p.TOML")])
def test_json_and_toml_make_the_same_settings(data: str, name: str) -> None:
    loaded = load(data, name)
    assert loaded.settings == Settings(
        budget=Budget(max=9, reserve=1, idle_seconds=300),
        protect=Protect(tags=("b", "a")),
        expire=Expire(tools={"a": 2, "z": 1}),
    )
    assert list(loaded.settings.expire.tools) == ["a", "z"]
    assert loaded.id == load(GIVEN).id
    assert loaded.name == name


def test_false_is_for_ever() -> None:
    given = load('{"toolResults": {"keepErrorsTurns": false}, "pins": {"keepLastToolResults": false}}').settings
    assert given.tool_results == ToolResults(keep_errors_turns=None)
    assert given.pins == Pins(keep_last_tool_results=None)
    assert load('{"pins": {"keepLastToolResults": 0}}').settings.pins.keep_last_tool_results == 0


def test_null_is_as_if_the_key_were_absent() -> None:
    given = (
        '{"toolResults": {"keepErrorsTurns": null, "maxTokensEach": null}, "expire": {"tools": {"a": null}},'
        ' "trim": null, "pins": {"strictPairs": null}, "strategy": null}'
    )
    assert load(given).settings == Settings()
    assert load(given).origin("toolResults.maxTokensEach") == ("default", None)


def test_an_unknown_key_is_one_with_null_too() -> None:
    assert problems('{"budget": {"mx": null}}') == ("policy.json:1: budget.mx: unknown key; did you mean budget.max?",)


def test_a_null_section_takes_a_set() -> None:
    assert load('{"trim": null}', "p.json", "trim.enabled=false").settings.trim.enabled is False


def test_the_alias_compaction() -> None:
    given = '{"strategy": "compaction", "summarizeOldest": {"thresholdTokens": 10.5}}'
    assert load(given).settings.strategy == "summarize-oldest"
    assert load(given).settings.summarize_oldest.threshold_tokens == 10.5


def test_a_pyproject_named_by_hand_holds_its_table() -> None:
    data = '[project]\nname = "x"\n[tool.windowkeeper]\nstrategy = "none"\n'
    loaded = load(data, "sub/pyproject.toml")
    assert loaded.settings.strategy == "none"
    assert loaded.origin("strategy") == ("file", 4)
