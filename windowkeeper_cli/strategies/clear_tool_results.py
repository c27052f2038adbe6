"""Clear tool results: old results are replaced in place by a short placeholder, as providers document it."""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.model.block import units_in
from windowkeeper_cli.model.decision import Decision, Form
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
        price = visit.counter.text(PLACEHOLDER)
        return sum(
            max(0, visit.view.size(at) - price)
            for at in self._results[self._next : end]
            if visit.item(at).tool_name not in self._own.exclude_tools
        )

    def _clear(self, visit: Visit, at: int) -> Iterator[Decision]:
        item = visit.item(at)
        if item.tool_name in self._own.exclude_tools or visit.gate.may_move(at) is not None:
            return
        standing = blocks_in_form(visit.blocks(at), Form.CLEARED, PLACEHOLDER, None)
        tokens = visit.counter.blocks(standing)
        yield Decision("clear", RULE, at, Form.CLEARED, tokens, units_in(standing), text=PLACEHOLDER)
        if self._own.clear_tool_inputs and item.answers >= 0:
            yield from self._clear_input(visit, item.answers)

    def _clear_input(self, visit: Visit, at: int) -> Iterator[Decision]:
        """Clear the arguments of a message once all its calls' results are cleared."""
        view = visit.view
        if view.form(at) is not Form.FULL or visit.gate.may_move(at) is not None:
            return
        turn = visit.item(at).turn
        answers = [other for other in view.turn_items(turn) if visit.item(other).answers == at]
        if any(view.form(other) is Form.FULL for other in answers):
            return
        standing = blocks_in_form(visit.blocks(at), Form.CLEARED, None, None)
        if standing != visit.blocks(at):
            tokens = visit.counter.blocks(standing)
            yield Decision("clear", INPUTS, at, Form.CLEARED, tokens, units_in(standing))


make = ClearToolResults
