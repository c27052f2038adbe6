"""How does a command work with the archive that the user named? Opened first, what is damaged said, closed in time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from windowkeeper_cli.cli.stderr import warn
from windowkeeper_cli.model.errors import ArchiveError, UsageError

if TYPE_CHECKING:
    # Few commands are given an archive; the others start sooner without it.
    from windowkeeper_cli.archive.lasting import Lasting
    from windowkeeper_cli.report.recall import Recalled
    from windowkeeper_cli.report.subject import NamedPolicy


@contextmanager
def archive_at(path: str | None, *, writes: bool, quiet: bool = False) -> Iterator[Lasting | None]:
    """Let the block have the archive at `path`, None where no path is given; its damage is a warning each."""
    if path is None:
        yield None
        return
    from windowkeeper_cli.archive.opening import open_archive

    with open_archive(path, writes=writes) as archive:
        for one in archive.damage:
            warn(f"{one.where}: {one.text}", quiet=quiet)
        yield archive


def require_apart(path: str | None, output: str | None) -> None:
    """Raise UsageError where the report would be written over the archive."""
    if path and output and os.path.realpath(path) == os.path.realpath(output):
        raise UsageError(f"-o {output} is the archive", "name another file")


def require_alone(given: Sequence[tuple[str, bool]]) -> None:
    """Raise UsageError where something was given that speaks of a transcript, besides an archive to recall from."""
    for word, was in given:
        if was:
            raise UsageError(f"{word} does not go with --archive", "an archive needs no transcript")


def recalled_from(path: str, wanted: str, policy: NamedPolicy, counter: str, *, raw: bool, quiet: bool) -> Recalled:
    """Return what an id stands for in the archive at `path`; what is damaged of a list is a warning each.

    Raises UsageError where nothing has the id, ArchiveError where what has it is damaged.
    """
    from windowkeeper_cli.archive.reading import transcript_of
    from windowkeeper_cli.cli.loading import counted
    from windowkeeper_cli.replay.behind import Stood
    from windowkeeper_cli.report.archived import find_archived
    from windowkeeper_cli.report.recall import LIST, Recalled
    from windowkeeper_cli.report.subject import Subject

    broken: list[ArchiveError] = []
    with archive_at(path, writes=False, quiet=quiet) as archive:
        assert archive is not None
        list_id, ids = find_archived(archive, wanted)
        transcript = transcript_of(archive, ids, broken.append)
    if broken and not transcript.items:
        raise broken[0]
    for error in broken:
        warn(str(error), quiet=quiet)
    ats = tuple(range(len(transcript.items)))
    subject = Subject(path, transcript, counted(transcript, counter), policy, ("--archive", path))
    return Recalled(subject, ats, None if list_id is None else Stood(list_id, LIST, "", ats, 1, 1), raw=raw)
