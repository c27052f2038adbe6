"""An archive that lives as long as the process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.transcript import BlockSource

if TYPE_CHECKING:
    # A name in annotations only; commands start sooner without it.
    from windowkeeper_cli.model.plan import Plan


class MemoryArchive:
    """Holds items by id, and lists of items by theirs; nothing is ever removed from it.

    An item is held by reference to the source it came from, so that archiving reads no text.
    """

    def __init__(self) -> None:
        self._items: dict[str, tuple[BlockSource, Item]] = {}
        self._lists: dict[str, dict[str, None]] = {}
        self._plan: Plan = ()

    def put(self, item: Item, source: BlockSource) -> None:
        """Hold an item; the same content a second time changes nothing."""
        self._items.setdefault(item.id, (source, item))

    def holds(self, item_id: str) -> bool:
        """Return whether an item with that id is held."""
        return item_id in self._items

    def item(self, item_id: str) -> Item | None:
        """Return the item with that id, or None."""
        found = self._items.get(item_id)
        return None if found is None else found[1]

    def blocks(self, item_id: str) -> Blocks | None:
        """Return an item's blocks as they came, or None for an unknown id."""
        found = self._items.get(item_id)
        return None if found is None else found[0].blocks(found[1].at)

    def extend_list(self, list_id: str, item_ids: Sequence[str]) -> None:
        """Add what has left to the list that a notice names, in the order of leaving, each id once."""
        held = self._lists.setdefault(list_id, {})
        held.update(dict.fromkeys(item_ids))

    def list(self, list_id: str) -> tuple[str, ...] | None:
        """Return the item ids of a list in order, or None for an unknown id."""
        found = self._lists.get(list_id)
        return None if found is None else tuple(found)

    @property
    def plan(self) -> Plan:
        """Return the visits made so far, in order."""
        return self._plan

    def save_plan(self, plan: Plan) -> None:
        """Hold the visits made so far; a visit that is not held never happened."""
        self._plan = plan

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all items in the order they came."""
        return tuple(self._items)

    def lists(self) -> tuple[str, ...]:
        """Return the ids of all lists in the order they came."""
        return tuple(self._lists)

    def save(self) -> None:
        """Do nothing: what is put here lasts as long as the archive does."""
