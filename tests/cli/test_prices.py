"""`replay --model`: a model's prices from the extra `prices`, and what is said where there are none (spec/7)."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from tests.cli.running import ROOT, Cli
from tests.house import modules
from tests.report.made import fits
from windowkeeper_cli.cli import prices
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.replay.tariff import Rate

pytest.importorskip("genai_prices", reason="the extra prices is not installed")

from genai_prices.data_snapshot import DataSnapshot
from genai_prices.types import (
    ClauseEquals,
    ClauseStartsWith,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    StartDateConstraint,
    Tier,
    TieredPrices,
    TimeOfDateConstraint,
)

REDIS = "fixtures/redis-auth/transcript.json"
DAY = date(2026, 6, 1)


def amounts(**given: str) -> ModelPrice:
    """Return prices for a million tokens."""
    return ModelPrice(**{f"{key}_mtok": Decimal(value) for key, value in given.items()})


def stepped(base: str, over: int, price: str) -> TieredPrices:
    """Return a price that changes over a size."""
    return TieredPrices(base=Decimal(base), tiers=[Tier(start=over, price=Decimal(price))])


MODELS: dict[str, ModelPrice | list[ConditionalPrice]] = {
    "both": amounts(input="4", cache_read="0.5", cache_write="5", cache_write_1h="8"),
    "one-write": amounts(input="4", cache_read="0.5", cache_write="5"),
    "no-write": amounts(input="4", cache_read="0.5"),
    "no-cache": amounts(input="4"),
    "no-input": amounts(output="4"),
    "stepped": ModelPrice(
        input_mtok=stepped("4", 1000, "8"), cache_read_mtok=Decimal("0.5"), cache_write_mtok=stepped("5", 2000, "10")
    ),
    "dated": [
        ConditionalPrice(prices=amounts(input="1")),
        ConditionalPrice(StartDateConstraint(date(2026, 3, 4)), prices=amounts(input="2")),
        ConditionalPrice(StartDateConstraint(date(2026, 6, 2)), prices=amounts(input="3")),
    ],
    "hourly": [
        ConditionalPrice(prices=amounts(input="1")),
        ConditionalPrice(
            TimeOfDateConstraint(time(8, tzinfo=UTC), time(16, tzinfo=UTC)), prices=amounts(input="2")
        ),
    ],
}  # fmt: skip


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a small table of prices in place of the shipped one."""
    models = [ModelInfo(id=name, match=ClauseEquals(name), prices=found) for name, found in MODELS.items()]
    other = ModelInfo(id="both-large", match=ClauseEquals("both-large"), prices=amounts(input="9"))
    home = Provider("home", "Home", "https://home", model_match=ClauseStartsWith(""), models=models)
    shop = Provider("shop", "Shop", "https://shop", models=[other])
    snapshot = DataSnapshot(providers=[home, shop], from_auto_update=False)
    monkeypatch.setattr(prices, "_shipped", lambda: ("1.2", snapshot))


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("model", "ttl", "rates", "lifetime", "notes"),
    [
        ("both", "off", (Rate(0, 4, 0.5, 5),), "5m", ()),
        ("both", "5m", (Rate(0, 4, 0.5, 5),), "5m", ()),
        ("both", "1h", (Rate(0, 4, 0.5, 8),), "1h", ()),
        ("one-write", "1h", (Rate(0, 4, 0.5, 5),), "", ("one price of cache writes",)),
        ("no-write", "1h", (Rate(0, 4, 0.5, 4),), "", ("no price of cache writes",)),
        ("no-cache", "off", (Rate(0, 4, 4, 4),), "", ("no price of cache writes", "no price of cache reads")),
        ("stepped", "off", (Rate(0, 4, 0.5, 5), Rate(1000, 8, 0.5, 5), Rate(2000, 8, 0.5, 10)), "", ("one price",)),
        ("hourly", "off", (Rate(0, 2, 2, 2),), "", ("no price", "no price", "the price depends on the time of day")),
    ],
)
def test_four_prices_by_lifetime(
    model: str, ttl: str, rates: tuple[Rate, ...], lifetime: str, notes: tuple[str, ...]
) -> None:
    found = prices.tariff_of(model, ttl, DAY)
    assert (found.model, found.provider, found.source) == (model, "home", "genai-prices 1.2")
    assert (found.rates, found.lifetime) == (rates, lifetime)
    assert len(found.notes) == len(notes)
    for note, begin in zip(found.notes, notes, strict=True):
        assert note.startswith(begin)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("day", "price", "since"),
    [
        (date(2026, 3, 3), 1, None),
        (date(2026, 3, 4), 2, "2026-03-04"),
        (date(2026, 6, 1), 2, "2026-03-04"),
        (date(2026, 6, 2), 3, "2026-06-02"),
    ],
)
def test_the_prices_are_those_in_force_and_have_the_day_since_when(day: date, price: int, since: str | None) -> None:
    found = prices.tariff_of("dated", "off", day)
    assert (found.rates[0].input, found.since) == (price, since)


