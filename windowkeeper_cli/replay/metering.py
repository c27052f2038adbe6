"""Metering: what a session's windows cost, call by call, in tokens, cache reuse and losses."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Prices
from windowkeeper_cli.replay.addresses import Addresses
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.tariff import Tariff

RECORDED = "recorded"


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
    calls = session.transcript.calls
    before = 0
    for step in steps:
        if step.call > len(calls):
            continue
        call, meter, visit = calls[step.call - 1], step.meter, step.visit
        pause = session.pause(call) if ttl is not None else None
        expired = ttl is not None and pause is not None and pause > ttl
        window, prefix = meter.window, 0 if step.call == 1 else meter.prefix
        cached = 0 if expired else prefix
        reported = session.strategy.name == RECORDED and call.usage is not None
        if reported and call.usage is not None:
            window, cached = call.usage.prompt, call.usage.cache_read
            prefix, expired = cached, False
        yield CallCost(
            call=step.call,
            window=window,
            prefix=prefix,
            cached=cached,
            step=window - before,
            invalidation=meter.broken and step.call > 1,
            expired=expired,
            replan=meter.replanned,
            over_limit=meter.over_limit,
            target_missed=visit is not None and bool(visit.target_missed),
            recalls=0 if visit is None else visit.recalled,
            new=0 if visit is None else visit.new,
            in_force=session.fold.in_force() if visit is None else visit.in_force,
            request_lost=call.anchor >= 0 and session.fold.form(call.anchor) is not Form.FULL,
            reported=reported,
        )
        before = window


def costs_of(session: Session, series: Iterable[CallCost], prices: Prices, tariff: Tariff | None = None) -> Costs:
    """Return the sums over a session's calls, and what its last window has lost; the series is read to its end."""
    calls = list(series)
    cost = sum(one.cached * prices.cache_read + one.fresh * prices.cache_write for one in calls)
    left = [at for at in session.fold.not_in_full() if session.transcript.items[at].is_result]
    return Costs(
        calls=len(calls),
        window=sum(one.window for one in calls),
        cached=sum(one.cached for one in calls),
        first_window=calls[0].window if calls else 0,
        first_cached=calls[0].cached if calls else 0,
        cost_weighted=cost,
        invalidations=sum(one.invalidation for one in calls),
        expired=sum(one.expired for one in calls),
        peak=max((one.window for one in calls), default=0),
        over_limit=sum(one.over_limit for one in calls),
        replans=sum(one.replan for one in calls),
        target_missed=sum(one.target_missed for one in calls),
        recalls=sum(one.recalls for one in calls),
        request_lost=sum(one.request_lost for one in calls),
        items_lost=_items_lost(session),
        observations_left=len(left),
        reported=sum(one.reported for one in calls),
        steps=array("q", (one.step for one in calls[1:] if one.step >= 0)),
        money=None if tariff is None else sum(tariff.money(one.window, one.cached) for one in calls),
    )


def together(several: Iterable[Costs]) -> Costs:
    """Return what sessions cost together: sums, the largest peak, the steps of all; `several` has one at least."""
    found = list(several)
    largest = max(one.peak for one in found)
    sums = [sum(figures) for figures in zip(*(one[:-2] for one in found), strict=True)]
    steps = array("q", (step for one in found for step in one.steps))
    money = [one.money for one in found if one.money is not None]
    return Costs._make((*sums, steps, sum(money) if money else None))._replace(peak=largest)


def _items_lost(session: Session) -> int:
    """Return how many distinct items are in full nowhere in the last window and named by no id in it."""
    addresses = Addresses(session)
    items = session.transcript.items
    return len({items[at].id for at in session.fold.not_in_full() if addresses.is_lost(at)})
