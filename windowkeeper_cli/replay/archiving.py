"""What of a replayed session goes into an archive? Every item it held, and what left behind each text of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.archive import Archive
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.replay.behind import Behind
from windowkeeper_cli.replay.session import Session


def archived(session: Session, steps: Iterable[Step], archive: Archive | None) -> Iterator[Step]:
    """Pass a session's steps on; after the last, `archive` holds what the session held. None archives nothing.

    The session works with an archive of its own, so that what others put into this one changes no figure; the plan of
    a harness that keeps one there stays as it is. Raises ArchiveError where it cannot be written.
    """
    if archive is None:
        yield from steps
        return
    behind = Behind(session)
    for step in steps:
        behind.take(step)
        yield step
    items, source = session.transcript.items, session.transcript.source
    for item in items[: session.fold.held]:
        archive.put(item, source)
    for stood in behind.stood():
        archive.extend_list(stood.item, [items[at].id for at in stood.ats])
    archive.save()
