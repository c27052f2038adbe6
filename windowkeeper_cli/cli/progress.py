"""How far a long job is: a bar on standard error, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TypeVar

from windowkeeper_cli.cli.surroundings import is_terminal

Value = TypeVar("Value")


def watched(values: Iterable[Value], label: str, *, shown: bool, total: int | None = None) -> Iterator[Value]:
    """Yield `values`, with a bar and the time left where there are several, on a terminal, where `shown`.

    `total` is their number where they are no sequence.
    """
    if total is None:
        total = len(values) if isinstance(values, Sized) else 0
    if not shown or total < 2 or not is_terminal(sys.stderr):
        yield from values
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label, markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        for value in values:
            yield value
            bar.advance(task)


@contextmanager
def by_bytes(label: str, total: int, *, shown: bool) -> Iterator[Callable[[int], object]]:
    """Give a function that takes the bytes just read: a bar of them, on a terminal, where `shown`."""
    if not shown or not is_terminal(sys.stderr):
        yield lambda _bytes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label, markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda read: bar.advance(task, read)
