"""How several processes share one job over many files: each result as it is done, a killed process named."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from windowkeeper_cli.model.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor


class HasPath(Protocol):
    """A job on one file."""

    @property
    def path(self) -> str:
        """Return the file."""
        ...


Job = TypeVar("Job", bound=HasPath)
Result = TypeVar("Result")


def shared(
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    processes: int,
    lost: Callable[[Job, InputError], Result],
) -> Iterator[tuple[int, Result]]:
    """Yield each job's place with its result, as they are done; with one process here, in order.

    A job whose process was killed has the result that `lost` gives it; a fault of ours is raised with the job's file.
    """
    if processes < 2 or len(jobs) < 2:
        for place, job in enumerate(jobs):
            yield place, _noted(work, job)
        return
    waiting = deque(enumerate(jobs))
    while waiting:
        suspects = yield from _until_broken(work, waiting, processes)
        # A process that dies takes all with it: whose it was is told by each of their jobs alone.
        for place, job in suspects:
            alone = deque([(place, job)])
            if (yield from _until_broken(work, alone, 1)):
                yield place, lost(job, _killed(job.path))


def _until_broken(
    work: Callable[[Job], Result], waiting: deque[tuple[int, Job]], processes: int
) -> Generator[tuple[int, Result], None, list[tuple[int, Job]]]:
    """Yield the results of waiting jobs; return those that were at work when a process was killed, none by default."""
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    running: dict[Future[Result], tuple[int, Job]] = {}
    with _pool(min(processes, len(waiting))) as pool:
        while waiting or running:
            try:
                with _interrupts_held():
                    while waiting and len(running) < processes:
                        future = pool.submit(_noted, work, waiting[0][1])
                        running[future] = waiting.popleft()
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda one: running[one][0]):
                    result = future.result()
                    yield running.pop(future)[0], result
            except BrokenProcessPool:
                return sorted(running.values(), key=lambda pair: pair[0]) or [waiting.popleft()]
    return []


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes; where it is left before its work is done, they are ended and not waited for."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    # A process of its own start: what this one holds, threads and terminal included, is not copied.
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin)
    try:
        yield pool
    except BaseException:
        for child in active_children():
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes start: they inherit that, so that it ends this process's wait alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Leave interrupts to the parent, and end with it."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _noted(work: Callable[[Job], Result], job: Job) -> Result:
    """Return the result of a job; what it raises says which file it was."""
    try:
        return work(job)
    except Exception as error:
        error.add_note(job.path)
        raise


def _killed(path: str) -> InputError:
    return InputError("the process that read it was killed, as for want of memory", "use a lower -j", where=path)
