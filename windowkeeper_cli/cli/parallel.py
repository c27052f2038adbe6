"""How several processes share one job over many files."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def shared(work: Callable[[Job], Result], jobs: Sequence[Job], processes: int) -> Iterator[tuple[int, Result]]:
    """Yield each job's place with its result, as they are done; with one process here, in order."""
    if processes < 2 or len(jobs) < 2:
        for place, job in enumerate(jobs):
            yield place, work(job)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # A process of its own start: what this one holds, threads and terminal included, is not copied.
    pool = ProcessPoolExecutor(min(processes, len(jobs)), get_context("spawn"), _leave_interrupts_to_the_parent)
    try:
        places = {pool.submit(work, job): place for place, job in enumerate(jobs)}
        for done in as_completed(places):
            yield places[done], done.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
