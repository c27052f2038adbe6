"""Which gaps does a session have under a policy?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from windowkeeper_cli.formats.collection import no_collection
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.gaps import GAP_KINDS
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.kind import Kind
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies.strategy import Strategy


class GapWatch:
    """Passes a session's steps on, and keeps the gaps that each of them shows, in order of call and kind.

    `index` may be shared by all policies of one transcript; `kinds` are names, the usual ones by default.
    """

    def __init__(self, session: Session, index: Index | None = None, kinds: Sequence[str] | None = None) -> None:
        self.gaps: list[Gap] = []
        self._now = AtCall(session)
        self._calls = session.transcript.all_calls()
        shared = Index(session.transcript, session.counts) if index is None else index
        with no_collection():
            self._finders = [_kind(name).finder(shared) for name in (usual_kinds() if kinds is None else kinds)]

    def watch(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Yield the steps, each after its gaps were looked for."""
        for step in steps:
            self.take(step)
            yield step

    def take(self, step: Step) -> Sequence[Gap]:
        """Return the gaps of the session's last visit, which `step` tells of; they are kept too."""
        self._now.take(self._calls[step.call - 1], step.lines)
        found: dict[tuple[int | None, ...], Gap] = {}
        for finder in self._finders:
            for gap in finder.at_call(self._now):
                key = (gap.source,) if gap.used_by is not None and gap.source is not None else (None, len(found))
                found.setdefault(key, gap)
        self.gaps += found.values()
        return tuple(found.values())


def gaps_of(
    transcript: Transcript,
    counts: Counts,
    settings: Settings,
    *,
    strategy: Strategy | None = None,
    index: Index | None = None,
    kinds: Sequence[str] | None = None,
    upto: int | None = None,
) -> tuple[Gap, ...]:
    """Return the gaps of a session replayed under a policy, up to call number `upto` (default: the next call).

    Raises what `Session` raises.
    """
    session = Session(transcript, counts, settings, strategy=strategy)
    watch = GapWatch(session, index, kinds)
    for step in session.steps(upto):
        watch.take(step)
    return tuple(watch.gaps)


def usual_kinds() -> tuple[str, ...]:
    """Return the kinds that are looked for where nobody names any."""
    return tuple(name for name in GAP_KINDS.names if not _kind(name).ASKED)


def _kind(name: str) -> Kind:
    return cast(Kind, GAP_KINDS.module(name))
