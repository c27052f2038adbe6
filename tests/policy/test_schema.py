"""The JSON Schema says what the loader says of one key (spec/3), in draft 2020-12."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.policy.known import READS, problems
from tests.policy.test_problems import BAD
from windowkeeper_cli.policy.keys import DEFAULTS, KEYS, default_of, effective
from windowkeeper_cli.policy.schema import policy_schema

SCHEMA: Any = policy_schema(tuple(READS))
VALIDATOR = Draft202012Validator(SCHEMA)
AGREEMENT = ("leaves nothing", "is over the limit", "nothing is left", "is not given", 'the regular expression "')


def nested(path: str, value: object) -> dict[str, object]:
    """Return the policy that gives one key."""
    section, _, name = path.rpartition(".")
    return {section: {name: value}} if section else {name: value}


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


def test_the_default_policy_is_valid() -> None:
    values: dict[str, Any] = {}
    for key in KEYS:
        for section, held in nested(key.path, effective(DEFAULTS, key)).items():
            values[section] = {**values.get(section, {}), **held} if isinstance(held, dict) else held
    VALIDATOR.validate(values)
    VALIDATOR.validate({})


def test_a_bad_policy_is_not_valid() -> None:
    assert not VALIDATOR.is_valid(json.loads(BAD))


VALUES = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(-2, 10),
    some.sampled_from([0.0, -0.5, 0.25, 1.5, 1e13, 10**13, 10**12]),
    some.sampled_from(["", "all", "stop", "none", "compaction", "windowkeeper", "x"]),
    some.lists(some.sampled_from(["", "x", 1, None, True]), max_size=2),
    some.dictionaries(
        some.sampled_from(["", "x", "a.b"]), some.sampled_from([0, 1, 0.5, -1, True, None, "x", {}]), max_size=2
    ),
)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
@given(data=some.data())
@settings(max_examples=60, deadline=None)
def test_the_schema_agrees_with_the_loader(key: Any, data: Any) -> None:
    policy = nested(key.path, data.draw(VALUES))
    found = [problem for problem in problems(json.dumps(policy)) if not any(word in problem for word in AGREEMENT)]
    whole_float = any(isinstance(part, float) and part == int(part) for part in _parts(policy))
    if whole_float and "whole" in key.kind.form:
        return  # JSON Schema calls 4000.0 an integer; a policy wants 4000.
    assert VALIDATOR.is_valid(policy) == (not found), found


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        return [part for held in value.values() for part in _parts(held)]
    return [value]


@pytest.mark.parametrize("value", [3, "x", [], True])
def test_sections_are_objects(value: object) -> None:
    for section in {key.section for key in KEYS if key.section}:
        assert not VALIDATOR.is_valid({section: value})
        assert not VALIDATOR.is_valid({section: {"other": 1}})
        assert VALIDATOR.is_valid({section: None})
    assert not VALIDATOR.is_valid({"other": 1})


def test_every_key_is_described_and_has_its_default() -> None:
    for key in KEYS:
        held = SCHEMA["properties"][key.section]["properties"] if key.section else SCHEMA["properties"]
        assert held[key.name]["description"] == key.text
        assert held[key.name].get("default") == default_of(key)


def test_an_alias_is_a_name_only_where_its_strategy_is_there() -> None:
    without: Any = policy_schema(("windowkeeper",))
    assert without["properties"]["strategy"]["enum"] == ["windowkeeper", None]
    assert "compaction" in SCHEMA["properties"]["strategy"]["enum"]
