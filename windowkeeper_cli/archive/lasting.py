"""What do archives on disk have in common? What was put waits in memory for a save, and reads go through both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from windowkeeper_cli.archive.damage import Damage
from windowkeeper_cli.archive.listed import list_in, list_record
from windowkeeper_cli.archive.memory import MemoryArchive
from windowkeeper_cli.archive.names import is_id, name_of
from windowkeeper_cli.archive.record import held_in, item_kind, record_of
from windowkeeper_cli.archive.sealed import is_sealed
from windowkeeper_cli.archive.store import ITEM, LIST, VISIT, Store, Write
from windowkeeper_cli.archive.visits import Ended, visit_in, visit_record
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.errors import ArchiveError, UsageError
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.plan import Plan, Planned
from windowkeeper_cli.model.transcript import BlockSource

INTACT = "all else is served"


class Lasting:
    """An archive on disk; what was put since the last save is lost with the process.

    `damage` is what opening it found wrong. It is closed when it is left as a context, or no longer held.
    """

    kind: str

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh = MemoryArchive()
        self._whole: set[str] = set()
        self._left: dict[str, dict[str, None]] = {}
        self._ended: dict[str, Ended] = {}
        self.damage = (*store.damage, *self._damaged_visits())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what is held open."""
        self._store.close()

    def size(self) -> tuple[int, int]:
        """Return how many records of items and lists are on disk, the damaged ones among them."""
        return len(self._store.rows(ITEM)), len(self._store.rows(LIST))

    @property
    def path(self) -> str:
        """Return the folder or file that it is."""
        return self._store.path

    def verify(self) -> Iterator[Damage]:
        """Yield every damage of the archive as it is on disk; every record is read."""
        from windowkeeper_cli.archive.verifying import damages

        yield from damages(self._store)

    def put(self, item: Item, source: BlockSource) -> None:
        """Hold an item; one whose record is damaged is written anew. Raises UsageError for an id that is none."""
        if not is_id(item.id):
            raise UsageError(f"{item.id!r} is no item's id", "an id is 12 hex digits")
        if not self.holds(item.id):
            self._fresh.put(item, source)

    def holds(self, item_id: str) -> bool:
        """Return whether an item with that id is held, its record as it was written."""
        if item_id in self._whole or self._fresh.holds(item_id):
            return True
        try:
            record = self.record(item_id)
        except ArchiveError:
            return False
        whole = record is not None and is_sealed(item_kind(item_id), record)
        if whole:
            self._whole.add(item_id)
        return whole

    def item(self, item_id: str) -> Item | None:
        """Return the item with that id, or None; raise ArchiveError where it is damaged."""
        fresh = self._fresh.item(item_id)
        if fresh is not None:
            return fresh
        found = self._found(item_id)
        return None if found is None else found[0]

    def blocks(self, item_id: str) -> Blocks | None:
        """Return an item's blocks as they came, or None; raise ArchiveError where they are damaged."""
        fresh = self._fresh.blocks(item_id)
        if fresh is not None:
            return fresh
        found = self._found(item_id)
        return None if found is None else found[1]

    def record(self, item_id: str) -> bytes | None:
        """Return an item's bytes on disk, or None; nothing but an id is looked for."""
        return self._store.row(ITEM, item_id) if is_id(item_id) else None

    def extend_list(self, list_id: str, item_ids: Sequence[str]) -> None:
        """Add what has left to the list that a notice names, in the order of leaving, each id once."""
        self._left.setdefault(list_id, {}).update(dict.fromkeys(item_ids))

    def list(self, list_id: str) -> tuple[str, ...] | None:
        """Return the item ids of a list in order, or None; raise ArchiveError where it is damaged."""
        return self._listed(list_id, self._lengths())

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all items, sorted."""
        return tuple(sorted({*self._store.rows(ITEM), *self._fresh.ids()}))

    def lists(self) -> tuple[str, ...]:
        """Return the ids of all lists, sorted."""
        return tuple(sorted({*self._lengths(), *self._left}))

    @property
    def plan(self) -> Plan:
        """Return the visits made so far, in order, up to the first that is damaged."""
        return tuple(planned for _, planned in self._known())

    def save_plan(self, plan: Plan) -> None:
        """Make what was put last, and then the visits; raise ArchiveError where that cannot be done."""
        self._save(plan)

    def save(self) -> None:
        """Make what was put last, without a visit; raise ArchiveError where that cannot be done."""
        self._save(None)

    def _found(self, item_id: str) -> tuple[Item, Blocks] | None:
        record = self.record(item_id)
        if record is None:
            return None
        try:
            return held_in(record, item_id)
        except ArchiveError as error:
            raise ArchiveError(error.what, INTACT, where=self._store.place(ITEM, item_id)) from error

    def _listed(self, list_id: str, lengths: Mapping[str, int]) -> tuple[str, ...] | None:
        """Return what a list holds where each is as long as `lengths` says; what an unfinished visit added is not."""
        length, left = lengths.get(list_id), self._left.get(list_id)
        if length is None and left is None:
            return None
        found = None if length is None else self._saved_list(list_id)
        if length is not None and (found is None or len(found) < length):
            missing = "it is not there" if found is None else f"it has {len(found):,} of {length:,} ids"
            raise ArchiveError(missing, INTACT, where=self._store.place(LIST, name_of(list_id)))
        return tuple(dict.fromkeys((*(found or ())[:length], *(left or ()))))

    def _known(self) -> Iterator[tuple[str, Planned]]:
        """Yield the visits that were saved, up to the first that is damaged."""
        for name in self._store.rows(VISIT):
            ended = self._end_of(name)
            if ended is None:
                return
            if ended.planned is not None:
                yield name, ended.planned

    def _end_of(self, name: str) -> Ended | None:
        if name not in self._ended:
            try:
                self._ended[name] = visit_in(self._store.row(VISIT, name) or b"")
            except ArchiveError:
                return None
        return self._ended[name]

    def _damaged_visits(self) -> Iterator[Damage]:
        """Read every visit, and yield which are damaged; the plan ends before them."""
        for name in self._store.rows(VISIT):
            try:
                self._ended[name] = visit_in(self._store.row(VISIT, name) or b"")
            except ArchiveError as error:
                yield Damage(VISIT, self._store.place(VISIT, name), None, error.what)

    def _lengths(self) -> dict[str, int]:
        """Return how long each list was when the last visit ended that let it grow.

        Where a visit's record is damaged, so that nobody knows, all that was written of a list counts.
        """
        lengths: dict[str, int] = {}
        for name in self._store.rows(VISIT):
            ended = self._end_of(name)
            if ended is None:
                return self._written()
            for list_id, length in ended.lists.items():
                lengths[list_id] = max(length, lengths.get(list_id, 0))
        return lengths

    def _written(self) -> dict[str, int]:
        """Return how many ids of each list were ever written, of those that can be read."""
        written = {}
        for name in self._store.rows(LIST):
            try:
                list_id, ids = list_in(self._store.row(LIST, name) or b"", name)
            except ArchiveError:
                continue
            written[list_id] = len(ids)
        return written

    def _saved_list(self, list_id: str) -> tuple[str, ...] | None:
        """Return all that was ever written of a list, None where there is none."""
        name = name_of(list_id)
        record = self._store.row(LIST, name)
        if record is None:
            return None
        try:
            return list_in(record, name)[1]
        except ArchiveError as error:
            raise ArchiveError(error.what, INTACT, where=self._store.place(LIST, name)) from error

    def _save(self, plan: Plan | None) -> None:
        if not self._store.writes:
            raise ArchiveError("it was opened to be read alone", where=self.path)
        with self._store.writing() as write:
            fresh, gone = self._fresh.ids(), self._forgotten(plan)
            new = () if plan is None else plan[len([name for name, _ in self._known() if name not in gone]) :]
            write.put(ITEM, ((item_id, self._made(item_id)) for item_id in fresh))
            had = self._lengths()
            grown = self._grow(write, had)
            if gone and had:
                write.add([visit_record(Ended(None, had))])
            write.drop(gone)
            ends = [Ended(planned, {}) for planned in new]
            if grown:
                ends = [*ends[:-1], ends[-1]._replace(lists=grown)] if ends else [Ended(None, grown)]
            write.add([visit_record(end) for end in ends])
        self._whole.update(fresh)
        self._fresh, self._left = MemoryArchive(), {}

    def _made(self, item_id: str) -> bytes:
        item, blocks = self._fresh.item(item_id), self._fresh.blocks(item_id)
        assert item is not None and blocks is not None
        return record_of(item, blocks)

    def _forgotten(self, plan: Plan | None) -> tuple[str, ...]:
        """Return the visits that were saved and are not in the plan, newest first; the damaged ones with them."""
        if plan is None:
            return ()
        same = set()
        for (name, planned), wanted in zip(self._known(), plan, strict=False):
            if planned != wanted:
                break
            same.add(name)
        visits = [name for name in self._store.rows(VISIT) if name not in same]
        ended = [(name, self._end_of(name)) for name in reversed(visits)]
        return tuple(name for name, end in ended if end is None or end.planned is not None)

    def _grow(self, write: Write, lengths: Mapping[str, int]) -> dict[str, int]:
        """Write the lists that have grown, and return how long they are now."""
        grown = {}
        for list_id, left in self._left.items():
            try:
                now = self._listed(list_id, lengths) or ()
            except ArchiveError:
                now = tuple(left)
            if len(now) != lengths.get(list_id):
                grown[list_id] = now
        write.put(LIST, ((name_of(list_id), list_record(list_id, now)) for list_id, now in grown.items()))
        return {list_id: len(now) for list_id, now in grown.items()}
