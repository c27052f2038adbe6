"""The naive strategies that count tokens: sliding-tokens, clear-tool-results, handles, each over the list (spec/6)."""

from __future__ import annotations

from tests.naive_turns import Turned
from tests.naive_window import IN_FULL, Visited
from windowkeeper_cli.model.block import Text, ToolResult
from windowkeeper_cli.model.decision import Cut, Form
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.cut import boundary


class SlidingTokens(Turned):
    """Oldest turns leave until the window fits; system and the current request stay; pairs stay together."""

    guards = ("current-request", "system-envelope", "unresolved-tool-call", "split-pair")

    def visit(self) -> Visited:
        limit = self.s.sliding_tokens.max_tokens
        assert limit is not None
        if self.tokens() <= limit:
            return self.silent()
        for reason, messages in self.verdicts():
            if self.tokens() <= limit:
                break
            if reason:
                self.refuse_turn(reason, messages)
            for message in [] if reason else messages:
                self.move("trim", "slidingTokens.maxTokens", message.slot // 2, detail="whole turn")
        holds = self.holds() if self.tokens() > limit else {}
        self.said_over_limit("budget.max", limit, holds)
        return self.engaged("tokens", limit=limit, target=limit, missed=holds)


class ClearToolResults(Turned):
    """Results are replaced in place, all but the last `keep` or the newest `keepTokens`."""

    placeholder = "[old tool result cleared]"

    def visit(self) -> Visited:
        own = self.s.clear_tool_results
        due = [item for item in self.old() if self.standing(item.at) == IN_FULL]
        due = [item for item in due if item.tool_name not in own.exclude_tools]
        if self.tokens() <= own.trigger or not self.idle() or not due:
            return self.silent()
        if own.clear_at_least and own.at_least_rule == "gate" and self.would_free(due) < own.clear_at_least:
            return self.silent()
        before = self.tokens()
        for item in due:
            stop = own.at_least_rule == "stop" and own.clear_at_least
            if (own.mode == "fit" and self.tokens() <= own.trigger) or (
                stop and before - self.tokens() >= own.clear_at_least
            ):
                break
            self.clear(item)
        return self.engaged("tokens" if own.idle_minutes is None else "idle", target=own.trigger)

    def old(self) -> list[Item]:
        """Return the results that the keep rule lets go, oldest first."""
        own = self.s.clear_tool_results
        results = [item for item in self.t.items[: self.call.at] if item.role == "tool"]
        if own.keep_tokens is None:
            return results[: max(0, len(results) - own.keep)]
        sizes = [self.counts.tokens[item.at] for item in results]
        fits = [n for n in range(len(sizes) + 1) if sum(sizes[len(sizes) - n :]) <= own.keep_tokens]
        return results[: len(results) - max(fits)]

    def idle(self) -> bool:
        """Return whether the log shows a gap as long as asked for between the last reply and this request."""
        least = self.s.clear_tool_results.idle_minutes
        if least is None:
            return True
        if self.last_call is None:
            return False
        replied = seconds(self.t.items[self.last_call.at].timestamp)
        times = [seconds(item.timestamp) for item in self.t.items[self.last_call.at + 1 : self.call.at]]
        known = [time for time in times if time is not None]
        return replied is not None and bool(known) and known[-1] - replied >= least * 60

    def clear(self, item: Item) -> None:
        self.move("clear", "clearToolResults.trigger", item.at, self.placeholder)
        if self.s.clear_tool_results.clear_tool_inputs and item.answers >= 0:
            self.clear_input(item.answers)

    def clear_input(self, at: int) -> None:
        """Clear a message's arguments once every one of its calls has its result, and all of these are cleared."""
        answers = [item.at for item in self.t.items[: self.call.at] if item.answers == at]
        missing = len(answers) < len(self.t.items[at].calls)
        if missing or any(self.standing(result) == IN_FULL for result in answers):
            return
        blocks = self.t.blocks(at)
        if self.standing(at) == IN_FULL and blocks_in_form(blocks, Form.CLEARED, None, None) != blocks:
            self.move("clear", "clearToolResults.clearToolInputs", at)

    def would_free(self, due: list[Item]) -> int:
        """Return the tokens that clearing all that is due would free."""
        tried = type(self)(self.t, self.counts, self.s, self.past, self.memory)
        for item in due:
            tried.clear(item)
        return self.tokens() - tried.tokens()


class Handles(Turned):
    """A large result enters as an excerpt, and never changes again."""

    def visit(self) -> Visited:
        own = self.s.handles
        first_new = self.last_call.at if self.last_call else 0
        for item in self.t.items[first_new : self.call.at]:
            named = not own.tools or item.tool_name in own.tools
            if item.role == "tool" and named and self.counts.tokens[item.at] > own.over_tokens:
                self.excerpt(item)
        return self.engaged("results") if self.moved else self.silent()

    def excerpt(self, item: Item) -> None:
        size, blocks = self.counts.tokens[item.at], self.t.blocks(item.at)
        assert isinstance(blocks[0], ToolResult)
        content = blocks[0].content
        texts = [n for n, part in enumerate(content) if isinstance(part, Text)]
        if not texts:
            return
        first, last = texts[0], len(content) - 1
        part, ending = content[first], content[last]
        assert isinstance(part, Text)
        keep = boundary(part.text, min(self.s.handles.excerpt_chars, len(part.text)), forward=False)
        end = len(ending.text) if isinstance(ending, Text) else 0
        cut: Cut = (first, keep, end) if first == last else (first, keep, last, end)
        marker = f'\n[excerpt of {size:,} tokens; recall("{item.id}") returns the whole]'
        stands = (blocks[0]._replace(content=(*content[:first], Text(part.text[:keep] + marker))),)
        assert blocks_in_form(blocks, Form.TRUNCATED, marker, cut) == stands
        if self.counter.blocks(stands) < size:
            said = f"entered as an excerpt of {keep:,} characters"
            self.move("truncate", "handles.overTokens", item.at, marker, cut, said)
