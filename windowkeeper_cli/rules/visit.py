"""One visit as a strategy sees it: the window, the gate bound to it, and what the session knows at this call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol

from windowkeeper_cli.guards.gate import Gate
from windowkeeper_cli.model.block import Blocks, texts_of
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.counter import Counter
from windowkeeper_cli.model.decision import Proposal, Refusal
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.reading import Reading
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.window import WindowView


class Sources(Protocol):
    """Finds who holds an identifier among the items before a position."""

    def asked_for(self, at: int) -> Sequence[str]:
        """Return the identifiers in the request at a position, in the order of the message."""
        ...

    def of(self, identifier: str, before: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return results whose own call names an identifier of the request at `before`, and items that mention it.

        Each in order; more than 25 of them need not be all.
        """
        ...


Births = Callable[[int], float | None]
"""Tells when what stood at a slot was written, in milliseconds, None where nothing says."""


def _unknown(_slot: int) -> None:
    return None


def _no_births() -> Births:
    return _unknown


def _no_pause(_call: Call) -> None:
    return None


NO_FIELDS: Mapping[str, object] = MappingProxyType({})


@dataclass(slots=True)
class Visit:
    """All that a strategy is given at one call; one for a session, which each call makes anew.

    `anchor` is the position of the current request, -1 where there is none. `new` are the positions appended since
    the last visit. `waited` gives the pause before this call, `now` is the log's own time in milliseconds, and
    `reading` what the provider reported last in this run. `stage` tells who wrote what stands at a slot, and
    `births` gives what tells when: of an item at any
    time, of a text of ours while it stands. `events` are the recorded removals between the last call and this.
    """

    call: Call
    view: WindowView
    gate: Gate
    settings: Settings
    counter: Counter
    blocks: Callable[[int], Blocks]
    sources: Sources
    anchor: int = -1
    new: range = range(0)
    waited: Callable[[Call], float | None] = _no_pause
    now: float | None = None
    reading: Reading | None = None
    stage: Callable[[int], str | None] = _unknown
    births: Callable[[], Births] = _no_births
    events: tuple[Event, ...] = ()

    @property
    def pause(self) -> float | None:
        """Return seconds between the last reply and this request by the transcript's own times, None: unknown."""
        return self.waited(self.call)

    def text(self, at: int) -> str:
        """Return the texts of an item as one."""
        return "".join(texts_of(self.blocks(at)))

    def item(self, at: int) -> Item:
        """Return the item at position `at`."""
        return self.view.items[at]


class Facts(NamedTuple):
    """What a visit that engaged says of itself; `fields` are further keys of its ledger line, as `results` are,
    which the reference does not count among its record's fields.

    `target_missed` is what holds a window that ended over the target, in tokens by rule.
    """

    trigger: tuple[str, ...]
    limit: int | None = None
    target: int | None = None
    replanned: bool = False
    refusals: tuple[Refusal, ...] = ()
    target_missed: tuple[tuple[str, int], ...] = ()
    fields: Mapping[str, object] = NO_FIELDS
    results: Mapping[str, object] = NO_FIELDS


Plan = Generator[Proposal, None, Facts | None]
Moves = Generator[Proposal, None, None]
