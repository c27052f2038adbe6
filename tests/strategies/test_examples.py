"""Every strategy's own example runs and shows what it says; a newcomer is tested once it is registered."""

from __future__ import annotations

import pytest

from tests.sessions import shows
from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.strategies import OUTCOMES, STRATEGIES


@pytest.mark.parametrize("name", STRATEGIES.names)
def test_the_example_shows_its_strategy(name: str) -> None:
    text = STRATEGIES.module(name).TEXT
    assert text.name == name
    if text.example is not None:
        assert shows(text)


@pytest.mark.parametrize("name", STRATEGIES.names)
def test_every_strategy_has_an_example(name: str) -> None:
    # `recorded` replays a log's own events, which our own format does not hold.
    assert STRATEGIES.module(name).TEXT.example is not None or name == "recorded"


@pytest.mark.parametrize("name", OUTCOMES.names)
def test_the_example_shows_its_refusal(name: str) -> None:
    # summarizer-failed has none: offline no summarizer fails (spec/6).
    text = OUTCOMES.module(name).TEXT
    assert text.name == name
    assert (text.example is None) is (name == "summarizer-failed")
    if text.example is not None:
        assert text.example.refused and shows(text)


@pytest.mark.parametrize("name", ["windowkeeper", "none"])
def test_what_a_strategy_says_of_itself(name: str) -> None:
    # spec/4: the reducer holds all ten invariants and has no evidence pins, `none` gives up 4; the policy sections
    # are those of spec/3.
    module = STRATEGIES.module(name)
    made = module.make(Settings())
    expected = {
        "windowkeeper": (
            ("budget", "protect", "toolResults", "resurface", "expire", "trim"),
            tuple(name for name in GUARDS.names if name != "last-tool-result"),
            (),
        ),
        "none": ((), (), (4,)),
    }
    assert (made.reads, made.guards, tuple(made.gives_up)) == expected[name]
    assert made.name == name
    assert made.reads == module.READS
