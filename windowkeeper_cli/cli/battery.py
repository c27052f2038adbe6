"""`check --battery`: a strategy on transcripts drawn from a seed, and the smallest that shows each of its faults."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import orjson

from windowkeeper_cli.cli.output import Output, write_file
from windowkeeper_cli.cli.policies import DEFAULT, one_policy, strategies
from windowkeeper_cli.cli.progress import watched
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.policy import built_in, load_policy
from windowkeeper_cli.replay.battery.battery import Asked, Battery, battery, drawn
from windowkeeper_cli.replay.battery.trial import Choose, Chosen
from windowkeeper_cli.report.battery import BatteryReport
from windowkeeper_cli.report.subject import NamedPolicy
from windowkeeper_cli.strategies import STRATEGIES

FORMATS = ("table", "json", "csv", "md", "junit", "github")
AUTO = "auto"
_ODD = re.compile(r"[^a-z0-9.]+")


class Drawn(NamedTuple):
    """What the user asks of the battery, beside the strategy; `shown` says that a bar may tell how far it is."""

    seed: int
    times: int
    counter: str
    save: str | None
    shown: bool


def battery_of(out: Output, names: Sequence[str] | None, sets: Sequence[str] | None, what: Drawn) -> int:
    """Run the battery, write its report, and return the exit code."""
    out.check(FORMATS)
    _check_folder(what.save)
    policy = one_policy(names, sets, complete=False)
    choose = _choice(policy)
    asked = Asked(
        what.seed, what.times, _reads(policy), _keys(policy.sets), None if what.counter == AUTO else what.counter
    )
    settings, make = choose(drawn(asked, 0).sets)
    strategy = STRATEGIES.module(settings.strategy).make(settings) if make is None else make(settings)
    known = getattr(strategy, "known_faults", ())
    found = battery(asked, choose, known, lambda numbers: watched(numbers, "drawing", shown=what.shown))
    files = () if what.save is None else _saved(found, Path(what.save))
    report = BatteryReport(found, policy, tuple(getattr(strategy, "gives_up", ())), files)
    out.write(report)
    return 0 if report.ok else 1


def _choice(policy: NamedPolicy) -> Choose:
    """Return what gives the settings under more words of `--set`; a policy file and a preset stay as they are."""

    def choose(words: tuple[str, ...]) -> Chosen:
        if not words and policy.origin not in ("own", "default"):
            return policy.settings, policy.make
        overrides = (*policy.sets, *words)
        if policy.origin == "built-in":
            return built_in(policy.name, strategies=strategies(), overrides=overrides).settings, None
        settings = load_policy(None, DEFAULT, strategies=strategies(), overrides=overrides).settings
        if policy.make is None:
            return settings, None
        return _as_own(settings, policy), policy.make

    return choose


def _as_own(settings: Settings, policy: NamedPolicy) -> Settings:
    return dataclasses.replace(settings, strategy=policy.settings.strategy)


def _reads(policy: NamedPolicy) -> tuple[str, ...]:
    """Return the sections that are drawn: those that the strategy reads, none where a file or a preset set them."""
    if policy.make is not None:
        return tuple(policy.make(policy.settings).reads)
    is_bare = policy.origin == "default" or (policy.origin == "built-in" and policy.name in STRATEGIES.names)
    return tuple(STRATEGIES.module(policy.settings.strategy).READS) if is_bare else ()


def _keys(sets: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.partition("=")[0].strip() for word in sets)


def _check_folder(name: str | None) -> None:
    """Raise UsageError, before any work, where the transcripts cannot be written to a folder of their own."""
    if name is None:
        return
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--save {name} is there, and no empty folder", "name a new one")
    if not folder.parent.is_dir():
        raise UsageError(f"--save {name}: no folder {folder.parent}", "make it first")


def _saved(found: Battery, folder: Path) -> tuple[str, ...]:
    """Write the smallest transcripts, and return their files."""
    folder.mkdir(exist_ok=True)
    files: list[str] = []
    for one in found.found:
        stem = _ODD.sub("-", f"{one.broken.name} {one.broken.fault}".strip().lower())
        taken = sum(Path(file).name.startswith(f"{stem}.") for file in files)
        file = folder / (f"{stem}.json" if not taken else f"{stem}.{taken + 1}.json")
        write_file(str(file), [orjson.dumps(one.smallest.document, option=orjson.OPT_INDENT_2), b"\n"])
        files.append(str(file))
    return tuple(files)
