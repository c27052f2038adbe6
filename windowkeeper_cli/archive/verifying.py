"""Which records of an archive are not what was written? All are read; each damage is named, and stops nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from windowkeeper_cli.archive.damage import Damage
from windowkeeper_cli.archive.listed import list_in
from windowkeeper_cli.archive.record import held_in
from windowkeeper_cli.archive.store import ITEM, LIST, VISIT, Store
from windowkeeper_cli.archive.visits import visit_in
from windowkeeper_cli.model.errors import ArchiveError


def damages(store: Store) -> Iterator[Damage]:
    """Yield every damage of the archive in `store` as it is on disk: around its records, then by kind and name."""
    yield from store.around()
    held = frozenset(store.rows(ITEM))
    lists: dict[str, int] = {}

    def item(record: bytes, name: str, _place: str) -> Iterator[Damage]:
        held_in(record, name)
        yield from ()

    def listed(record: bytes, name: str, place: str) -> Iterator[Damage]:
        list_id, ids = list_in(record, name)
        lists[list_id] = len(ids)
        for item_id in ids:
            if item_id not in held:
                yield Damage("missing", place, item_id, "the list names it, and it is not there")

    def visit(record: bytes, _name: str, place: str) -> Iterator[Damage]:
        for list_id, length in visit_in(record).lists.items():
            if lists.get(list_id, 0) < length:
                text = f"the visit saved {length:,} ids of it, and {lists.get(list_id, 0):,} are there"
                yield Damage("missing", place, list_id, text)

    yield from _each(store, ITEM, item)
    yield from _each(store, LIST, listed)
    yield from _each(store, VISIT, visit)


def _each(store: Store, kind: str, check: Callable[[bytes, str, str], Iterator[Damage]]) -> Iterator[Damage]:
    for name in store.rows(kind):
        place = store.place(kind, name)
        try:
            yield from check(store.row(kind, name) or b"", name, place)
        except ArchiveError as error:
            yield Damage(kind, place, None if kind == VISIT else name, error.what)
