"""How fast is a log loaded, against reading it and parsing its lines alone?

python -m tests.bench.load_speed LOG
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import orjson

from windowkeeper_cli.formats import load
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.tally import weighed

ROUNDS = 9


def best(work: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the seconds of the fastest run of each; they take turns, so that a busy machine meets them all."""
    fastest = dict.fromkeys(work, float("inf"))
    for _ in range(ROUNDS):
        for name, run in work.items():
            start = perf_counter()
            held = run()
            fastest[name] = min(fastest[name], perf_counter() - start)
            del held
    return fastest


def main(path: str) -> None:
    """Print the times and their ratios."""

    def dropped() -> None:
        with Path(path).open("rb") as stream:
            for line in stream:
                orjson.loads(line)

    def kept() -> list[object]:
        with Path(path).open("rb") as stream:
            return [orjson.loads(line) for line in stream]

    times = best(
        {
            "dropped": dropped,
            "kept": kept,
            "load": lambda: load(path),
            "load and count tokens": lambda: counts(load(path), "estimate"),
            "load that weighs, and count": lambda: counts(load(path, measure=weighed), "estimate"),
            "the same, results left in the file": lambda: counts(
                load(path, measure=weighed, keeps_text=False), "estimate"
            ),
        }
    )
    drop, keep = times.pop("dropped"), times.pop("kept")
    print(f"read and parse, values dropped {drop * 1e3:,.0f} ms, kept {keep * 1e3:,.0f} ms")
    for what, seconds in times.items():
        print(f"{what} {seconds * 1e3:,.0f} ms: {seconds / drop:.2f} and {seconds / keep:.2f} times")


if __name__ == "__main__":
    main(sys.argv[1])
