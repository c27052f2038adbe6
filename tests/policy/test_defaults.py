"""The default policy is the one of spec/3, key by key."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.policy.known import STRATEGIES, load
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.policy import default_policy
from windowkeeper_cli.policy.effective import floor_rows, value_rows
from windowkeeper_cli.policy.keys import BY_PATH, DEFAULTS, KEYS, SECTIONS, effective

SPEC = Path(__file__).parents[3] / "shared" / "spec" / "3-policy.md"


def published() -> dict[str, object]:
    """Return the policy that spec/3 prints, by key path."""
    if not SPEC.is_file():
        pytest.skip("the shared specification is not there")
    block = re.search(r"```json\n(.*?)```", SPEC.read_text("utf-8"), re.DOTALL)
    assert block
    found: dict[str, object] = {}
    for name, value in json.loads(block[1]).items():
        found |= {f"{name}.{key}": held for key, held in value.items()} if isinstance(value, dict) else {name: value}
    return found


def test_keys_are_those_of_the_specification() -> None:
    assert list(published()) == [key.path for key in KEYS]


def test_defaults_are_those_of_the_specification() -> None:
    ours = {key.path: effective(DEFAULTS, key) for key in KEYS}
    assert ours == published()


def test_the_published_policy_loads_as_the_defaults() -> None:
    published()
    block = re.search(r"```json\n(.*?)```", SPEC.read_text("utf-8"), re.DOTALL)
    assert block
    loaded = load(block[1])
    assert loaded.settings.budget.target == 72_000
    assert loaded.id == default_policy(STRATEGIES).id


def test_every_section_has_a_sentence_and_every_key_one() -> None:
    assert list(dict.fromkeys(key.section for key in KEYS if key.section)) == list(SECTIONS)
    for text in (*SECTIONS.values(), *(key.text for key in KEYS)):
        assert text[0].isupper() or text.startswith(("all:", "gate:"))
        assert text.endswith(".")


@pytest.mark.parametrize("data", ["{}", "", '{"budget": {}}', '{"budget": null, "strategy": null}'])
def test_nothing_given_is_the_default(data: str) -> None:
    name = "policy.json" if data else "policy.toml"
    assert load(data, name).settings == Settings()
    assert load(data, name).id == default_policy(STRATEGIES).id


def test_show_says_half_of_the_limit() -> None:
    # By hand: (100,000 - 20,000) / 2.
    loaded = load('{"budget": {"max": 100000,\n "reserve": 20000}}')
    rows = {row.key: row for row in value_rows(loaded, STRATEGIES.reads("windowkeeper"))}
    assert (rows["budget.target"].value, rows["budget.target"].origin) == (40_000, "half of the limit")
    assert (rows["budget.reserve"].origin, rows["budget.reserve"].line) == ("file", 2)
    assert (rows["budget.backoff"].origin, rows["budget.backoff"].line) == ("default", None)
    assert rows["budget.max"].read and not rows["tiered.limit"].read and rows["strategy"].read
    assert list(rows) == list(BY_PATH)


def test_show_names_each_origin() -> None:
    loaded = load('{"budget": {"max": 90000, "target": 9}}', "policy.json", "budget.max=80000", "budget.target=null")
    assert loaded.origin("budget.max") == ("--set", None)
    assert loaded.origin("budget.target") == ("half of the limit", None)
    assert load(None, "none").origin("strategy") == ("-p", None)


def test_floor_follows_the_sections_that_the_strategy_reads() -> None:
    windowkeeper = floor_rows(load('{"protect": {"recentTurns": 3}}'), STRATEGIES.reads("windowkeeper"))
    assert [row.why for row in windowkeeper[2:]] == ["protect.latestUserTurns", "protect.recentTurns"]
    assert windowkeeper[3].what == "the last turns (3)"
    sliding = floor_rows(load(None, "sliding-window", "slidingWindow.keepRecentTurns=9"), ("slidingWindow", "pins"))
    assert [row.why for row in sliding[2:]] == ["slidingWindow.keepRecentTurns"]
    assert len(floor_rows(load(None, "none"), ())) == 2


def test_the_way_to_the_default_policy_is_short() -> None:
    code = (
        "import sys; from windowkeeper_cli.policy import *;"
        "S = Strategies(('windowkeeper', 'none'), lambda name: ('budget',));"
        "default_policy(S); load_policy(None, 'windowkeeper', strategies=S);"
        "pyproject_policy(b'[project]', 'x', strategies=S);"
        "print(sorted({'pydantic', 'tomllib', 'difflib', 'windowkeeper_cli.policy.keys'} & set(sys.modules)));"
        "built_in('none', strategies=S); load_policy(b'{}', 'p.json', strategies=S); print('pydantic' in sys.modules);"
        "load_policy(b'{\"trim\": {}}', 'p.json', strategies=S); print('pydantic' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n") == ["[]", "False", "True", ""]
