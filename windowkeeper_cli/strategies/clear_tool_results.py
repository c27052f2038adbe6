"""Clear tool results: old results are replaced in place by a short placeholder, as providers document it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from windowkeeper_cli.model.block import units_in
from windowkeeper_cli.model.decision import CLEARED, Decision
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

RULE = "clearToolResults.trigger"
PLACEHOLDER = "[old tool result cleared]"
INPUTS = "clearToolResults.clearToolInputs"
TEXT = RuleText(
    name="clear-tool-results",
    kind="strategy",
    what="Over a trigger, tool results but the last few are replaced in place by a placeholder that names no id.",
    why="Providers offer it as a setting; it frees much at once, and what is cleared can only be asked for again.",
    key=RULE,
    source="providers' context editing, and frameworks that follow it",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2)),
        policy={"strategy": "clear-tool-results", "clearToolResults": {"trigger": 300, "keep": 1}},
        expect=("clear", 2),
    ),
)
READS = ("clearToolResults",)


class ClearToolResults(Plain):
    """Walks the results once: what is cleared stays cleared."""

    name = TEXT.name
    reads = READS
    settles = False
    gives_up = (8,)

    def __init__(self, settings: Settings) -> None:
        self._own = settings.clear_tool_results
        self._results: list[int] = []
        self._next = 0
        self._cleared: Counter[int] = Counter()
        self._to_clear: Counter[int] = Counter()
        self._gains: dict[int, int] = {}
        self._priced = 0

    def plan(self, visit: Visit) -> Plan:
        """Clear what the mode and the keep rule let go, where the window is over the trigger."""
        own, view = self._own, visit.view
        self._results.extend(at for at in visit.new if visit.item(at).is_result)
        if view.tokens <= own.trigger or not self._idle(visit):
            return None
        end = self._kept_from(visit)
        if end <= self._next:
            return None
        if own.clear_at_least and own.at_least_rule == "gate" and self._freed(visit, end) < own.clear_at_least:
            return None
        before, moved = view.tokens, False
        while self._next < end and not self._enough(visit, before):
            at = self._results[self._next]
            self._next += 1
            for move in self._clear(visit, at):
                moved = True
                yield move
        if not moved:
            return None
        return Facts(("idle" if own.idle_minutes is not None else "tokens",), target=own.trigger, replanned=True)

    def _idle(self, visit: Visit) -> bool:
        minutes = self._own.idle_minutes
        return minutes is None or (visit.pause is not None and visit.pause >= minutes * 60)

    def _kept_from(self, visit: Visit) -> int:
        """Return the index of the first result that the keep rule holds."""
        own = self._own
        if own.keep_tokens is None:
            return max(0, len(self._results) - own.keep)
        index, room = len(self._results), own.keep_tokens
        while index > self._next:
            size = visit.view.full_size(self._results[index - 1])
            if size > room:
                break
            room -= size
            index -= 1
        return index

    def _enough(self, visit: Visit, before: int) -> bool:
        own = self._own
        if own.mode == "fit" and visit.view.tokens <= own.trigger:
            return True
        stops = own.clear_at_least and own.at_least_rule == "stop"
        return bool(stops) and before - visit.view.tokens >= own.clear_at_least

    def _freed(self, visit: Visit, end: int) -> int:
        """Return the tokens that clearing every result before index `end` would free; each is looked at once."""
        for at in self._results[max(self._next, self._priced) : end]:
            if not self._stays(visit, at):
                moves = self._moves(visit, at, self._to_clear)
                self._gains[at] = sum(visit.view.size(move.at) - move.tokens for move in moves)
        self._priced = max(self._priced, end)
        return sum(self._gains.values())

    def _stays(self, visit: Visit, at: int) -> bool:
        return visit.item(at).tool_name in self._own.exclude_tools or visit.gate.may_move(at) is not None

    def _clear(self, visit: Visit, at: int) -> Iterator[Decision]:
        self._gains.pop(at, None)
        return iter(()) if self._stays(visit, at) else self._moves(visit, at, self._cleared)

    def _moves(self, visit: Visit, at: int, cleared: Counter[int]) -> Iterator[Decision]:
        """Yield what clears a result, and its message's arguments once `cleared` counts a result for each call."""
        standing = blocks_in_form(visit.blocks(at), CLEARED, PLACEHOLDER, None)
        tokens = visit.counter.blocks(standing)
        yield Decision("clear", RULE, at, CLEARED, tokens, units_in(standing), text=PLACEHOLDER)
        calling = visit.item(at).answers
        if not self._own.clear_tool_inputs or calling < 0:
            return
        cleared[calling] += 1
        if cleared[calling] < len(visit.item(calling).calls):
            return
        blocks = visit.blocks(calling)
        standing = blocks_in_form(blocks, CLEARED, None, None)
        if standing != blocks and visit.gate.may_move(calling) is None:
            tokens = visit.counter.blocks(standing)
            yield Decision("clear", INPUTS, calling, CLEARED, tokens, units_in(standing))


make = ClearToolResults
