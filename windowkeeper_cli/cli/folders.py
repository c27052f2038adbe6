"""Which sessions of a folder a command takes: --since, --project, and how they are read in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from windowkeeper_cli.cli.parallel import shared
from windowkeeper_cli.cli.since import since_moment
from windowkeeper_cli.cli.surroundings import session_roots
from windowkeeper_cli.formats.folder import LOGS, Folder, SessionFile, Skipped, session_files
from windowkeeper_cli.formats.outline import Outline, outline
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.value import NamedTuple

_CAPITALS = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


class Wanted(NamedTuple):
    """What a session must be to be taken: its last message not before `since` (seconds), its project, its calls."""

    since: float | None = None
    project: str | None = None
    min_calls: int = 0

    def may_fit(self, file: SessionFile) -> bool:
        """Return whether a log may fit, by its head and tail alone; where they do not tell, it may."""
        seen = file.glance
        if seen is None:
            return True
        return self._is_late(seen.last, unknown=True) and self._is_in(seen.project, unknown=True)

    def still_open(self, file: SessionFile) -> Wanted:
        """Return what is left to ask of a log that may fit: what its head and tail did not answer."""
        seen = file.glance
        if seen is None:
            return self
        return self._replace(
            since=self.since if seen.last is None else None, project=self.project if seen.project is None else None
        )

    def fits(self, found: Outline) -> bool:
        """Return whether a session fits; one without times is of no time, one without a folder in none."""
        return (
            found.calls >= self.min_calls
            and self._is_late(found.ended, unknown=False)
            and self._is_in(found.project, unknown=False)
        )

    def _is_late(self, time: str | None, *, unknown: bool) -> bool:
        if self.since is None:
            return True
        moment = seconds(time)
        return unknown if moment is None else moment >= self.since

    def _is_in(self, project: str | None, *, unknown: bool) -> bool:
        if self.project is None:
            return True
        return unknown if project is None else _small(self.project) in _small(project)


class Job(NamedTuple):
    """One log to outline, and the format to read it as."""

    path: str
    format: str | None


def wanted(since: str | None, project: str | None, min_calls: int) -> Wanted:
    """Return what the options ask for; raise UsageError for a `--since` that is no moment."""
    return Wanted(None if since is None else since_moment(since), project, min_calls)


def folder_at(folder: str | None, root: str | None) -> Folder:
    """Return the sessions of a folder, else of the session roots; raise InputError where there is none."""
    if folder is not None and root is not None:
        raise UsageError(f"{folder} and --root {root}", "name one folder")
    if folder is not None:
        return session_files(folder)
    roots = session_roots(root)
    there = roots if root is not None else [path for path in roots if Path(path).is_dir()]
    if not there:
        raise InputError(f"no session logs: neither of {', '.join(roots)} is there", "name a folder, or use --root DIR")
    ends = LOGS if root is not None else (".jsonl",)
    found: list[Folder] = []
    for number, path in enumerate(there):
        try:
            found.append(session_files(path, ends))
        except InputError:
            if not found and number == len(there) - 1:
                raise
    return Folder(
        ", ".join(one.path for one in found),
        tuple(file for one in found for file in one.sessions),
        tuple(one for each in found for one in each.skipped),
        tuple(name for one in found for name in one.others) if root is not None else (),
    )


def outlines(
    files: Sequence[SessionFile], format_: str | None, processes: int
) -> Iterator[tuple[int, Outline | Skipped]]:
    """Yield the place of each log with its outline, or why it has none, as they are read; the largest first."""
    order = sorted(range(len(files)), key=lambda place: -files[place].size) if processes > 1 else range(len(files))
    jobs = [Job(files[place].path, format_) for place in order]
    for done, result in shared(outlined, jobs, processes, _lost):
        yield order[done], result


def outlined(job: Job) -> Outline | Skipped:
    """Return a log's outline, or why it has none; this runs in another process too."""
    try:
        return outline(job.path, job.format)
    except InputError as error:
        return Skipped(job.path, reason(error, job.path))


def _lost(job: Job, error: InputError) -> Skipped:
    return Skipped(job.path, error.what)


def reason(error: InputError, path: str) -> str:
    """Return what is wrong with a file, with the line and column where the error names them."""
    place = error.where.removeprefix(path).strip(":")
    return f"line {place}: {error.what}" if place and place != error.where else error.what


def _small(text: str) -> str:
    return text.translate(_CAPITALS)
