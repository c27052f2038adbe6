"""The measurements of the speed goals as ratios in one run: `python -m tests.bench [S|M|L]`; prints, never asserts.

The logs are made by a generator that lies beside the project in `../shared/tools`; without it there is nothing to
measure on, and the command says so and ends with 0.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import orjson

from tests.bench.peer import sliding
from tests.house import ROOT
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.gaps.finding import GapWatch
from windowkeeper_cli.replay.metering import costs_by_call, costs_of
from windowkeeper_cli.replay.replay import Candidate, replay_session
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts, estimating
from windowkeeper_cli.tokens.tally import weighed

GENERATOR = ROOT.parent / "shared" / "tools" / "make_session.py"
LIMIT = 60_000
RUNS = 3
FIVE = ("sliding-tokens", "clear-tool-results", "token-budget", "summarize-oldest", "windowkeeper")
Row = tuple[str, str, str, str]


def best(work: Callable[[], object]) -> float:
    """Return the least processor seconds of a few runs."""
    took = []
    for _ in range(RUNS):
        started = time.process_time()
        work()
        took.append(time.process_time() - started)
    return min(took)


def made(size: str, folder: Path) -> Path:
    """Return a session log of that size, made anew."""
    path = folder / f"{size}.jsonl"
    command = [sys.executable, str(GENERATOR), "--preset", size, "-o", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def parse_alone(path: Path) -> int:
    lines = path.read_bytes().split(b"\n")
    return sum(orjson.loads(line) is not None for line in lines if line)


def parse_and_keep(path: Path) -> list[object]:
    return [orjson.loads(line) for line in path.read_bytes().split(b"\n") if line]


def peak_of_load(path: Path, *, keeps_text: bool) -> float:
    """Return the peak of a load in bytes for each byte of the file, what is imported left out."""
    load(str(path), measure=weighed, keeps_text=keeps_text)
    tracemalloc.start()
    load(str(path), measure=weighed, keeps_text=keeps_text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / path.stat().st_size


def loading(path: Path) -> list[Row]:
    """No. 1, 5 and 7: loading, memory, counting."""
    bare, kept = best(lambda: parse_alone(path)), best(lambda: parse_and_keep(path))
    whole = best(lambda: counts(load(str(path), measure=weighed), "estimate"))
    text = "".join(path.read_text("utf-8").splitlines()[:4000])
    took = best(lambda: estimating().text(text))
    return [
        ("1", "load and count, against parsing, values dropped", f"{whole / bare:.2f}x", "<= 3.0x"),
        ("1", "load and count, against parsing, values kept", f"{whole / kept:.2f}x", "<= 3.0x"),
        ("5", "peak memory of a load, against the file", f"{peak_of_load(path, keeps_text=True):.2f}x", "<= 1.5x"),
        ("5", "the same, results left in the file", f"{peak_of_load(path, keeps_text=False):.2f}x", "<= 0.5x"),
        ("7", "estimate", f"{len(text.encode()) / took / 1e6:.0f} MB/s", ">= 100 MB/s"),
    ]


def replaying(path: Path, transcript: Transcript, counted: Counts) -> list[Row]:
    """No. 2, 3 and 9: five strategies, growth, a long run under pressure."""
    loaded = best(lambda: load(str(path)))
    five = [Candidate(name, Settings(name)) for name in FIVE]
    took = best(lambda: list(replay_session(transcript, counted, five, limit=LIMIT)))
    half = replace(transcript, calls=transcript.calls[: len(transcript.calls) // 2])
    tight = replace(Settings(), budget=replace(Settings().budget, max=LIMIT, reserve=0))
    whole, part = (_operations(one, counted, tight) for one in (transcript, half))
    session = Session(transcript, counted, tight)
    costs = costs_of(session, costs_by_call(session, session.steps()), tight.prices)
    reuse = costs.cache_reuse or 0.0
    return [
        ("2", "replay of 5 strategies, against load", f"{took / loaded:.2f}x", "<= 2x"),
        ("3", "operations a call, whole and first half", f"{whole:.1f}, {part:.1f}", "<= 40, equal"),
        ("9", "calls to an invalidation", f"{costs.calls / max(costs.invalidations, 1):.0f}", ">= 15"),
        ("9", "calls over the limit", f"{costs.over_limit / costs.calls:.1%}", "<= 1%"),
        ("9", "cache reuse", f"{reuse:.1%}", ">= 93%"),
    ]


def needing(path: Path, transcript: Transcript, counted: Counts) -> list[Row]:
    """No. 8: evidence gaps of every usual kind, the index made anew, beyond the replay that they are found in."""
    loaded = best(lambda: counts(load(str(path)), "estimate"))
    tight = replace(Settings(), budget=replace(Settings().budget, max=LIMIT, reserve=0))
    took = min(_needing(Session(transcript, counted, tight)) for _ in range(RUNS))
    return [("8", "gaps beyond the replay, against load and count", f"{took / loaded:.2f}x", "<= 2x")]


def _needing(session: Session) -> float:
    started = time.process_time()
    watch = GapWatch(session)
    took = time.process_time() - started
    for step in session.steps():
        started = time.process_time()
        watch.take(step)
        took += time.process_time() - started
    return took


def _operations(transcript: Transcript, counted: Counts, settings: Settings) -> float:
    session = Session(transcript, counted, settings)
    last = len(transcript.calls)
    for _ in session.steps(upto=last):
        pass
    walked = getattr(session.strategy, "walked", 0)
    return (session.fold.steps + session.asked + walked) / last


def starting(path: Path) -> list[Row]:
    """No. 4: whole processes, wall seconds."""
    bare = _process("-c", "pass")
    base = _process("-c", "import typer, rich.console, rich.table, orjson")
    return [
        ("4", "--version, against a bare interpreter", f"{_tool('--version') / bare:.2f}x", "<= 2x"),
        ("4", "--help, against a bare interpreter", f"{_tool('--help') / bare:.2f}x", "<= 8x"),
        (
            "4",
            f"explain on {path.stem}, against bare imports",
            f"{_tool('explain', str(path)) / base:.2f}x",
            "S 1.2x, M 1.6x",
        ),
    ]


def _tool(*arguments: str) -> float:
    return _process("-m", "windowkeeper_cli", *arguments)


def _process(*arguments: str) -> float:
    took = []
    for _ in range(RUNS + 2):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=ROOT)
        took.append(time.perf_counter() - started)
    return min(took)


def main(arguments: list[str]) -> int:
    """Measure on one size of log and print a table; sizes are S, M (default) and L."""
    size = arguments[0] if arguments else "M"
    if not GENERATOR.is_file():
        print("nothing to measure on: the generator of session logs is not beside the project")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = made(size, Path(folder))
        transcript = load(str(path))
        counted = counts(transcript, "estimate")
        rows = [*loading(path), *replaying(path, transcript, counted), *starting(path)]
        rows += needing(path, transcript, counted)
        rows += sliding(transcript, counted, LIMIT)
    print(f"{size}: {len(transcript.calls):,} calls, {transcript.files[0].bytes:,} bytes; ratios of one run")
    for number, what, figure, goal in sorted(rows, key=lambda row: int(row[0])):
        print(f"{number:>3}  {what:<48} {figure:>12}   goal {goal}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
