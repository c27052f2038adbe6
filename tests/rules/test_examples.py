"""Every rule's own example runs and shows what it says; a newcomer is tested once it is registered."""

from __future__ import annotations

import pytest

from tests.sessions import shows
from windowkeeper_cli.rules import RULES


@pytest.mark.parametrize("name", RULES.names)
def test_the_example_shows_its_rule(name: str) -> None:
    text = RULES.module(name).TEXT
    assert text.name == name
    assert shows(text)
