"""What does one drawn transcript show of a strategy? The invariants that it breaks, or how its code fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import PurePath
from traceback import walk_tb

from windowkeeper_cli.formats import loads
from windowkeeper_cli.model.errors import (
    InputError,
    PolicyError,
    UnmeasurableError,
    WindowkeeperError,
)
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.battery.awkward import Json
from windowkeeper_cli.replay.battery.bounds import EndlessError, bounded, file_of
from windowkeeper_cli.replay.checking import Checked, Make, check_session
from windowkeeper_cli.replay.netting import UngrantedError
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.strategies.strategy import Strategy
from windowkeeper_cli.tokens import counts

RAISED, ENDLESS, UNUSABLE, UNGRANTED = "raises", "never-ends", "unusable-proposal", "ungranted"
"""Names of what is wrong that is no invariant."""
Chosen = tuple[Settings, Make | None]
Choose = Callable[[tuple[str, ...]], Chosen]
"""Gives the settings, and what makes a strategy of the user's own, under `KEY=VALUE` words; raises PolicyError."""


class Trial(NamedTuple):
    """A transcript in our own format, the words that change the policy, and the counter: all that a run depends on."""

    document: Json
    sets: tuple[str, ...]
    counter: str


class Broken(NamedTuple):
    """Something that does not hold: an invariant by its name and number, or a fault of the strategy's code.

    `fault` names a known fault of the reference strategies, or the kind and line of what was raised.
    """

    name: str
    fault: str
    text: str
    call: int | None = None
    number: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Return what is the same in two runs that show the same thing."""
        return self.name, self.fault


class Shown(NamedTuple):
    """What a trial showed: what is broken, and how many calls it visited, of which how many changed something."""

    broken: tuple[Broken, ...]
    visits: int = 0
    changed: int = 0


def run(trial: Trial, choose: Choose) -> Shown | None:
    """Return what a trial shows, None where the strategy cannot be measured on it, or the trial is none."""
    made: list[Strategy] = []
    try:
        settings, own = choose(trial.sets)
        transcript = loads(json.dumps(trial.document).encode(), "drawn.json", from_="windowkeeper")
        counted = counts(transcript, trial.counter)
    except (PolicyError, InputError, UnmeasurableError):
        return None
    try:
        found = check_session(transcript, counted, settings, _bounded(own or _registered, made))
    except UnmeasurableError:
        return None
    except (Exception, EndlessError, SystemExit) as error:  # the user's code may raise anything
        return Shown((_raised(error, file_of(made[0]) if made else ""),))
    return Shown(tuple(_failures(found)), found.visits, found.changed)


def _registered(settings: Settings) -> Strategy:
    made: Strategy = STRATEGIES.module(settings.strategy).make(settings)
    return made


def _bounded(own: Make, made: list[Strategy]) -> Make:
    def make(settings: Settings) -> Strategy:
        strategy = own(settings)
        made.append(strategy)
        return bounded(strategy)

    return make


def _failures(found: Checked) -> Iterator[Broken]:
    """Yield the first failure of each invariant and known fault, where the strategy does not give it up."""
    seen: set[tuple[str, str]] = set()
    for verdict in found.verdicts:
        for failure in () if verdict.given_up else verdict.failures:
            broken = Broken(verdict.name, failure.fault or "", failure.text, failure.call, verdict.number)
            if broken.key not in seen:
                seen.add(broken.key)
                yield broken


def _raised(error: BaseException, file: str) -> Broken:
    """Return what was raised as a fault of the strategy: by its own code with the line, or over what it proposed."""
    if isinstance(error, UngrantedError):
        return Broken(UNGRANTED, "", _one_line(error))
    if isinstance(error, EndlessError):
        return Broken(ENDLESS, "", _one_line(error))
    cause = error.__cause__ if isinstance(error, WindowkeeperError) and error.__cause__ is not None else error
    kind, told = type(cause).__name__, _one_line(cause)
    lines = [line for frame, line in walk_tb(cause.__traceback__) if file and frame.f_code.co_filename == file]
    if lines:
        place = f"{PurePath(file).name}:{lines[-1]}"
        return Broken(RAISED, f"{kind} at {place}", f"{place} raised {kind}: {told}")
    if isinstance(error, WindowkeeperError):
        return Broken(RAISED, kind, told)
    return Broken(UNUSABLE, kind, f"what it proposed or returned cannot be used: {kind}: {told}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
