"""How fast does the estimate count? On the texts of a folder of real logs, and on one large log.

python -m tests.bench.token_speed FOLDER [LOG]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import orjson

from tests.bench.real_texts import sessions
from windowkeeper_cli.formats import load
from windowkeeper_cli.tokens import counts, estimating

ROUNDS = 5


def best(work: Callable[[], object]) -> float:
    """Return the processor seconds of the fastest of five runs."""
    times = []
    for _ in range(ROUNDS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def texts(folder: Path) -> None:
    """Print the rate over all texts, and over one of 16 KB."""
    every = [text for _, group in sessions(folder) for text in group]
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in every)
    count = estimating().text
    seconds = best(lambda: [count(text) for text in every])
    print(f"{len(every):,} real texts, {size / 1e6:.1f} MB: {size / seconds / 1e6:.0f} MB/s")
    joined = "\n".join(every)[: 16 * 1024]
    print(f"one text of 16 KB: {best(lambda: [count(joined) for _ in range(100)]) * 10:.3f} ms")
    short = [text[:20] for text in every]
    print(f"a text of 20 characters: {best(lambda: [count(text) for text in short]) / len(short) * 1e6:.2f} us")


def log(path: Path) -> None:
    """Print loading, counting and plain decoding of one log, in processor seconds."""

    def decode() -> None:
        for line in path.read_bytes().splitlines():
            try:
                orjson.loads(line)
            except ValueError:
                json.loads(line)

    transcript = load(str(path))
    plain, loading = best(decode), best(lambda: load(str(path)))
    print(f"{path.name}: {len(transcript.items):,} items; decoding alone {plain:.3f} s, loading {loading:.3f} s")
    for name in ("estimate", "calibrated", "chars:4"):
        seconds = best(lambda name=name: counts(transcript, name))  # type: ignore[misc]
        print(f"  {name:11} {seconds:.3f} s = {seconds / loading:.0%} of loading, {seconds / plain:.2f} of decoding")


def main() -> None:
    """Read folder and log of the command line."""
    texts(Path(sys.argv[1]))
    for argument in sys.argv[2:]:
        log(Path(argument))


if __name__ == "__main__":
    main()
