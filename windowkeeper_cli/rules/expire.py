"""Expire: items past their time to live leave first, as stubs."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from heapq import heappop, heappush

from windowkeeper_cli.model.decision import FULL, TRUNCATED
from windowkeeper_cli.model.example import asks, calls, gives, session, tight
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Expire as ExpireSettings
from windowkeeper_cli.rules.passing import Pass
from windowkeeper_cli.rules.visit import Moves

TEXT = RuleText(
    name="expire",
    kind="rule",
    what="An item older in turns than its ttlTurns, its tool's or its tag's leaves first at the next re-plan.",
    why="Some results are worthless after a few turns, and their author knows it; leaving at once breaks the cache.",
    key="expire.tools",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1, ttlTurns=0), calls(2), gives(2)),
        policy=tight(budget={"target": 290}),
        expect=("expire", 2),
    ),
)


class Expire:
    """Holds who is due: a heap by the turn at which each becomes so, then a list in order of position."""

    def __init__(self) -> None:
        self._later: list[tuple[int, int, int, str]] = []
        self._due: list[int] = []
        self._why: dict[int, tuple[int, str]] = {}

    def note(self, items: Sequence[Item], settings: ExpireSettings) -> None:
        """Take in new items; those without a time to live are forgotten at once."""
        by_place = settings.tools or settings.tags
        for item in items:
            if item.ttl_turns is None and not by_place:
                continue
            found = lifetime(item, settings)
            if found is not None and item.turn >= 0:
                heappush(self._later, (item.turn + found[0], item.at, *found))

    def advance(self, newest: int) -> None:
        """Mark as due what is older than its time to live when `newest` is the newest turn."""
        while self._later and self._later[0][0] < newest:
            _, at, turns, key = heappop(self._later)
            self._why[at] = (turns, key)
            insort(self._due, at)

    def again(self, at: int) -> None:
        """Make an item that was brought back due once more."""
        if at in self._why and at not in self._due:
            insort(self._due, at)

    def step(self, now: Pass, newest: int, *, at_once: bool) -> Moves:
        """Move out what is due, oldest first; unless `at_once`, only until the target is met."""
        view = now.visit.view
        waiting, self._due = self._due, []
        for index, at in enumerate(waiting):
            if not at_once and not now.over_target:
                self._due.extend(waiting[index:])
                return
            if view.form(at) not in (FULL, TRUNCATED):
                continue
            if now.refused(now.visit.gate.may_move(at)):
                self._due.append(at)
                continue
            turns, key = self._why[at]
            move = now.stub(at, "expire", TEXT.name, f"{key} {turns}: age {newest - now.visit.item(at).turn}")
            if move is not None:
                yield move


def lifetime(item: Item, settings: ExpireSettings) -> tuple[int, str] | None:
    """Return the turns an item lives and the key that says so: its own, else its tool's, else its shortest tag's."""
    if item.ttl_turns is not None:
        return item.ttl_turns, "ttlTurns"
    if item.tool_name is not None and item.tool_name in settings.tools:
        return settings.tools[item.tool_name], f"expire.tools.{item.tool_name}"
    tags = [(settings.tags[tag], f"expire.tags.{tag}") for tag in item.tags if tag in settings.tags]
    return min(tags, default=None)
