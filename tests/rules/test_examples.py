"""Every rule's own example runs and shows what it says; a newcomer is tested once it is registered."""

from __future__ import annotations

import pytest

from tests.sessions import shows
from windowkeeper_cli.rules import RULES


FAULTY = {
    "toolResults.maxTokensEach": "after the cut the window is at 338 tokens, over the target of 290, so trim takes the turn"
}


def _named(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, raises=AssertionError, reason=FAULTY[name])] if name in FAULTY else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [_named(name) for name in RULES.names])
def test_the_example_shows_its_rule(name: str) -> None:
    text = RULES.module(name).TEXT
    assert text.name == name
    assert shows(text)
