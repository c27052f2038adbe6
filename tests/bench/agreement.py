"""Do the engine and the naive engines agree on whole logs: ledger, windows, and what every call costs?

    python -m tests.bench.agreement LOG_OR_FOLDER...

One line a log and strategy, all at 60,000 tokens, last `N agree, M differ`. It takes minutes, and so is run by hand.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests import naive
from tests.bench.naive_costs import NaiveCosts, Place, ours, standing_after, window_of
from tests.generated import settings
from tests.replay.test_real_logs_naive import POLICIES
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.errors import CompactionUnmeasurableError, WindowkeeperError
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.metering import costs_by_call, costs_of
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

ALL = {**POLICIES, "recorded": {}}
LIFETIMES = (None, 300.0)
"""Of the provider's cache, in seconds."""
Ran = list[Any]


class Engine:
    """The incremental engine run over a log: what it wrote at each call, and its windows as it held them."""

    def __init__(self, transcript: Transcript, counted: Counts, made: Settings, ttl: float | None) -> None:
        self.session = Session(transcript, counted, made)
        self.ran: Ran = []
        self.windows: list[list[Place]] = []
        try:
            self.rows = list(costs_by_call(self.session, self._watched(), ttl))
            self.costs = costs_of(self.session, self.rows, made.prices)
        except CompactionUnmeasurableError:
            self.ran.append(naive.UNMEASURABLE)

    def _watched(self) -> Iterator[Step]:
        fold = self.session.fold
        for step in self.session.steps():
            visit = None if step.visit is None else step.visit.as_dict()
            meter = (step.meter.window, step.meter.prefix, step.meter.broken)
            self.ran.append(([line.as_dict() for line in step.lines], visit, meter))
            items = [(2 * at + 1, *fold.standing(at)) for at in range(fold.held) if fold.form(at) is not Form.OUT]
            texts = [ours(insert.slot, insert.stands, insert.item, insert.text) for insert in fold.inserted()]
            self.windows.append(sorted([*items, *texts], key=lambda place: place[0]))
            yield step


def differences(transcript: Transcript, counted: Counts, made: Settings) -> Iterator[str]:
    """Yield what the engines disagree on, in words; nothing where they agree."""
    engine = Engine(transcript, counted, made, LIFETIMES[0])
    theirs = naive.run(transcript, counted, made)
    yield from first("ledger", engine.ran, theirs)
    visited = [entry for entry in theirs if not isinstance(entry, str)]
    windows = [
        window_of(*standing_after(visited[: n + 1]), call.at)
        for n, call in zip(range(len(visited)), transcript.all_calls(), strict=False)
    ]
    yield from first("window", engine.windows, windows)
    yield from first("window from the ledger", *rebuilt(transcript, engine.ran, windows))
    if len(visited) < len(theirs):
        return
    for ttl in LIFETIMES:
        ran = engine if ttl is None else Engine(transcript, counted, made, ttl)
        plain = NaiveCosts(transcript, counted, made, visited, windows, ttl)
        yield from first(f"cost, lifetime {ttl}", [row._asdict() for row in ran.rows], plain.rows)
        mine = ran.costs._asdict()
        for name, value in plain.totals().items():
            same = [*mine[name]] == value if name == "steps" else abs(mine[name] - value) < 1e-6
            if not same:
                yield f"total {name}, lifetime {ttl}: {mine[name]} and naive {value}"


def rebuilt(transcript: Transcript, ran: Ran, windows: list[list[Place]]) -> tuple[list[Any], list[Any]]:
    """Return (slot, role, blocks) of the window as the ledger rebuilds it and as the naive one has it, where it moved.

    That is at every call with decision lines, and at the last.
    """
    made, mine, theirs = Rebuilt(), list[Any](), list[Any]()
    for n, (call, entry) in enumerate(zip(transcript.all_calls(), ran, strict=False)):
        lines = [] if isinstance(entry, str) else entry[0]
        for line in lines:
            made.apply(line)
        if lines or n == len(windows) - 1:
            mine.append(list(made.window(transcript, call.at)))
            theirs.append([shown(transcript, place) for place in windows[n]])
    return mine, theirs


def shown(transcript: Transcript, place: Place) -> Any:
    slot, form, text, cut = place
    if slot % 2 == 0:
        return slot, USER, ((text[1],),)
    return slot, transcript.items[slot // 2].role, blocks_in_form(transcript.blocks(slot // 2), form, text, cut)


def first(what: str, mine: list[Any], theirs: list[Any]) -> Iterator[str]:
    """Yield where two series differ first."""
    if len(mine) != len(theirs):
        yield f"{what}: {len(mine)} calls and naive {len(theirs)}"
    for number, (one, other) in enumerate(zip(mine, theirs, strict=False), 1):
        if one != other:
            yield f"{what} at {number}: {one!r:.600} and naive {other!r:.600}"
            return


def logs(arguments: list[str]) -> Iterator[Path]:
    """Yield the logs that are named, and those inside folders that are."""
    for path in map(Path, arguments):
        yield from sorted(path.rglob("*.json*")) if path.is_dir() else (path,)


def main(arguments: list[str]) -> int:
    """Compare every log under every strategy, print, and return 1 where any differ."""
    agree, differ = 0, 0
    for path in logs(arguments):
        try:
            transcript = load(str(path))
        except WindowkeeperError as error:
            print(f"{path.name:60} not read: {error}", flush=True)
            continue
        counted = replace(counts(transcript, "estimate"), explicit=True)
        for strategy, policy in ALL.items():
            started = time.process_time()
            found = list(differences(transcript, counted, settings({"strategy": strategy, **policy})))
            took = time.process_time() - started
            agree, differ = agree + (not found), differ + bool(found)
            word = "differ" if found else "agree"
            print(f"{path.name:60} {strategy:19} {len(transcript.calls):4} calls {took:6.1f} s  {word}", flush=True)
            for one in found:
                print(f"    {one}", flush=True)
    print(f"{agree} agree, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
