"""The session that the battery keeps in an archive, visit by visit, and what an archive must hold after each.

As a program, `python -m tests.battery.kept PATH [COUNT]`: it keeps on from where the archive at PATH stands, and says
`ready`, then the number of each visit once it is saved.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import NamedTuple

from tests.replay.test_keeping import LIMIT, long_session
from windowkeeper_cli.archive import Archive, MemoryArchive
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.archive.opening import open_archive
from windowkeeper_cli.model.plan import Plan
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.keeping import keep

VISITS = 40


class After(NamedTuple):
    """What an archive holds after a visit: the plan, the lists, and the items."""

    plan: Plan
    lists: dict[str, tuple[str, ...] | None]
    ids: frozenset[str]


def transcript(visit: int) -> Transcript:
    """Return the transcript as the harness holds it at a visit, from 1."""
    return long_session(visit)


def after_each() -> list[After]:
    """Return what an archive holds before the first visit, and after each."""
    archive = MemoryArchive()
    found = [After((), {}, frozenset())]
    for visit in range(1, VISITS + 1):
        _visit(archive, visit)
        found.append(held(archive))
    return found


def held(archive: Archive) -> After:
    """Return what an archive holds now."""
    return After(archive.plan, {name: archive.list(name) for name in archive.lists()}, frozenset(archive.ids()))


@cache
def expected() -> tuple[After, ...]:
    """Return what an archive must hold before the first visit, and after each; made in memory."""
    return tuple(after_each())


def faults(archive: Lasting, finished: int) -> list[str]:
    """Return in words what of the archive is not as after visit `finished` or a later one."""
    found = [f"{one.where}: {one.text}" for one in archive.verify() if one.is_fault]
    now = held(archive)
    if not finished <= len(now.plan) <= VISITS:
        return [*found, f"{len(now.plan)} visits, of {finished} that were finished"]
    wanted = expected()[len(now.plan)]
    if now.plan != wanted.plan:
        found.append(f"the plan is not that of visit {len(now.plan)}")
    if now.lists != wanted.lists:
        found.append(f"the lists are not those of visit {len(now.plan)}")
    if not wanted.ids <= now.ids:
        found.append(f"{len(wanted.ids - now.ids)} items of finished visits are missing")
    last = transcript(VISITS)
    if any(archive.blocks(item.id) != last.blocks(item.at) for item in last.items if item.id in now.ids):
        found.append("an item has not the content that was put")
    return found


def _visit(archive: Archive, visit: int) -> None:
    keep(transcript(visit), LIMIT, archive=archive, counter="chars:1")


def main(path: str, count: int) -> None:
    """Keep on from where the archive at `path` stands, at most `count` visits."""
    transcripts = {visit: transcript(visit) for visit in range(1, VISITS + 1)}
    _say("ready")
    archive = open_archive(path, writes=True)
    begun = len(archive.plan)
    for visit in range(begun + 1, min(begun + count, VISITS) + 1):
        keep(transcripts[visit], LIMIT, archive=archive, counter="chars:1")
        _say(str(visit))


def _say(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else VISITS)
