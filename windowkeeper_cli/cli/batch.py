"""How does a command go over the sessions that its paths name: which they are, their order, what is left out?"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from windowkeeper_cli.cli.folders import Wanted
from windowkeeper_cli.cli.loading import Source, file_size
from windowkeeper_cli.cli.parallel import shared
from windowkeeper_cli.cli.progress import by_bytes
from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.model.errors import UsageError, WindowkeeperError
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.heading import STDIN
from windowkeeper_cli.report.replay import SessionReplay, Skip

INTERRUPTED = 130
"""The exit code of a command that the user broke off, and that reported what it had."""
WARNED = 10
"""Files left out that have a warning of their own; more are counted."""


class NamedFile(NamedTuple):
    """A session as the user typed it, or by its path in a folder, and the file that it is in."""

    name: str
    path: str


class HasPath(Protocol):
    """A job on one file."""

    @property
    def path(self) -> str:
        """Return the file."""
        ...


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
Outcome = TypeVar("Outcome", bound=HasOutcome)


def named_files(paths: Sequence[str], root: str | None, filters: Wanted) -> tuple[list[NamedFile], list[Skip]]:
    """Return the names and files of all sessions, those of folders by path, and what of folders is left out."""
    from windowkeeper_cli.formats.folder import session_files

    named: list[NamedFile] = []
    skips: list[Skip] = []
    for name in paths:
        if not is_folder(name):
            named.append(NamedFile(name, Source(name, root=root).path()))
            continue
        folder = session_files(name)
        skips += [Skip(one.path, one.why, damaged=False) for one in folder.skipped]
        for file in folder.sessions:
            if file.copy_of is not None:
                skips.append(Skip(file.path, f"a copy of {file.copy_of}", damaged=False))
            elif filters.may_fit(file):
                named.append(NamedFile(file.path, file.path))
    known: dict[str, None] = {}
    once: list[NamedFile] = []
    for one in named:
        real = os.path.realpath(one.path)
        if real in known:
            skips.append(Skip(one.path, "named twice", damaged=False))
        else:
            known[real] = None
            once.append(one)
    return once, skips


def is_folder(name: str) -> bool:
    """Return whether a path that the user typed is a folder."""
    try:
        return name != STDIN and Path(name).is_dir()
    except (OSError, ValueError):
        return False


def run(
    work: Callable[[Work], Outcome], jobs: Sequence[Work], processes: int, label: str, *, shown: bool
) -> tuple[list[Outcome], bool]:
    """Return what became of the sessions, in order, and whether the user broke it off after the first one."""
    done: dict[int, Outcome] = {}
    sizes = [file_size(job.path) for job in jobs]
    interrupted = False
    with by_bytes(label, sum(sizes), shown=shown and len(jobs) > 1) as advance:
        try:
            for place, result in shared(work, jobs, processes):
                done[place] = result
                advance(sizes[place])
        except KeyboardInterrupt:
            if not any(one.session is not None for one in done.values()):
                raise
            interrupted = True
    return [one for _, one in sorted(done.items())], interrupted


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
