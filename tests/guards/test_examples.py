"""Every refusal reason's own example runs and shows that reason; a newcomer is tested once it is registered."""

from __future__ import annotations

import pytest

from tests.sessions import shows
from windowkeeper_cli.guards import GUARDS


@pytest.mark.parametrize("name", GUARDS.names)
def test_the_example_shows_its_reason(name: str) -> None:
    text = GUARDS.module(name).TEXT
    assert text.name == name
    assert text.kind == "refusal reason"
    if text.example is not None:
        assert shows(text)
