"""Replay: several policies over one session, each visited at every call with its own state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from windowkeeper_cli.archive import Archive
from windowkeeper_cli.formats.collection import no_collection
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import ArchiveError, UsageError, WindowkeeperError
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.archiving import archived
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.replay.metering import RECORDED, CallCost, Costs, costs_by_call, costs_of
from windowkeeper_cli.replay.session import REPORTED, Session
from windowkeeper_cli.replay.tariff import Tariff
from windowkeeper_cli.strategies.strategy import Strategy
from windowkeeper_cli.strategies.summarizer import MODELLED, how_summarized
from windowkeeper_cli.strategies.summarizer import RECORDED as KEPT

if TYPE_CHECKING:
    # Few replays look for gaps; the others start sooner without what finds them.
    from windowkeeper_cli.replay.gaps.finding import GapWatch

UNRECORDED = "this log holds no removals of the harness's own, and no reported prompts"


class Candidate(NamedTuple):
    """A policy to be replayed; `make` makes the strategy where it is the user's own."""

    name: str
    settings: Settings
    make: Callable[[Settings], Strategy] | None = None


class Replayed(NamedTuple):
    """What one policy came to on one session: its costs and the series, or why it refused to be replayed.

    `limit` is the strategy's own in tokens, the unseen prefix in it. `modelled` and `recorded` count its summaries;
    `counted` says that it acted on the tokens of its own windows, where the harness would have read reported ones.
    `steps` are those of every call, the next one's too, where they are kept. `gaps` is None where none were looked for.
    """

    name: str
    costs: Costs | None
    series: tuple[CallCost, ...] = ()
    limit: int | None = None
    modelled: int = 0
    recorded: int = 0
    counted: bool = False
    refused: str | None = None
    steps: tuple[Step, ...] = ()
    gaps: tuple[Gap, ...] | None = None


def replay_session(
    transcript: Transcript,
    counts: Counts,
    candidates: Iterable[Candidate],
    *,
    limit: int | None = None,
    ttl: float | None = None,
    tariff: Tariff | None = None,
    keep_steps: bool = False,
    find_gaps: bool = False,
    archive: Archive | None = None,
) -> Iterator[Replayed]:
    """Yield what each policy came to, in order; with `limit` all budgets are that many tokens over the unseen prefix.

    `ttl` is the cache's lifetime in seconds, None for one without end; with `tariff` costs are in money too. With
    `keep_steps` a policy's steps stay with what it came to, with `find_gaps` its evidence gaps are looked for. What the
    session held goes into `archive`; ArchiveError is raised where it cannot. A policy that lacks a required key, or
    whose strategy has no figure to act on, is a refusal by name.
    """
    prefix = counts.counter.label.unseen_prefix
    gaps = _gap_watch(transcript, counts) if find_gaps else None
    for one in candidates:
        settings = one.settings if limit is None else at_limit(one.settings, limit, prefix)
        try:
            yield _replayed(one, transcript, counts, settings, ttl, tariff, gaps, archive, keep_steps=keep_steps)
        except ArchiveError:
            raise
        except WindowkeeperError as error:
            yield Replayed(one.name, None, refused=str(error))


def _replayed(
    one: Candidate,
    transcript: Transcript,
    counts: Counts,
    settings: Settings,
    ttl: float | None,
    tariff: Tariff | None,
    gaps: Callable[[Session], GapWatch] | None,
    archive: Archive | None,
    *,
    keep_steps: bool,
) -> Replayed:
    if settings.strategy == RECORDED and not (transcript.events or any(call.usage for call in transcript.calls)):
        raise UsageError(UNRECORDED)
    strategy = None if one.make is None else one.make(settings)
    with no_collection():
        session = Session(transcript, counts, settings, strategy=strategy)
        watch = None if gaps is None else gaps(session)
        steps = archived(session, session.steps(), archive)
        watched = Watched(steps if watch is None else watch.watch(steps), keep=keep_steps)
        series = tuple(costs_by_call(session, watched, ttl))
        costs = costs_of(session, series, settings.prices, tariff)
    counted = session.strategy.needs_reading and counts.counter.label.name != REPORTED
    limit = session.strategy.limit
    return Replayed(
        one.name,
        costs,
        series,
        limit,
        watched.summaries[MODELLED],
        watched.summaries[KEPT],
        counted,
        steps=tuple(watched.kept),
        gaps=None if watch is None else tuple(watch.gaps),
    )


def _gap_watch(transcript: Transcript, counts: Counts) -> Callable[[Session], GapWatch]:
    """Return what looks for the gaps of a session; all policies share the index of their transcript."""
    from windowkeeper_cli.replay.gaps.finding import GapWatch
    from windowkeeper_cli.replay.gaps.index import Index

    index = Index(transcript, counts)
    return lambda session: GapWatch(session, index)


class Watched:
    """Passes steps on, counts the summaries that they made, by where their text is from, and may `keep` them all."""

    def __init__(self, steps: Iterable[Step], *, keep: bool = False) -> None:
        self._steps = steps
        self._keep = keep
        self.kept: list[Step] = []
        self.summaries: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Step]:
        for step in self._steps:
            how = how_summarized(step) if step.lines else None
            if how is not None:
                self.summaries[how] += 1
            if self._keep:
                self.kept.append(step)
            yield step
