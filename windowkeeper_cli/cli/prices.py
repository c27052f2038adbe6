"""What does a model cost? Its prices from genai-prices, an extra that ships them: nothing is fetched."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from typing import TYPE_CHECKING

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.replay.tariff import Rate, Tariff

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice, Provider

NEAREST = 3
"""Names that an error offers."""
ALIKE = 0.4
"""How alike a name must be to be offered, from 0 to 1."""
NOON = time(12, tzinfo=UTC)


def tariff_of(name: str, ttl: str, today: date) -> Tariff:
    """Return the prices of a model (`claude-sonnet-4-5`, `openrouter:NAME`) in force on a day, in US dollars.

    `ttl` is `--cache-ttl`: `1h` takes the price of a write for an hour, all else that for 5 minutes. Raises
    UsageError for a name that is not known or has no price of input, and where the extra is not installed.
    """
    version, snapshot = _shipped()
    provider, model = _found(name, snapshot)
    prices = model.get_prices(datetime.combine(today, NOON))
    if _price(prices, "input_mtok", 0) is None:
        raise UsageError(f"--model {name}: {source_name(version)} has no price of its input tokens")
    write, lifetime, notes = _write(prices, ttl)
    if prices.cache_read_mtok is None:
        notes.append("no price of cache reads: they cost what plain input costs")
    since, by_hour = _in_force(model, prices)
    if by_hour:
        notes.append("the price depends on the time of day: here that of noon, UTC")
    return Tariff(
        model=model.id,
        provider=provider.id,
        rates=tuple(_rate(prices, write, over) for over in _steps(prices, write)),
        lifetime=lifetime,
        source=source_name(version),
        since=since,
        notes=tuple(notes),
    )


def source_name(version: str) -> str:
    """Return what a report calls the table of prices; it has no date of its own, and is known by its version."""
    return f"genai-prices {version}"


def _shipped() -> tuple[str, DataSnapshot]:
    """Return the version of the table and the table that came with it; what updates it is never started."""
    try:
        from genai_prices import __version__
        from genai_prices.data import providers
        from genai_prices.data_snapshot import DataSnapshot
    except ImportError:
        raise UsageError("--model needs a table of prices", "pip install 'windowkeeper-cli[prices]'") from None
    return __version__, DataSnapshot(providers=providers, from_auto_update=False)


def _found(name: str, snapshot: DataSnapshot) -> tuple[Provider, ModelInfo]:
    known = {provider.id for provider in snapshot.providers}
    before, _, after = name.partition(":")
    provider, model = (before, after) if before in known and after else (None, name)
    try:
        return snapshot.find_provider_model(model, None, provider, None)
    except LookupError:
        near = _nearest(model, provider, snapshot)
        todo = f"the nearest known are {', '.join(near)}" if near else "give it as its provider writes it"
        raise UsageError(f"--model {name}: no such model in the table of prices", todo) from None


def _nearest(name: str, within: str | None, snapshot: DataSnapshot) -> list[str]:
    """Return known names like `name`, as they can be typed: the provider before a name that is not enough alone."""
    homes: dict[str, str] = {}
    for provider in snapshot.providers:
        if within in (None, provider.id):
            for model in provider.models:
                homes.setdefault(model.id, provider.id)
    found = get_close_matches(name.lower(), list(homes), NEAREST, ALIKE)
    return [one if within is None and _is_enough(one, snapshot) else f"{homes[one]}:{one}" for one in found]


def _is_enough(name: str, snapshot: DataSnapshot) -> bool:
    try:
        return snapshot.find_provider_model(name, None, None, None)[1].id == name
    except LookupError:
        return False


def _write(prices: ModelPrice, ttl: str) -> tuple[str, str, list[str]]:
    """Return the key of the price of a write, the lifetime that it buys, and what is to be said of it."""
    short = next((key for key in ("cache_write_5m_mtok", "cache_write_mtok") if _has(prices, key)), None)
    long = "cache_write_1h_mtok" if _has(prices, "cache_write_1h_mtok") else None
    if ttl == "1h" and long is not None:
        return long, "1h", []
    if short is not None:
        return short, "5m" if long else "", ["one price of cache writes, for any time"] if long is None else []
    if long is not None:
        return long, "1h", ["one price of cache writes, for an hour"]
    return "input_mtok", "", ["no price of cache writes: they cost what plain input costs"]


def _has(prices: ModelPrice, key: str) -> bool:
    return _price(prices, key, 0) is not None


def _price(prices: ModelPrice, key: str, over: int) -> float | None:
    """Return a price of windows of more than `over` tokens, None where there is none."""
    value = getattr(prices, key, None)
    if value is None:
        return None
    if not hasattr(value, "tiers"):
        return float(value)
    reached = [tier.price for tier in value.tiers if tier.start <= over]
    return float(reached[-1] if reached else value.base)


def _steps(prices: ModelPrice, write: str) -> list[int]:
    """Return the sizes of a window over which a price changes, 0 first."""
    values = [getattr(prices, key, None) for key in ("input_mtok", "cache_read_mtok", write)]
    return sorted({0, *(tier.start for value in values for tier in getattr(value, "tiers", ()))})


def _rate(prices: ModelPrice, write: str, over: int) -> Rate:
    plain = _price(prices, "input_mtok", over) or 0.0
    read, written = _price(prices, "cache_read_mtok", over), _price(prices, write, over)
    return Rate(over, plain, plain if read is None else read, plain if written is None else written)


def _in_force(model: ModelInfo, prices: ModelPrice) -> tuple[str | None, bool]:
    """Return the day from which these prices hold, None where none is given, and whether others hold at other hours."""
    listed = model.prices if isinstance(model.prices, list) else []
    starts = [getattr(one.constraint, "start_date", None) for one in listed if one.prices is prices]
    day = next((start.isoformat() for start in starts if start is not None), None)
    return day, any(hasattr(one.constraint, "start_time") for one in listed)
