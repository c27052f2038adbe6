"""Money: cached tokens at the price of a read, the rest at that of a write, by the size of each window (spec/7)."""

from __future__ import annotations

import pytest

from windowkeeper_cli.replay.tariff import Rate, Tariff

FLAT = Tariff("m", "p", (Rate(0, 4.0, 0.5, 5.0),))
STEPPED = Tariff("m", "p", (Rate(0, 4.0, 0.5, 5.0), Rate(1_000, 8.0, 1.0, 10.0), Rate(3_000, 16.0, 2.0, 20.0)))


def test_cached_tokens_are_read_and_the_rest_is_written() -> None:
    # 600,000 x $0.5 + 400,000 x $5, both for a million.
    assert FLAT.money(1_000_000, 600_000) == pytest.approx(0.3 + 2.0)
    assert FLAT.money(0, 0) == 0


@pytest.mark.parametrize(("window", "read", "write"), [(1_000, 0.5, 5), (1_001, 1, 10), (3_000, 1, 10), (3_001, 2, 20)])
def test_a_window_over_a_step_is_at_the_higher_price_as_a_whole(window: int, read: float, write: float) -> None:
    assert STEPPED.money(window, 100) == pytest.approx((100 * read + (window - 100) * write) / 1_000_000)
