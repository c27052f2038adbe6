"""Answers: which tool results stand in the window, and whose calls they answer."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Mapping, Sequence

from windowkeeper_cli.model.decision import OUT, Cut, Form
from windowkeeper_cli.model.item import ASSISTANT, TOOL, Item

Standing = tuple[Form, str | None, Cut | None]
"""An item's form, stand-in text and cut."""


class Answers:
    """Grows when it is asked, up to the items that have been appended by then; a strategy that never asks pays nothing.

    `standing` tells how the items that are not in full stand; whoever takes one out of the window, or brings it back,
    says so by `move`.
    """

    def __init__(self, items: Sequence[Item], standing: Mapping[int, Standing]) -> None:
        self._items = items
        self._standing = standing
        self.held = 0
        self._by_tool: defaultdict[str, list[int]] = defaultdict(list)
        self._live: defaultdict[str, list[int]] = defaultdict(list)
        self._unnamed: list[int] = []
        self._callers: dict[str, list[tuple[int, str]]] = {}
        self._count: dict[str, int] = {}

    def take_in(self, held: int) -> None:
        """Take in the items before position `held`, each of which stands in the window."""
        count = self._count
        for at in range(self.held, held):
            item = self._items[at]
            if item.role == ASSISTANT:
                for call, name, _ in item.calls:
                    self._callers.setdefault(call, []).append((at, name))
            elif item.role == TOOL and item.turn >= 0:
                ident, tool = item.tool_call_id, item.tool_name
                if ident:
                    count[ident] = count.get(ident, 0) + 1
                if tool:
                    self._by_tool[tool].append(at)
                    self._live[tool].append(at)
                elif ident:
                    self._unnamed.append(at)
        self.held = held

    def move(self, item: Item, *, gone: bool) -> None:
        """Note that a result has left the window, or is back in it; its form has changed already."""
        if item.tool_call_id:
            self._count[item.tool_call_id] = self._count.get(item.tool_call_id, 0) + (-1 if gone else 1)
        live = self._live.get(item.tool_name or "")
        if live is None or (gone and (not live or live[-1] != item.at)):
            return
        if not gone and item.at not in live:
            insort(live, item.at)
        while live and self._is_out(live[-1]):
            live.pop()

    def answered(self, tool_call_id: str) -> bool:
        """Return whether a result with that id stands in the window."""
        return self._count.get(tool_call_id, 0) > 0

    def is_latest_of_tool(self, at: int, count: int) -> bool:
        """Return whether the result at `at` is one of its tool's latest `count` results."""
        item = self._items[at]
        return bool(item.tool_name) and item.is_result and at in self._by_tool[item.tool_name or ""][-count:]

    def latest_results(self) -> Sequence[tuple[str, int]]:
        """Return each tool's name with the position of its latest result that is in the window."""
        latest = {tool: live[-1] for tool, live in self._live.items() if live}
        for at in self._unnamed:
            name = None if self._is_out(at) else self.result_name(at)
            if name and latest.get(name, -1) < at:
                latest[name] = at
        return sorted(latest.items(), key=lambda pair: pair[1])

    def result_name(self, at: int) -> str | None:
        """Return a result's tool name: its own, else that of the oldest call in the window with its id."""
        item = self._items[at]
        if item.tool_name or not item.tool_call_id:
            return item.tool_name or None
        callers = self._callers.get(item.tool_call_id, ())
        return next((name for calling, name in callers if name and not self._is_out(calling)), None)

    def _is_out(self, at: int) -> bool:
        found = self._standing.get(at)
        return found is not None and found[0] is OUT
