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

ROUNDS = 7


def best(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of several runs."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def main(path: str) -> None:
    """Print the times and their ratios."""

    def dropped() -> None:
        with Path(path).open("rb") as stream:
            for line in stream:
                orjson.loads(line)

    def kept() -> list[object]:
        with Path(path).open("rb") as stream:
            return [orjson.loads(line) for line in stream]

    drop, keep = best(dropped), best(kept)
    loaded = best(lambda: load(path))
    counted = best(lambda: counts(load(path), "estimate"))
    print(f"read and parse, values dropped {drop * 1e3:,.0f} ms, kept {keep * 1e3:,.0f} ms")
    for what, seconds in (("load", loaded), ("load and count tokens", counted)):
        print(f"{what} {seconds * 1e3:,.0f} ms: {seconds / drop:.2f} and {seconds / keep:.2f} times")


if __name__ == "__main__":
    main(sys.argv[1])
