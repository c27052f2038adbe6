"""What does a strategy break on transcripts drawn from a seed, and what is the smallest that shows each?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.battery.awkward import session
from windowkeeper_cli.replay.battery.draw import Seeded
from windowkeeper_cli.replay.battery.dressed import dressed
from windowkeeper_cli.replay.battery.policies import sets_of
from windowkeeper_cli.replay.battery.smallest import smallest
from windowkeeper_cli.replay.battery.trial import Broken, Choose, Trial, run

COUNTERS = ("chars:1", "chars:4", "chars:2.7", "estimate", "reported")
REPORTED = ("reported",)
Watch = Callable[[Iterable[int]], Iterable[int]]


class Asked(NamedTuple):
    """What is drawn: `times` transcripts from `seed`, and policies over the sections in `reads`.

    `given` are the policy keys that stay as the user set them. `counter` is None where that is drawn too.
    """

    seed: int
    times: int
    reads: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    counter: str | None = None


class Found(NamedTuple):
    """Something that a strategy breaks: on how many transcripts, the first of them, and the smallest that shows it.

    `broken` is what the smallest shows. `known` says that the strategy's definition has the fault.
    """

    broken: Broken
    transcripts: int
    first: int
    smallest: Trial
    known: bool = False


class Battery(NamedTuple):
    """What became of a battery; `left_out` counts transcripts that the strategy cannot be measured on."""

    asked: Asked
    found: tuple[Found, ...]
    visits: int = 0
    changed: int = 0
    left_out: int = 0


def drawn(asked: Asked, number: int) -> Trial:
    """Return the trial of a number."""
    draw = Seeded(asked.seed, number)
    document = dressed(session(draw), draw)
    counter = draw.choice(COUNTERS)
    if counter in REPORTED and not all("usage" in one for one in document["messages"] if one["role"] == "assistant"):
        counter = "estimate"
    return Trial(document, sets_of(asked.reads, draw, asked.given), asked.counter or counter)


def battery(asked: Asked, choose: Choose, known: Collection[str] = (), watch: Watch = iter) -> Battery:
    """Run a strategy on every drawn transcript; `known` are the faults that its definition has.

    `watch` passes the numbers of the transcripts on, as they come.
    """
    shown: dict[tuple[str, str], list[tuple[int, Trial]]] = {}
    visits = changed = left_out = 0
    for number in watch(range(asked.times)):
        trial = drawn(asked, number)
        result = run(trial, choose)
        if result is None:
            left_out += 1
            continue
        visits, changed = visits + result.visits, changed + result.changed
        for broken in result.broken:
            shown.setdefault(broken.key, []).append((number, trial))
    found = [_found(key, trials, choose, known) for key, trials in shown.items()]
    found.sort(key=lambda one: (one.known, one.broken.number or 0, one.broken.key))
    return Battery(asked, tuple(found), visits, changed, left_out)


def _found(key: tuple[str, str], trials: list[tuple[int, Trial]], choose: Choose, known: Collection[str]) -> Found:
    """Return what was found under a key, made small from the shortest transcript that shows it."""

    def of(trial: Trial) -> Broken | None:
        result = run(trial, choose)
        return next((one for one in result.broken if one.key == key), None) if result is not None else None

    _, short = min(trials, key=lambda one: (len(str(one[1].document)), one[0]))
    made = smallest(short, lambda trial: of(trial) is not None)
    broken = of(made)
    if broken is None:
        # A strategy that is not the same twice: the transcript as it was drawn is all that can be shown.
        made, broken = short, Broken(*key, "it is not the same at every run")
    return Found(broken, len(trials), trials[0][0], made, key[1] in known)
