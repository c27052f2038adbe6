"""What is an archive? All that is kept between two calls: items, the lists of what left, and the standing plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.transcript import BlockSource

if TYPE_CHECKING:
    # A name in annotations only; commands start sooner without it.
    from windowkeeper_cli.model.plan import Plan


class Archive(Protocol):
    """Holds items by id, lists of items by theirs, and the plan; no item is ever removed from it.

    What was put since the last save is held in memory; a save makes it last, all of it or nothing. An archive on disk
    raises ArchiveError where what is asked for is damaged, or cannot be written.
    """

    def put(self, item: Item, source: BlockSource) -> None:
        """Hold an item; the same content a second time changes nothing."""
        ...

    def holds(self, item_id: str) -> bool:
        """Return whether an item with that id is held."""
        ...

    def item(self, item_id: str) -> Item | None:
        """Return the item with that id, or None."""
        ...

    def blocks(self, item_id: str) -> Blocks | None:
        """Return an item's blocks as they came, or None for an unknown id."""
        ...

    def extend_list(self, list_id: str, item_ids: Sequence[str]) -> None:
        """Add what has left to the list that a notice names, in the order of leaving, each id once."""
        ...

    def list(self, list_id: str) -> tuple[str, ...] | None:
        """Return the item ids of a list in order, or None for an unknown id."""
        ...

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all items; in memory in the order they came, on disk sorted."""
        ...

    def lists(self) -> tuple[str, ...]:
        """Return the ids of all lists, sorted as `ids` are."""
        ...

    @property
    def plan(self) -> Plan:
        """Return the visits made so far, in order."""
        ...

    def save_plan(self, plan: Plan) -> None:
        """Hold the visits made so far, and make what was put last; a visit that is not held never happened."""
        ...

    def save(self) -> None:
        """Make what was put last, without a visit."""
        ...
