"""What is in an archive? Its items in the order of their transcripts, its lists, its visits, and what is damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from windowkeeper_cli.archive.damage import Damage
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.plan import Plan
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.heading import several
from windowkeeper_cli.report.sheet import DETAIL, ID, TEXT, WORD, Cell, Column, Line, Lines, Part, Table

Shown = TypeVar("Shown")


class Facts(NamedTuple):
    """Which archive a report speaks of, how many items and lists are on disk, and the visits of its plan."""

    path: str
    kind: str
    items: int
    lists: int
    visits: int

    def document(self) -> dict[str, object]:
        """Return the facts as every document on an archive has them."""
        return self._asdict()

    def line(self) -> Line:
        """Return the line that a page begins with."""
        counts = (several(count, word) for count, word in zip(self[2:], ("item", "list", "visit"), strict=True))
        return Line("archive", ((self.path,), (self.kind,), *counts))


def facts_of(archive: Lasting) -> Facts:
    """Return which archive it is."""
    return Facts(archive.path, archive.kind, *archive.size(), len(archive.plan))


def items_of(
    archive: Lasting, ids: Iterable[str], show: Callable[[Item, Blocks], Shown]
) -> tuple[tuple[Shown, ...], tuple[Damage, ...]]:
    """Return what `show` makes of each item, by its place in its transcript, then by id; and which are damaged."""
    found: list[tuple[int, str, Shown]] = []
    damage: list[Damage] = []
    for item_id in ids:
        try:
            item, blocks = archive.item(item_id), archive.blocks(item_id)
        except ArchiveError as error:
            damage.append(Damage("item", error.where, item_id, error.what))
            continue
        if item is None or blocks is None:
            damage.append(Damage("missing", archive.path, item_id, "it is not there"))
        else:
            found.append((item.at, item_id, show(item, blocks)))
    found.sort(key=lambda one: one[:2])
    return tuple(shown for _, _, shown in found), tuple(damage)


def lists_of(
    archive: Lasting, lists: Iterable[str]
) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[Damage, ...]]:
    """Return each list with the ids on it, and which lists are damaged."""
    found: list[tuple[str, tuple[str, ...]]] = []
    damage: list[Damage] = []
    for list_id in lists:
        try:
            found.append((list_id, archive.list(list_id) or ()))
        except ArchiveError as error:
            damage.append(Damage("list", error.where, list_id, error.what))
    return tuple(found), tuple(damage)


def visits_document(plan: Plan) -> list[dict[str, object]]:
    """Return the visits of a plan as documents have them."""
    return [{"call": planned.call.number, "lines": len(planned.lines)} for planned in plan]


def damage_document(damage: Iterable[Damage]) -> list[dict[str, object]]:
    """Return damages as documents have them."""
    return [one._asdict() for one in damage]


def damage_notes(damage: Iterable[Damage]) -> list[dict[str, object]]:
    """Return damages as the notes of a document that is not about them."""
    return [{"level": "warning", "where": one.where, "kind": one.kind, "text": one.text} for one in damage]


def damage_table(damage: Iterable[Damage], title: str = "") -> Table:
    """Return a row for each damage."""
    columns = (
        Column("kind", "damage", WORD),
        Column("id", "id", ID),
        Column("text", "what is wrong", TEXT),
        Column("where", "where", DETAIL),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple((one.kind, one.id, one.text, one.where) for one in damage)
    return Table(columns, rows, title)


def head_of(facts: Facts, damage: Sequence[Damage]) -> Lines:
    """Return what the page of an archive's contents begins with: which one it is, and how much of it is damaged."""
    line = facts.line()
    broken: tuple[Part, ...] = ((len(damage), "damaged, all else is served"),) if damage else ()
    return Lines((line._replace(parts=(*line.parts, *broken)),))


def foot_of(damage: Sequence[Damage]) -> tuple[Table, ...]:
    """Return what such a page ends with: what is damaged, nothing where nothing is."""
    return (damage_table(damage, "what is damaged"),) if damage else ()
