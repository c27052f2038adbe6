"""How does a page say money, and whose prices it is in?"""

from __future__ import annotations

from windowkeeper_cli.replay.tariff import CURRENCY, Rate, Tariff
from windowkeeper_cli.report.sheet import Line, Part

DOLLARS = 10
"""Money from which a column has cents only; less has four places."""


def money_words(money: float | None, most: float) -> str | None:
    """Return US dollars as a page shows them, with the places that the column's largest sum needs."""
    if money is None:
        return None
    return f"${money:,.2f}" if most >= DOLLARS else f"${money:,.4f}"


def prices_line(tariff: Tariff) -> Line:
    """Return the footer that names the model, its prices for a million tokens, and how old they are."""
    kept = {"5m": " (kept for 5 minutes)", "1h": " (kept for 1 hour)"}.get(tariff.lifetime, "")
    since = f"in force since {tariff.since}" if tariff.since else "which gives no day for them"
    first, *rest = (_words(one, kept) for one in tariff.rates)
    parts: list[Part] = [(f"{tariff.model} of {tariff.provider}, {CURRENCY} for a million tokens: {first}",)]
    parts += [(words,) for words in rest]
    parts += [(note,) for note in tariff.notes]
    parts += [(f"{tariff.source}, {since}",), ("money is for what was sent, not for answers",)]
    return Line("prices", tuple(parts))


def _words(rate: Rate, kept: str) -> str:
    where = f"in windows over {rate.over:,} tokens " if rate.over else ""
    write = f"cache write {rate.cache_write:g}{kept if not rate.over else ''}"
    return f"{where}input {rate.input:g}, cache read {rate.cache_read:g}, {write}"
