"""Metering: what a session's windows cost, call by call, in tokens, cache reuse and losses."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Prices
from windowkeeper_cli.replay.addresses import Addresses
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.tariff import Tariff

RECORDED = "recorded"
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor: there is one for every call."""


class CallCost(NamedTuple):
    """One call: tokens of its window, of the prefix shared with the previous request, and what of it was cached.

    `step` is the growth of the window since the last call. `in_force` counts items that stand in another form than
    full, and texts of ours. `reported` says that the figures are the provider's own.
    """

    call: int
    window: int
    prefix: int
    cached: int
    step: int
    invalidation: bool
    expired: bool
    replan: bool
    over_limit: bool
    target_missed: bool
    recalls: int
    new: int
    in_force: int
    request_lost: bool
    reported: bool = False

    @property
    def fresh(self) -> int:
        """Return the tokens that are read at full price."""
        return self.window - self.cached


class Costs(NamedTuple):
    """One session under one policy, or several together; tokens throughout, `cost_weighted` in input-token equivalents.

    `first_window` and `first_cached` are those of call 1, which has no previous request. `steps` are by how much
    windows grew from one call to the next; shrinking ones are no steps. `reported` counts the calls whose figures
    are the provider's own. `money` is in US dollars, None where no model's prices were given.
    """

    calls: int
    window: int
    cached: int
    first_window: int
    first_cached: int
    cost_weighted: float
    invalidations: int
    expired: int
    peak: int
    over_limit: int
    replans: int
    target_missed: int
    recalls: int
    request_lost: int
    items_lost: int
    observations_left: int
    reported: int
    steps: Sequence[int]
    money: float | None = None

    @property
    def fresh(self) -> int:
        """Return the tokens that are read at full price."""
        return self.window - self.cached

    @property
    def cache_reuse(self) -> float | None:
        """Return the share of cached tokens over calls 2 to n, None where there is no such call."""
        later = self.window - self.first_window
        return (self.cached - self.first_cached) / later if later else None


def costs_by_call(session: Session, steps: Iterable[Step], ttl: float | None = None) -> Iterator[CallCost]:
    """Yield the cost of every recorded call; with `ttl` seconds, a longer pause before a call empties the cache.

    Of a recorded session the figures are the provider's own, where it reported them: prompt and cache reads.
    """
    calls, fold = session.transcript.calls, session.fold
    recorded = session.strategy.name == RECORDED
    before = 0
    for number, visit, _, meter in steps:
        if number > len(calls):
            continue
        call = calls[number - 1]
        window, prefix, broken, over_limit, replanned = meter
        prefix = 0 if number == 1 else prefix
        expired = ttl is not None and (session.pause(call) or 0) > ttl
        cached = 0 if expired else prefix
        reported = recorded and call.usage is not None
        if reported and call.usage is not None:
            window, cached = call.usage.prompt, call.usage.cache_read
            prefix, expired = cached, False
        if visit is None:
            missed, recalled, new, in_force = False, 0, 0, fold.in_force()
        else:
            missed, recalled, new, in_force = bool(visit.target_missed), visit.recalled, visit.new, visit.in_force
        lost = call.anchor >= 0 and call.anchor in fold.others
        figures = (number, window, prefix, cached, window - before, broken and number > 1, expired, replanned)
        yield _new(CallCost, (*figures, over_limit, missed, recalled, new, in_force, lost, reported))
        before = window


def costs_of(session: Session, series: Iterable[CallCost], prices: Prices, tariff: Tariff | None = None) -> Costs:
    """Return the sums over a session's calls, and what its last window has lost; the series is read to its end."""
    calls = list(series)
    by_name = dict(zip(CallCost._fields, zip(*calls, strict=True), strict=True)) if calls else {}
    windows, cached = by_name.get("window", ()), by_name.get("cached", ())
    read, write = prices.cache_read, prices.cache_write

    def total(name: str) -> int:
        return sum(by_name.get(name, ()))

    left = [at for at in session.fold.not_in_full() if session.transcript.items[at].is_result]
    return Costs(
        calls=len(calls),
        window=sum(windows),
        cached=sum(cached),
        first_window=windows[0] if calls else 0,
        first_cached=cached[0] if calls else 0,
        cost_weighted=sum([hit * read + (whole - hit) * write for whole, hit in zip(windows, cached, strict=True)]),
        invalidations=total("invalidation"),
        expired=total("expired"),
        peak=max(windows, default=0),
        over_limit=total("over_limit"),
        replans=total("replan"),
        target_missed=total("target_missed"),
        recalls=total("recalls"),
        request_lost=total("request_lost"),
        items_lost=len(Addresses(session).lost_ids()),
        observations_left=len(left),
        reported=total("reported"),
        steps=array("q", [step for step in by_name.get("step", ())[1:] if step >= 0]),
        money=None if tariff is None else sum(map(tariff.money, windows, cached)),
    )


def together(several: Iterable[Costs]) -> Costs:
    """Return what sessions cost together: sums, the largest peak, the steps of all; `several` has one at least."""
    found = list(several)
    largest = max(one.peak for one in found)
    sums = [sum(figures) for figures in zip(*(one[:-2] for one in found), strict=True)]
    steps = array("q", (step for one in found for step in one.steps))
    money = [one.money for one in found if one.money is not None]
    return Costs._make((*sums, steps, sum(money) if money else None))._replace(peak=largest)
