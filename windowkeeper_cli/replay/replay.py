"""Replay: several policies over one session, each visited at every call with its own state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import UsageError, WindowkeeperError
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.replay.metering import CallCost, Costs, costs_by_call, costs_of
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies.strategy import Strategy
from windowkeeper_cli.strategies.summarizer import MODELLED

UNRECORDED = "this log holds no removals of the harness's own"


class Candidate(NamedTuple):
    """A policy to be replayed; `make` makes the strategy where it is the user's own."""

    name: str
    settings: Settings
    make: Callable[[Settings], Strategy] | None = None


class Replayed(NamedTuple):
    """What one policy came to on one session: its costs and the series, or why it refused to be replayed."""

    name: str
    costs: Costs | None
    series: tuple[CallCost, ...] = ()
    modelled: bool = False
    refused: str | None = None


def replay_session(
    transcript: Transcript,
    counts: Counts,
    candidates: Iterable[Candidate],
    *,
    limit: int | None = None,
    ttl: float | None = None,
) -> Iterator[Replayed]:
    """Yield what each policy came to, in order; with `limit` all budgets are that many tokens over the unseen prefix.

    A policy that lacks a required key, or whose strategy has no figure to act on, is a refusal by name.
    """
    prefix = counts.counter.label.unseen_prefix
    for one in candidates:
        settings = one.settings if limit is None else at_limit(one.settings, limit, prefix)
        try:
            yield _replayed(one, transcript, counts, settings, ttl)
        except WindowkeeperError as error:
            yield Replayed(one.name, None, refused=str(error))


def _replayed(
    one: Candidate, transcript: Transcript, counts: Counts, settings: Settings, ttl: float | None
) -> Replayed:
    if settings.strategy == "recorded" and not transcript.events:
        raise UsageError(UNRECORDED)
    strategy = None if one.make is None else one.make(settings)
    session = Session(transcript, counts, settings, strategy=strategy)
    watched = Watched(session.steps())
    series = tuple(costs_by_call(session, watched, ttl))
    return Replayed(one.name, costs_of(session, series, settings.prices), series, watched.modelled)


class Watched:
    """Passes steps on, and notes whether any of them let a modelled summary stand."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._steps = steps
        self.modelled = False

    def __iter__(self) -> Iterator[Step]:
        for step in self._steps:
            if step.visit is not None:
                self.modelled = self.modelled or _is_modelled(step.visit.facts)
            yield step


def _is_modelled(facts: object) -> bool:
    if not isinstance(facts, dict):
        return False
    folded = facts.get("folded")
    spans = folded if isinstance(folded, list) else []
    return facts.get("summary") == MODELLED or any(span.get("summary") == MODELLED for span in spans)
