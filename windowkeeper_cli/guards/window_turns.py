"""The turns of the window as it stands, texts of ours among them, with their places in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from windowkeeper_cli.model.decision import Insert
from windowkeeper_cli.model.window import WindowView


class WindowTurn(NamedTuple):
    """One turn of the window: its index among turns, the index of its first message, and what it holds.

    `items` are transcript positions; `insert` is set instead where the turn is a text of ours.
    """

    turn_index: int
    message_index: int
    turn: int
    items: Sequence[int]
    insert: Insert | None = None

    @property
    def length(self) -> int:
        """Return the number of messages."""
        return 1 if self.insert is not None else len(self.items)

    @property
    def slot(self) -> int:
        """Return the slot at which a text would take the turn's place."""
        return self.insert.slot if self.insert is not None else 2 * self.items[0]


def oldest_first(view: WindowView) -> Iterator[WindowTurn]:
    """Yield the turns of the window from the oldest on; each costs its own length."""
    inserts = view.inserted()
    turn = view.oldest()
    index = message_index = taken = 0
    while turn is not None or taken < len(inserts):
        if taken < len(inserts) and (turn is None or inserts[taken].slot <= 2 * view.turn_items(turn).start):
            found = WindowTurn(index, message_index, -1, (), inserts[taken])
            taken += 1
        else:
            assert turn is not None
            found = WindowTurn(index, message_index, turn, view.standing_items(turn))
            turn = view.after(turn)
        yield found
        index += 1
        message_index += found.length


def newest(view: WindowView, count: int) -> list[WindowTurn]:
    """Return the newest `count` turns of the window, oldest of them first."""
    turns, inserts = view.newest_turns(count), view.inserted()
    if inserts and (len(turns) < count or inserts[-1].slot > 2 * view.turn_items(turns[0]).start):
        return _newest_with_texts(view, count)
    standing = [view.standing_items(turn) for turn in turns]
    index, message_index = view.turn_count - len(turns), view.message_count - sum(map(len, standing))
    found: list[WindowTurn] = []
    for turn, items in zip(turns, standing, strict=True):
        found.append(WindowTurn(index, message_index, turn, items))
        index += 1
        message_index += len(items)
    return found


def _newest_with_texts(view: WindowView, count: int) -> list[WindowTurn]:
    inserts = list(view.inserted())
    turn = view.newest()
    index, message_index = view.turn_count, view.message_count
    found: list[WindowTurn] = []
    while len(found) < count and (turn is not None or inserts):
        index -= 1
        if inserts and (turn is None or inserts[-1].slot > 2 * view.turn_items(turn).start):
            message_index -= 1
            found.append(WindowTurn(index, message_index, -1, (), inserts.pop()))
        else:
            assert turn is not None
            items = view.standing_items(turn)
            message_index -= len(items)
            found.append(WindowTurn(index, message_index, turn, items))
            turn = view.before(turn)
    return found[::-1]


def index_of_turn(view: WindowView, turn: int) -> int:
    """Return the index that a turn in the window has among its turns."""
    slot = 2 * view.turn_items(turn).start
    return view.rank(turn) + sum(insert.slot <= slot for insert in view.inserted())