@pytest.mark.usefixtures("table")
def test_a_provider_before_the_name_chooses_it() -> None:
    assert prices.tariff_of("shop:both-large", "off", DAY).provider == "shop"


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("bothe", "--model bothe: no such model in the table of prices; the nearest known are both, shop:both-large"),
        ("shop:both-larg", "the nearest known are shop:both-large"),
        ("zzzzzzzz", "--model zzzzzzzz: no such model in the table of prices; give it as its provider writes it"),
        ("no-input", "genai-prices 1.2 has no price of its input tokens"),
        ("", "no such model"),
        ("x\x1b[2J[bold]", "no such model"),
    ],
)
def test_a_model_without_prices_is_one_line(cli: Cli, model: str, said: str) -> None:
    done = cli("replay", REDIS, "--model", model)
    assert (done.code, done.out) == (2, b"")
    assert said in done.err and done.err.count("\n") == 1 and "\x1b" not in done.err


def test_without_the_extra_it_says_how_to_install_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    done = cli("replay", REDIS, "--model", "both")
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert "pip install 'windowkeeper-cli[prices]'" in done.err
    assert cli("replay", REDIS).code == 0


@pytest.mark.usefixtures("table")
def test_rows_have_money_of_their_own_tokens(cli: Cli) -> None:
    words = ("replay", REDIS, "-p", "none", "-p", "windowkeeper", "--limit", "5k", "--model", "both")
    for ttl, write in (("5m", 5), ("1h", 8)):
        found: dict[str, Any] = json.loads(cli(*words, "--cache-ttl", ttl, "-f", "json").out)
        fits(found)
        for row in found["rows"]:
            assert row["money"] == round((row["cachedTokens"] * 0.5 + row["freshTokens"] * write) / 1_000_000, 4) > 0
    text = cli(*words).text
    assert "both of home, USD for a million tokens" in text and "genai-prices 1.2" in text
    assert "--model both" in text.split("next  ")[1]


@pytest.mark.usefixtures("table")
def test_the_series_has_money_too_which_adds_up(cli: Cli) -> None:
    words = ("replay", REDIS, "-p", "none", "--model", "both")
    lines = [json.loads(line) for line in cli(*words, "--by-call", "-f", "jsonl").out.splitlines()]
    for line in lines:
        assert line["money"] == round((line["cached"] * 0.5 + line["fresh"] * 5) / 1_000_000, 6)
    (row,) = json.loads(cli(*words, "-f", "json").out)["rows"]
    assert sum(line["money"] for line in lines) == pytest.approx(row["money"], abs=0.0001)
    unpriced = cli("replay", REDIS, "-p", "none", "--by-call", "-f", "jsonl").out.splitlines()
    assert {json.loads(line)["money"] for line in unpriced} == {None}


@pytest.mark.usefixtures("table")
def test_money_is_the_same_from_several_processes(cli: Cli) -> None:
    words = ("replay", REDIS, "fixtures/small-explain/transcript.json", "-p", "none", "--model", "both", "-f", "json")
    assert cli(*words, "-j", "2").out == cli(*words).out
    assert json.loads(cli(*words).out)["rows"][0]["money"] > 0


def test_the_shipped_table_is_read_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refused)
    monkeypatch.setattr(socket, "create_connection", refused)
    today = datetime.now(UTC).date()
    short, long = (prices.tariff_of("claude-sonnet-4-5", ttl, today) for ttl in ("5m", "1h"))
    assert (short.model, short.provider) == ("claude-sonnet-4-5", "anthropic")
    assert (short.lifetime, long.lifetime) == ("5m", "1h")
    assert short.source.startswith("genai-prices ")
    for one, other in zip(short.rates, long.rates, strict=True):
        assert 0 < one.cache_read < one.input < one.cache_write < other.cache_write
    with pytest.raises(UsageError, match=r"the nearest known are .*claude-sonnet"):
        prices.tariff_of("claude-sonet-4-5", "5m", today)


def test_it_is_imported_in_one_place_and_only_on_use() -> None:
    importing = [one.name for one in modules() if any(name.startswith("genai_prices") for name, _ in one.imports())]
    assert importing == ["windowkeeper_cli.cli.prices"]
    code = (
        "import sys; from windowkeeper_cli.cli.process import run;"
        f"run(['replay', '{REDIS}', '-p', 'none', '-f', 'json']);"
        "sys.exit(any(name.startswith(('genai_prices', 'httpx')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)
    assert (done.returncode, json.loads(done.stdout)["prices"]) == (0, None)
