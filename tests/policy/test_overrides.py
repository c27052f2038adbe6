"""What --set changes; expected values from spec/3."""

# Expected lines stand as they are printed.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.policy.known import load, problems
from windowkeeper_cli.policy.keys import BY_PATH, value_of

TAKEN = {
    "toolResults.maxTokensEach=2000": 2000,
    "strategy=none": "none",
    'strategy="none"': "none",
    "strategy=windowkeeper": "windowkeeper",
    "budget.backoff=0.25": 0.25,
    "budget.backoff=2.0": 2,
    "toolResults.keepErrorsTurns=false": False,
    "trim.enabled=false": False,
    "protect.tags=a,b": ["a", "b"],
    "protect.tags=a, b": ["a", "b"],
    'protect.tags=["a,b"]': ["a,b"],
    'protect.tags="a",b': ["a", "b"],
    "protect.tags=[]": [],
    "protect.tags=": [],
    "protect.tags=3": ["3"],
    "protect.patterns=\\bnever\\b.{1,3}": ["\\bnever\\b.{1,3}"],
    'protect.patterns=["a", "b,c"]': ["a", "b,c"],
    'expire.tools={"bash": 5}': {"bash": 5},
    "clearToolResults.mode=fit": "fit",
    " budget.max = 60000 ": 60000,
}


@pytest.mark.parametrize("word", list(TAKEN))
def test_a_value_is_taken(word: str) -> None:
    key = word.split("=")[0].strip()
    loaded = load("{}", "p.json", word)
    assert value_of(loaded.settings, BY_PATH[key]) == TAKEN[word]
    if key != "strategy" or TAKEN[word] != "windowkeeper":
        assert loaded.origin(key) == ("--set", None)


WRONG = {
    "budget.max=60k": 'budget.max: found the text "60k"; write a whole number of 1 or more',
    'budget.max="6"': 'budget.max: found the text "6"; write a whole number of 1 or more',
    "budget.max=NaN": 'budget.max: found the text "NaN"; write a whole number of 1 or more',
    "budget.max=": 'budget.max: found the text ""; write a whole number of 1 or more',
    "budget.max": "budget.max: no value is given; write KEY=VALUE, as in toolResults.maxTokensEach=2000",
    "budget.mx=1": "budget.mx: unknown key; did you mean budget.max?",
    "maxTokensEach=1": "maxTokensEach: unknown key; did you mean toolResults.maxTokensEach?",
    "qqq=1": "qqq: unknown key; `windowkeeper policy show` lists the keys",
    "budget=1": "budget: is a section; set one of its keys: max, target, reserve, stopAtTarget, backoff, idleSeconds",
    "=1": "unknown key; `windowkeeper policy show` lists the keys",
    "strategy=nome": 'strategy: there is no strategy "nome"; did you mean none?',
    "budget.max=7": "budget.max, budget.reserve: nothing is left of max 7 after reserve 16000; make max larger than reserve",
    "protect.tags=[1": 'protect.tags: the end of the file stands where "," is needed; mend it',
    "check.max.gaps=-1": "check.max.gaps: found the number -1; write a number of 0 or more",
    "protect.patterns=(": 'protect.patterns[0]: the regular expression "(" does not compile: missing ), unterminated subpattern at character 1; mend it',
    "strategy=sliding-window": "slidingWindow.keepRecentTurns: is not given, and sliding-window has no default for it; write a whole number of 1 or more, in the file or by --set slidingWindow.keepRecentTurns=N",
}  # fmt: skip


@pytest.mark.parametrize("word", list(WRONG))
def test_a_wrong_value_names_the_set(word: str) -> None:
    assert problems(None, "windowkeeper", word) == (f"--set {word}: {WRONG[word]}",)


def test_a_name_inside_an_object() -> None:
    loaded = load('{"expire": {"tools": {"a": 1}}}', "p.json", "expire.tools.mcp.x=5", "check.max.gaps.reRead=2")
    assert loaded.settings.expire.tools == {"a": 1, "mcp.x": 5}
    assert loaded.settings.check.max == {"gaps.reRead": 2}
    assert load('{"expire": {"tools": {"a": 1}}}', "p.json", "expire.tools.a=null").settings.expire.tools == {}


def test_null_takes_the_value_of_the_file_away() -> None:
    loaded = load('{"budget": {"target": 5}}', "p.json", "budget.target=null")
    assert loaded.settings.budget.target is None


def test_the_file_and_the_sets_tell_their_problems_together() -> None:
    assert problems('{"trim": 1}', "p.json", "budget.max=x", "trim.enabled=false", "zzz=1") == (
        "p.json:1: trim: found the number 1; write an object with keys of enabled",
        '--set budget.max=x: budget.max: found the text "x"; write a whole number of 1 or more',
        "--set zzz=1: zzz: unknown key; `windowkeeper policy show` lists the keys",
    )


def test_a_key_set_twice_is_never_the_silent_last_one() -> None:
    assert problems(None, "windowkeeper", "budget.max=90000", "budget.max=80000") == (
        "--set budget.max=80000: budget.max: is set twice (also by --set budget.max=90000); keep one of them",
    )


def test_keys_that_disagree_across_file_and_set() -> None:
    assert problems('{"budget": {"target": 90000}}', "p.json", "budget.max=90000") == (
        "--set budget.max=90000: budget.target, budget.max, budget.reserve: target 90000 is over the limit 74000"
        " (max 90000 - reserve 16000); lower the target, or raise max",
    )


def test_a_hostile_set_is_escaped() -> None:
    assert "\x1b" not in problems(None, "windowkeeper", "\x1b[31m=\n")[0]
