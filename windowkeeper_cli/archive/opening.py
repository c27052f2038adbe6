"""Which archive is at a path? What the path is tells: a folder, or a file."""

from __future__ import annotations

from typing import cast

from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.archive.store import standing_at
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.registry import Registry

ARCHIVES = Registry("archive", "windowkeeper_cli.archive", (("file", "file"), ("sqlite", "sqlite")))


def open_archive(path: str, *, writes: bool) -> Lasting:
    """Return the archive at `path`, made where it may be written and there is none.

    A new one is a folder, or a database where the path ends as one does. Raises ArchiveError where it is none.
    """
    there = standing_at(path)
    for name in ARCHIVES.names:
        module = ARCHIVES.module(name)
        if module.takes(path, there):
            return cast(Lasting, module.OPEN(path, writes=writes))
    raise ArchiveError("it is neither a folder nor a file", "name another path", where=path)
