"""The naive tiered strategy: classes by flags, receipts, facts and one summary, all in one batch (spec/6)."""

from __future__ import annotations

import hashlib
from typing import Any

from tests.naive_turns import Turned
from tests.naive_window import Message, Visited
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.stub import args_of_call, outcome_of, stub_text, subject_of
from windowkeeper_cli.strategies.summarizer import constant_text

RULE, EVICT = "tiered.targetShare", "tiered.evictOverTokens"


class Tiered(Turned):
    """`memory` holds the facts told so far and how many items the summary stands for."""

    guards = (
        "current-request", "system-envelope", "paused-tool", "pending-check-in", "unresolved-tool-call", "pinned",
        "protected-task", "split-pair",
    )  # fmt: skip

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.own = self.s.tiered
        self.limit = int(round(self.own.limit * self.own.target_share, 6))
        self.end = self.call.at - self.own.keep_recent_items
        self.how = ""

    def visit(self) -> Visited:
        if self.tokens() <= self.limit:
            return self.silent()
        middle = self.middle()
        folds = [message for group in middle for message in group]
        self.receipts(folds)
        self.fold(folds, self.said_of(folds))
        if self.tokens() > self.limit:
            more = self.oldest()
            self.fold(more, len(more))
        holds = self.holds() if self.tokens() > self.limit else {}
        self.said_over_limit("budget.max", self.limit, holds)
        facts = {"summary": self.how} if folds and self.memory.get("folded") else {}
        return self.engaged("tokens", limit=self.limit, target=self.limit, missed=holds, **facts)

    def middle(self) -> list[list[Message]]:
        """Return the turns that leave for facts and summary; too few items for a summary leave only with a fact."""
        found = []
        for reason, messages in self.verdicts():
            if reason:
                self.refuse_turn(reason, messages)
            elif all(message.slot // 2 < self.end and self.small(message) for message in messages):
                found.append(messages)
        if self.items_of([message for group in found for message in group]) < self.own.min_middle:
            found = [group for group in found if any(is_state(message) for message in group)]
        return found

    def small(self, message: Message) -> bool:
        """Return whether a message is no result to make a receipt of, nor a receipt."""
        if message.role != "tool" or is_state(message):
            return True
        return message.standing[0] is Form.FULL and message.tokens <= self.own.evict_over_tokens

    def items_of(self, messages: list[Message]) -> int:
        return sum(message.item is not None and message.item.retention != "state" for message in messages)

    def said_of(self, messages: list[Message]) -> int:
        count = self.items_of(messages)
        return count if count >= self.own.min_middle else 0

    def oldest(self) -> list[Message]:
        """Return the oldest turns of the middle, receipts too, as many as bring the window under the limit."""
        found: list[Message] = []
        need = self.tokens() - self.limit
        for reason, messages in self.verdicts():
            if need > 0 and not reason and all(message.slot // 2 < self.end for message in messages):
                found += messages
                need -= sum(message.tokens for message in messages)
        return found

    def receipts(self, folded: list[Message]) -> None:
        told = {line["at"] for lines, _, _ in self.past for line in lines if line["action"] == "not-smaller"}
        for message in list(self.inside()):
            item = message.item
            if item is None or item.at >= self.end or message in folded or message.role != "tool":
                continue
            if message.standing[0] is not Form.FULL or message.tokens <= self.own.evict_over_tokens:
                continue
            reason = self.item_reason(item)
            if reason:
                self.refuse(reason, "item", item.turn, item.at, message.tokens)
            elif not self.receipt(item) and item.at not in told:
                why = f"a stub would take {self.price(item):,} tokens, it takes {message.tokens:,}"
                self.notes.append(self.line("not-smaller", EVICT, item.at, message.tokens, message.tokens, detail=why))

    def receipt(self, item: Item) -> bool:
        if self.price(item) >= self.counts.tokens[item.at]:
            return False
        self.move("evict", EVICT, item.at, self.stub(item))
        return True

    def stub(self, item: Item) -> str:
        return stub_text(item, self.t.blocks(item.at), self.args(item), self.counts.tokens[item.at])

    def args(self, item: Item) -> str:
        return args_of_call(self.t.blocks(item.answers), item.tool_call_id) if item.answers >= 0 else ""

    def price(self, item: Item) -> int:
        return self.counter.blocks(blocks_in_form(self.t.blocks(item.at), Form.STUB, self.stub(item), None))

    def fold(self, messages: list[Message], count: int) -> None:
        if not messages:
            return
        self.memory["folded"] = self.memory.get("folded", 0) + count
        told = [self.fact(m.item) for m in sorted(messages, key=lambda m: m.slot) if m.item and is_state(m)]
        self.memory["facts"] = [*self.memory.get("facts", []), *told]
        for message in messages:
            self.move("fold", RULE, message.slot // 2)
        ours = [message.slot for message in self.messages if message.item is None]
        slot = min([message.slot - 1 for message in messages] + ours)
        facts, items = self.memory["facts"], self.memory["folded"]
        text, self.how = self.summary() if items else ("", "")
        ident = hashlib.sha256(f"fold:{self.t.items[0].id}".encode()).hexdigest()[:12]
        head = f'[compacted history: recall("{ident}") lists what this stands for.]\n'
        whole = head + "".join(f"- {fact}\n" for fact in facts) + text
        stands = self.of_ours(slot, "summary" if items else "state", ident, whole)
        self.enter(stands, RULE, ours, f"{len(facts)} facts, {items} items folded")

    def fact(self, item: Item) -> str:
        return f'done: {subject_of(item, self.args(item))}; {outcome_of(item, self.t.blocks(item.at))}; recall("{item.id}")'  # fmt: skip  # noqa: E501

    def summary(self) -> tuple[str, str]:
        recorded = [event for event in self.t.events if event.call == self.call.number and event.summary]
        if recorded:
            return "\n".join(texts_of(recorded[-1].summary)), "recorded"
        return constant_text(self.own.summary_tokens, self.counter), "modelled"


def is_state(message: Message) -> bool:
    return message.item is not None and message.item.retention == "state"
