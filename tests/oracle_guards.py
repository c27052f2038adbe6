"""The naive guards: who may not leave, each asked of every item anew, as spec/4 and spec/5 word them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.oracle_window import Window
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.decision import Form

# In the order in which they are asked; None: asked of whole turns only.
GUARDS: dict[str, Callable[[Guarded, Any], bool] | None] = {
    "current-request": lambda v, it: v.call.anchor in (it.at, it.expands) and v.call.anchor >= 0,
    "system-envelope": lambda _, it: it.role == "system",
    "paused-tool": None,
    "pending-check-in": None,
    "unresolved-tool-call": None,
    "inside-keep-window": lambda v, it: it.turn >= v.keep_from,
    "recent-request": lambda v, it: bool({it.at, it.expands} & set(v.latest_requests())),
    "pinned": lambda v, it: v.s.protect.pinned and it.pinned,
    "protected-task": lambda v, it: v.s.protect.task and it.task,
    "protected-tag": lambda v, it: bool(set(it.tags) & set(v.s.protect.tags)),
    "protected-pattern": lambda v, it: v.matches(it),
    "keep-error": lambda v, it: it.is_error and v.s.tool_results.keep_errors and v.young(it),
    "latest-of-tool": lambda v, it: it.at in v.of_tool(it)[::-1][: v.s.tool_results.keep_latest_per_tool],
    "resurfaced": lambda v, it: v.call.anchor >= 0 and v.kept.get(it.at) == v.call.anchor,
    "excluded-tool": lambda v, it: it.role == "tool" and it.tool_name in v.s.tool_results.exclude_tools,
    "split-pair": None,
}
# What an author flagged refuses even `truncateRecent`.
FLAGS = ("system-envelope", "pinned", "protected-task", "protected-tag", "protected-pattern", "resurfaced", "excluded-tool")  # fmt: skip  # noqa: E501


class Guarded(Window):
    """A window whose turns and items can be asked whether they may leave."""

    def latest_requests(self) -> list[int]:
        """Return the requests of the latest user turns; what spells one out shares its protection."""
        return [it.at for it in self.items if it.request][::-1][: self.s.protect.latest_user_turns]

    def matches(self, it: Any) -> bool:
        texts = texts_of(self.t.blocks(it.at)) if it.role == "system" or it.authored_by == "person" else ()
        return any(re.search(pattern, text) for pattern in self.s.protect.patterns for text in texts)

    def young(self, it: Any) -> bool:
        turns = self.s.tool_results.keep_errors_turns
        return turns is None or self.newest - it.turn <= turns

    def of_tool(self, it: Any) -> list[int]:
        return [
            o.at for o in self.items if it.tool_name and o.role == it.role == "tool" and o.tool_name == it.tool_name
        ]

    def partners(self, turn: int) -> list[int]:
        pairs = [(it.turn, self.t.items[it.answers].turn) for it in self.items if it.answers >= 0]
        group = {turn}
        while grown := {t for pair in pairs if group & set(pair) for t in pair} - group:
            group |= grown
        return sorted(group)

    def refuses(self, turn: int, *, alone: bool = False) -> str | None:
        """Return the first reason for which a whole turn stays; `alone`: but for the turns bound to it."""
        ids = [(it, call.id) for it in map(self.t.items.__getitem__, self.turns[turn]) for call in it.calls]
        answered = [it.tool_call_id for it in self.items if it.role == "tool" and self.form[it.at][0] is not Form.OUT]
        paused = self.t.paused if self.call == self.t.next_call else None
        named = [call for _, call in ids] + [self.t.items[at].tool_call_id for at in self.turns[turn]]
        waits = paused and paused.tool_call_id and paused.tool_call_id in named
        group = [] if alone else self.partners(turn)
        bound = any(self.refuses(other, alone=True) for other in group if other != turn)
        whole = {
            "paused-tool": waits and paused and not paused.check_in,
            "pending-check-in": waits and paused and paused.check_in,
            "unresolved-tool-call": any(not call or call not in answered for _, call in ids),
            "split-pair": bound or any(self.awaits(other) for other in group),
        }
        for name, keeps in GUARDS.items():
            if any(keeps(self, self.t.items[at]) for at in self.turns[turn]) if keeps else whole[name]:
                return name
        return None

    def awaits(self, turn: int) -> bool:
        """Return whether a call of the turn has no result of its own so far, though its id may have one."""
        calls = [(at, call.id) for at in self.turns[turn] for call in self.t.items[at].calls]
        return any(self.t.pairs.get(call, len(self.t.items)) >= len(self.items) for call in calls)

    def verdicts(self) -> Iterator[tuple[str | None, list[int], list[int]]]:
        """Yield (reason or None, turns, items) for each turn in the window, oldest first."""
        seen: set[int] = set()
        for turn in [turn for turn in self.turns if self.inside(turn)]:
            if turn not in seen:
                reason = self.refuses(turn)
                group = [turn] if reason else self.partners(turn)
                seen |= set(group)
                items = [at for each in group for at in self.turns[each] if self.form[at][0] is not Form.OUT]
                yield reason, group, items

    def refused(self, at: int, guards: tuple[str, ...] = tuple(GUARDS)) -> bool:
        asked = [(name, GUARDS[name]) for name in guards]
        name = next((name for name, keeps in asked if keeps and keeps(self, self.t.items[at])), None)
        if name:
            self.refusal(name, "item", self.t.items[at].turn, at, self.size[at])
        return name is not None

    def refusal(self, reason: str, scope: str, turn: int, at: int, tokens: int) -> None:
        if not any((r["reason"], r["scope"], r["at"]) == (reason, scope, at) for r in self.refusals):
            self.refusals.append({"reason": reason, "scope": scope, "turn": turn, "at": at, "tokens": tokens})
