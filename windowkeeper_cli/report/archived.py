"""What does an id stand for in an archive? One item, or the list of what left behind a notice or summary."""

from __future__ import annotations

from windowkeeper_cli.archive import Archive
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.nearest import nearest
from windowkeeper_cli.report.recalled import SHORTEST


def find_archived(archive: Archive, wanted: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the list with the id `wanted`, or whose id begins so, and its items; None and the item of an item's id.

    Raises UsageError where nothing has the id, or several different ones begin so.
    """
    items, lists = archive.ids(), archive.lists()
    known = dict.fromkeys((*items, *lists))
    found = wanted if wanted in known else None
    if found is None and len(wanted) >= SHORTEST:
        begun = [one for one in known if one.startswith(wanted)]
        if len(begun) > 1:
            more = f", and {len(begun) - 8:,} more" if len(begun) > 8 else ""
            raise UsageError(f"{wanted} begins {len(begun):,} ids: {', '.join(begun[:8])}{more}", "give more digits")
        found = begun[0] if begun else None
    if found is None:
        if len(wanted) < SHORTEST:
            raise UsageError(f"{wanted!r} is too short for an id", f"give {SHORTEST} digits or more")
        near = f"the nearest are {', '.join(nearest(wanted, known))}" if known else "the archive holds nothing"
        raise UsageError(f"no item, notice or summary has the id {wanted}", near)
    listed = archive.list(found)
    if found in items or listed is None:
        return None, (found,)
    return found, listed
