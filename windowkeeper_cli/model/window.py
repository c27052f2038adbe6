"""The window as a strategy and a guard may see it: live, read-only, valid inside one visit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from windowkeeper_cli.model.decision import Form, Insert
from windowkeeper_cli.model.item import Item


class WindowView(Protocol):
    """Running totals and places of the window; every method but `turn_items` is O(1).

    Turns are named by their transcript number, as `Item.turn` gives it.
    """

    @property
    def tokens(self) -> int:
        """Return the tokens of the window, envelope included."""
        ...

    @property
    def units(self) -> int:
        """Return the UTF-16 length of the window's text, the envelope left out."""
        ...

    @property
    def turn_count(self) -> int:
        """Return the number of turns in the window; a text of ours is a turn."""
        ...

    @property
    def message_count(self) -> int:
        """Return the number of messages and results in the window, texts of ours counted, the envelope not."""
        ...

    @property
    def held(self) -> int:
        """Return how many items have been appended."""
        ...

    @property
    def items(self) -> Sequence[Item]:
        """Return the transcript's items; only those before `held` have been appended."""
        ...

    def form(self, at: int) -> Form:
        """Return the form of the item at `at`."""
        ...

    def size(self, at: int) -> int:
        """Return the tokens that the item takes now."""
        ...

    def item_units(self, at: int) -> int:
        """Return the UTF-16 length of the text that the item has now."""
        ...

    def rank(self, turn: int) -> int:
        """Return how many of the transcript's turns in the window are older than `turn`."""
        ...

    def full_size(self, at: int) -> int:
        """Return the tokens that the item takes in full."""
        ...

    def oldest(self) -> int | None:
        """Return the oldest turn that has an item in the window."""
        ...

    def newest(self) -> int | None:
        """Return the newest turn that has an item in the window."""
        ...

    def newest_turns(self, count: int) -> Sequence[int]:
        """Return the newest `count` turns that have an item in the window, oldest first."""
        ...

    def after(self, turn: int) -> int | None:
        """Return the next newer turn in the window."""
        ...

    def before(self, turn: int) -> int | None:
        """Return the next older turn in the window."""
        ...

    def turn_items(self, turn: int) -> range:
        """Return the positions of a turn's items that have been appended."""
        ...

    def standing_items(self, turn: int) -> Sequence[int]:
        """Return the positions of a turn's items that are in the window."""
        ...

    def turn_tokens(self, turn: int) -> int:
        """Return the tokens that a turn takes now."""
        ...

    def is_latest_of_tool(self, at: int, count: int) -> bool:
        """Return whether the result at `at` is one of its tool's latest `count` results."""
        ...

    def latest_results(self) -> Sequence[tuple[str, int]]:
        """Return each tool's name with the position of its latest result that is in the window."""
        ...

    def result_name(self, at: int) -> str | None:
        """Return a result's tool name: its own, else that of the oldest call in the window with its id."""
        ...

    def answered(self, tool_call_id: str) -> bool:
        """Return whether a result with that id stands in the window."""
        ...

    def kept_for(self, at: int) -> int | None:
        """Return the position of the request that the item was last kept or recalled for."""
        ...

    def inserted(self) -> Sequence[Insert]:
        """Return the stand-ins that were inserted and still stand, by slot."""
        ...
