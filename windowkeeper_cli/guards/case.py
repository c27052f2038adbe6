"""The case of one visit: what a guard may look at when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.settings import Protect, ToolResults
from windowkeeper_cli.model.transcript import Paused
from windowkeeper_cli.model.window import WindowView


def _no_text(_at: int) -> str:
    return ""


class Refusing(Protocol):
    """A guard as far as another one asks it."""

    def keeps_turn(self, case: Case, turn: int) -> bool:
        """Return whether the whole turn must stay."""
        ...


@dataclass(slots=True)
class Case:
    """The window and what bears on it at one call; one for a session, put before each visit anew.

    `anchor` is the position of the current request (-1: none), `requests` the positions of all requests so far.
    `links` joins turns whose call and result stand apart; `pairs` maps each call to its own result, come or to
    come. `matches` tells whether an item's text matches one of the policy's patterns. `keep_from` is the oldest
    turn of the keep window. `pinned` are the turns that evidence pins hold at this visit, at most `pin_limit` of
    them; `stand_down` takes the pins away for one visit. `others` are the guards but the one that keeps pairs together;
    `asked` counts the questions answered.
    """

    view: WindowView
    requests: Sequence[int]
    links: Mapping[int, Sequence[int]]
    protect: Protect
    tool_results: ToolResults
    matches: Callable[[int], bool]
    text: Callable[[int], str] = _no_text
    anchor: int = -1
    paused: Paused | None = None
    keep_from: int = 0
    newest: int = -1
    pairs: Mapping[tuple[int, str], int] = field(default_factory=dict)
    pin_limit: int = 0
    pinned: frozenset[int] = frozenset()
    stand_down: bool = False
    others: Sequence[Refusing] = ()
    asked: int = 0
    items: Sequence[Item] = ()

    def __post_init__(self) -> None:
        """Take the items from the view: guards look at them more often than at anything else."""
        self.items = self.view.items

    def visit(self, anchor: int, paused: Paused | None, *, stand_down: bool) -> None:
        """Put the case before the next visit; the window has its new items already."""
        view = self.view
        self.anchor = anchor
        self.paused = paused
        self.newest = self.items[view.held - 1].turn if view.held else -1
        self.pinned = frozenset()
        self.stand_down = stand_down

    def others_refuse(self, turn: int) -> bool:
        """Return whether a guard keeps the turn for another reason than that its partner stays."""
        self.asked += 1
        return any(guard.keeps_turn(self, turn) for guard in self.others)

    def item(self, at: int) -> Item:
        """Return the item at position `at`."""
        return self.items[at]

    def age(self, at: int) -> int:
        """Return the age of an item in turns: the newest turn less its own."""
        return self.newest - self.items[at].turn

    def members(self, turn: int) -> Iterator[Item]:
        """Yield the items of a turn that have been appended."""
        items = self.items
        for at in self.view.turn_items(turn):
            yield items[at]

    def partners(self, turn: int) -> tuple[int, ...]:
        """Return the turns that only leave together with `turn`, itself included, oldest first."""
        if turn not in self.links:
            return (turn,)
        found = {turn}
        todo = [turn]
        while todo:
            for other in self.links.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return tuple(sorted(found))
