"""A policy's id changes with what changes a window, and with nothing else (spec/3)."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.policy.known import READS, STRATEGIES, load
from windowkeeper_cli.model.settings import Budget, Expire, Prices, Settings
from windowkeeper_cli.policy import policy_id
from windowkeeper_cli.policy.keys import KEYS
from windowkeeper_cli.policy.start import SAMPLES

DEFAULT = load("{}").id
OTHER: dict[str, object] = {
    "flag": lambda value: not value,
    "whole": 3,
    "number": 0.5,
    "texts": ["other"],
    "patterns": ["other"],
    "wholes": {"other": 3},
    "numbers": {"other": 3},
}


def test_an_id_is_the_hash_of_the_canonical_values() -> None:
    # By hand: the one section that this strategy reads, its keys sorted, no blanks.
    loaded = load(None, "sliding-window", "slidingWindow.keepRecentTurns=4")
    text = (
        '{"pins":{"keepLastToolResults":2,"strictPairs":false},'
        '"slidingWindow":{"keepRecentTurns":4},"strategy":"sliding-window"}'
    )
    assert loaded.id == hashlib.sha256(text.encode()).hexdigest()[:12]


@pytest.mark.parametrize("key", [key for key in KEYS if key.section], ids=lambda key: key.path)
def test_exactly_the_sections_that_are_read_change_the_id(key: object) -> None:
    from windowkeeper_cli.policy.keys import Key, default_of

    assert isinstance(key, Key)
    other = OTHER.get(key.kind.form, key.kind.choices[-1:] and key.kind.choices[-1])
    value = other(default_of(key)) if callable(other) else other
    if key.path == "budget.reserve":
        value = 3_000
    if key.path == "budget.max":
        value = 170_000
    if key.path == "toolResults.keepTail":
        value = 0.1
    changed = load(json.dumps({key.section: {key.name: value}}))
    assert (changed.id != DEFAULT) == (key.section in READS["windowkeeper"])


def test_effective_values_count_not_how_they_were_given() -> None:
    assert load('{"budget": {"target": 72000}}').id == DEFAULT
    assert load('{"budget": {"backoff": 0.10}}').id == DEFAULT
    assert load(None, "windowkeeper", "budget.reserve=16000").id == DEFAULT
    assert load('{"expire": {"tools": {"a": 1, "b": 2}}}').id == load('{"expire": {"tools": {"b": 2, "a": 1}}}').id
    assert load(None, "none", "budget.max=90000").id == load(None, "none").id


def test_a_policy_made_in_code_has_the_id_of_the_file() -> None:
    code = Settings(budget=Budget(backoff=2), prices=Prices(cache_write=9), expire=Expire(tags={"b": 1, "a": 2}))
    assert policy_id(code, STRATEGIES.reads("windowkeeper")) == (
        load('{"budget": {"backoff": 2.0}, "expire": {"tags": {"a": 2, "b": 1}}}').id
    )


def test_the_id_of_the_default_policy_never_changes_by_itself() -> None:
    # Golden: a new value here means that every id in every old report is another one.
    assert DEFAULT == "6abcd5f1373f"


def test_every_key_without_a_default_has_a_sample() -> None:
    from windowkeeper_cli.policy.keys import default_of

    assert {key.path for key in KEYS if default_of(key) is None} == set(SAMPLES)
