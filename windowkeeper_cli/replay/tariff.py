"""What does sending a window cost in money?"""

from __future__ import annotations

from typing import NamedTuple

MILLION = 1_000_000
CURRENCY = "USD"


class Rate(NamedTuple):
    """US dollars for a million input tokens of every window of more than `over` tokens: plain, cached, written."""

    over: int
    input: float
    cache_read: float
    cache_write: float


class Tariff(NamedTuple):
    """A model's prices; `rates` rise by `over`, the first one is over 0.

    `lifetime` is what the writes are kept for (`5m`, `1h`), empty where the price does not depend on it. `source` is
    the table they are from, `since` the day from which they hold, None where the table gives none; `notes` say what
    stands in for prices that it lacks.
    """

    model: str
    provider: str
    rates: tuple[Rate, ...]
    lifetime: str = ""
    source: str = ""
    since: str | None = None
    notes: tuple[str, ...] = ()

    def money(self, window: int, cached: int) -> float:
        """Return what one window costs in US dollars, `cached` tokens of it read from the cache, the rest written."""
        rate = next((one for one in reversed(self.rates) if window > one.over), self.rates[0])
        return (cached * rate.cache_read + (window - cached) * rate.cache_write) / MILLION

    def as_dict(self) -> dict[str, object]:
        """Return the prices as a document has them."""
        return {
            "model": self.model,
            "provider": self.provider,
            "currency": CURRENCY,
            "perTokens": MILLION,
            "lifetime": self.lifetime or None,
            "rates": [
                {"over": one.over, "input": one.input, "cacheRead": one.cache_read, "cacheWrite": one.cache_write}
                for one in self.rates
            ],
            "source": self.source,
            "since": self.since,
            "notes": list(self.notes),
        }
