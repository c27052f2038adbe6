"""What does an id stand for in an archive? One item, or the list of what left behind a notice or summary."""

from __future__ import annotations

from windowkeeper_cli.archive import Archive
from windowkeeper_cli.model.nearest import begun, nearest
from windowkeeper_cli.report.recalled import nothing_has, require_one


def find_archived(archive: Archive, wanted: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the list with the id `wanted`, or whose id begins so, and its items; None and the item of an item's id.

    Raises UsageError where nothing has the id, or several different ones begin so.
    """
    items, lists = archive.ids(), archive.lists()
    known = (*items, *lists)
    meant = begun(wanted, known)
    require_one(wanted, meant)
    if not meant:
        raise nothing_has(wanted, nearest(wanted, known))
    found = meant[0]
    listed = archive.list(found)
    if found in items or listed is None:
        return None, (found,)
    return found, listed
