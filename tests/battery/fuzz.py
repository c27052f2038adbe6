"""Do loaders keep their word on damaged inputs? `python -m tests.battery fuzz --times 100000 [--seed N]`.

Every input is drawn by its number, so that one line of the output repeats it: `fuzz --seed N --times 1`. Each is loaded
and, where it is a transcript, counted and replayed with its gaps; each tenth is a file that is glanced at and outlined;
each fourth a policy. An input may take ten seconds and 1.5 GB of addresses at most.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType

from tests.formats.damaged import loaded, mutated, options
from tests.policy.test_fuzz import mutated as mutated_policy
from tests.policy.test_fuzz import only_policy_errors
from windowkeeper_cli.formats import FORMATS
from windowkeeper_cli.formats.outline import glance, keys_of, outline
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.replay.gaps.finding import GapWatch
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens import counts

SECONDS, ADDRESSES = 10, 3 << 29
GROWTH = 200 << 10
"""Kilobytes that the process may grow after its first thousand inputs."""


def main(words: Sequence[str]) -> int:
    """Run the inputs, print one line for each that broke its word, and last how many did not and did."""
    parser = argparse.ArgumentParser(prog="python -m tests.battery fuzz", description=__doc__)
    parser.add_argument("--times", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    signal.signal(signal.SIGALRM, _too_long)
    ended: Counter[str] = Counter()
    failed, early = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.seed, asked.seed + asked.times):
            signal.alarm(SECONDS)
            try:
                ended[_one(number, Path(folder))] += 1
            except Exception:
                failed += 1
                sys.stdout.write(f"FAIL --seed {number} --times 1: {_last(traceback.format_exc())}\n")
            signal.alarm(0)
            if number - asked.seed == 1_000:
                early = _resident()
    grown = _resident() - early if early else 0
    told = ", ".join(f"{count:,} {word}" for word, count in sorted(ended.items()))
    sys.stdout.write(f"{told}; most memory {_resident() >> 10:,} MB, {grown >> 10:,} MB more than after 1,000 inputs\n")
    if grown > GROWTH:
        failed += 1
    sys.stdout.write(f"{asked.times - failed} passed, {failed} failed\n")
    return 1 if failed else 0


def _one(number: int, folder: Path) -> str:
    """Run one input, and say what became of it."""
    r = random.Random(number)
    if number % 4 == 3:
        only_policy_errors(mutated_policy(number))
        return "policies"
    data = mutated(r)
    if number % 10 == 5:
        file = folder / "log.jsonl"
        file.write_bytes(data)
        reads: tuple[Callable[[str], object], ...] = (glance, keys_of, outline)
        for read in reads:
            with suppress(WindowkeeperError):
                read(str(file))
    transcript = loaded(data, **options(r, FORMATS.names))
    if transcript is None:
        return "refused"
    settings = Settings(strategy=r.choice(STRATEGIES.names))
    with suppress(WindowkeeperError):
        counted = counts(transcript, r.choice(("estimate", "calibrated", "reported", "chars:1")))
        session = Session(transcript, counted, settings)
        watch = GapWatch(session)
        for _ in watch.watch(session.steps()):
            pass
    return "transcripts"


def _last(text: str) -> str:
    """Return the last frame of ours of a traceback, and what was raised."""
    lines = [line.strip() for line in text.splitlines()]
    frames = [line for line in lines if line.startswith("File") and "windowkeeper_cli" in line]
    return f"{lines[-1]}  {frames[-1] if frames else ''}"


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"over {SECONDS} seconds")


def _resident() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
