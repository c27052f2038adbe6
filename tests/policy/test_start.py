"""The starting file loads as the defaults, and shows every key of its strategy (spec/3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.policy.known import READS, load
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.policy.keys import KEYS
from windowkeeper_cli.policy.start import starting_file


def test_it_loads_as_the_defaults() -> None:
    loaded = load(starting_file(READS["windowkeeper"]), "policy.toml")
    assert loaded.settings == Settings()
    assert loaded.id == load("{}").id


@pytest.mark.parametrize("strategy", list(READS))
def test_it_loads_for_every_strategy(strategy: str) -> None:
    settings = load(starting_file(READS[strategy], strategy), "policy.toml").settings
    assert settings.strategy == strategy
    if strategy in ("windowkeeper", "none", "clear-tool-results"):
        assert settings == replace(Settings(), strategy=strategy)


def test_it_holds_every_key_with_its_sentence() -> None:
    text = starting_file(READS["windowkeeper"])
    lines = text.split("\n")
    for key in KEYS:
        read = not key.section or key.section in (*READS["windowkeeper"], "prices", "check")
        held = [number for number, line in enumerate(lines) if line.removeprefix("# ").startswith(f"{key.name} = ")]
        assert bool(held) == read or key.name in text
        if read:
            assert any(lines[number - 1] == f"# {key.text}" for number in held)
    assert "\n# target = 72000\n" in text


def test_every_commented_key_may_be_uncommented() -> None:
    text = (
        starting_file(READS["windowkeeper"])
        .replace("# target =", "target =")
        .replace("# idleSeconds =", "idleSeconds =")
    )
    assert load(text, "policy.toml").settings.budget.idle_seconds == 300
