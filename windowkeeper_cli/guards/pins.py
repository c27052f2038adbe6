"""Evidence pins: which turns hold a tool's latest result, and which of them are admitted."""

from __future__ import annotations

from typing import NamedTuple

from windowkeeper_cli.guards.window_turns import index_of_turn
from windowkeeper_cli.model.window import WindowView


class Pin(NamedTuple):
    """A turn that holds the latest result of `tool`; `units` is the UTF-16 length of the whole turn."""

    tool: str
    turn: int
    turn_index: int
    units: int


class Observations(NamedTuple):
    """What pins did at a visit: the admitted, newest first, and how many gave way to the limit."""

    pinned: tuple[Pin, ...]
    yielded: int
    limit: int
    stand_down: bool = False

    def as_dict(self) -> dict[str, object]:
        """Return the record's `observations`."""
        pinned = [{"toolName": pin.tool, "turnIndex": pin.turn_index, "chars": pin.units} for pin in self.pinned]
        record: dict[str, object] = {"pinned": pinned, "yielded": self.yielded, "limit": self.limit}
        if self.stand_down:
            record["standDown"] = True
        return record


def pin_candidates(view: WindowView, anchor: int, outside: int | None = None) -> list[Pin]:
    """Return one candidate a turn, newest first: turns after the anchor that hold some tool's latest result.

    With `outside` only those whose index among the window's turns is under it.
    Source: agentfootprint 9.62.0; a batch is named after the last of its results that nothing newer supersedes.
    """
    named: dict[int, str] = {}
    for tool, at in view.latest_results():
        if at > anchor:
            named[view.items[at].turn] = tool
    places = [(turn, index_of_turn(view, turn)) for turn in sorted(named, reverse=True)]
    return [
        Pin(named[turn], turn, index, sum([view.item_units(at) for at in view.turn_items(turn)]))
        for turn, index in places
        if outside is None or index < outside
    ]


def admit(contested: list[Pin], limit: int) -> Observations | None:
    """Return what of the contested turns, newest first, is pinned within the limit; None where none is contested."""
    if not contested:
        return None
    return Observations(tuple(contested[:limit]), max(len(contested) - limit, 0), limit)
