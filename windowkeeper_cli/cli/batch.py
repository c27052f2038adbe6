"""How does a command go over many sessions: in order, in several processes, until the user breaks it off?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Protocol, TypeVar

from windowkeeper_cli.cli.loading import file_size
from windowkeeper_cli.cli.parallel import HasPath, shared
from windowkeeper_cli.cli.progress import by_bytes
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.model.errors import InputError, UsageError, WindowkeeperError
from windowkeeper_cli.report.replay import SessionReplay, Skip

INTERRUPTED = 130
"""The exit code of a command that the user broke off, and that reported what it had."""
WARNED = 10
"""Files left out that have a warning of their own; more are counted."""


class HasOutcome(Protocol):
    """What became of one session: done, left out, or (both None) not wanted."""

    @property
    def session(self) -> SessionReplay | None:
        """Return the session where it was replayed."""
        ...

    @property
    def skip(self) -> Skip | None:
        """Return why it was left out."""
        ...

    @property
    def error(self) -> WindowkeeperError | None:
        """Return the error that it ended with."""
        ...


Work = TypeVar("Work", bound=HasPath)
Outcome = TypeVar("Outcome")


def run(
    work: Callable[[Work], Outcome],
    jobs: Sequence[Work],
    processes: int,
    label: str,
    *,
    lost: Callable[[Work, InputError], Outcome],
    finished: Callable[[Outcome], bool],
    shown: bool,
) -> tuple[list[Outcome], bool]:
    """Return what became of the sessions, in order, and whether the user broke it off after one was finished."""
    done: dict[int, Outcome] = {}
    sizes = [file_size(job.path) for job in jobs]
    interrupted = False
    with by_bytes(label, sum(sizes), shown=shown and len(jobs) > 1) as advance:
        try:
            for place, result in shared(work, jobs, processes, lost):
                done[place] = result
                advance(sizes[place])
        except KeyboardInterrupt:
            if not any(map(finished, done.values())):
                raise
            interrupted = True
    return [one for _, one in sorted(done.items(), key=itemgetter(0))], interrupted


def is_done(one: HasOutcome) -> bool:
    """Return whether a session was replayed."""
    return one.session is not None


def nothing_done(done: Sequence[HasOutcome], paths: Sequence[str], skips: int, verb: str) -> Exception:
    """Return the error of a command that could do no session; `verb` says what it would have done."""
    errors = [one.error for one in done if one.error is not None]
    if len(errors) == 1 and len(done) == 1:
        return errors[0]
    where = ", ".join(paths)
    if errors:
        return UsageError(f"none of {len(errors):,} sessions can be {verb}", "see the warnings above", where=where)
    more = f" ({skips:,} left out)" if skips else ""
    return UsageError(f"no session there fits{more}", "ask for less with --since, --project, --min-calls", where=where)


def warn_of_skips(bad: Sequence[Skip], *, quiet: bool) -> None:
    """Say on standard error which files are left out and why, the first of many."""
    for one in bad[:WARNED]:
        warn(f"{one.path}: {one.why}", quiet=quiet)
    if len(bad) > WARNED:
        warn(f"{len(bad) - WARNED:,} more files are left out; -f json names them", quiet=quiet)
