"""Sums before a position, against adding everything up; how many sums one change touches."""

from __future__ import annotations

import random

import pytest

from windowkeeper_cli.replay.changes import Changes


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 1_024, 1_025, 40_000])
def test_a_sum_is_what_adding_everything_before_gives(size: int) -> None:
    chosen = random.Random(size)
    changes, plain = Changes(size), [0] * size
    for _ in range(200 if size else 0):
        at, amount = chosen.randrange(size), chosen.randrange(-900, 900)
        changes.add(at, amount)
        plain[at] += amount
        before = chosen.randrange(size + 1)
        assert changes.before(before) == sum(plain[:before])
    assert changes.before(size) == sum(plain)
