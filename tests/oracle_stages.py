"""The naive stages of one visit, each over all items: who is recalled, expired, cut, evicted and trimmed (spec/4).

Only what decides wording comes from the product: stubs, cuts, notices, names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.oracle_guards import FLAGS, Guarded
from tests.oracle_window import IN_FULL
from windowkeeper_cli.model.block import ToolCall, texts_of
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.cut import kept_tokens, truncation
from windowkeeper_cli.rules.holders import request_names
from windowkeeper_cli.rules.identifiers import stands_in
from windowkeeper_cli.rules.stub import args_of_call, quoted, stub_text
from windowkeeper_cli.rules.trim import notice_text, trim_list_id

KEEP, CUT, EVICT = "resurface.identifiers", "toolResults.maxTokensEach", "toolResults.evictAfterTurns"
TRIM, RECENT = "trim.enabled", "toolResults.truncateRecent"


class Stages(Guarded):
    """A visit that moves items; every move goes through `move`, which only writes it down."""

    def not_smaller(self, rule: str, at: int, detail: str) -> None:
        self.dull.add((rule, at))
        if at not in self.told:
            self.told.add(at)
            self.say("not-smaller", rule, at, detail)

    def stub(self, at: int, action: str, rule: str, detail: str) -> bool:
        it, blocks = self.t.items[at], self.t.blocks(at)
        args = args_of_call(self.t.blocks(it.answers), it.tool_call_id) if it.answers >= 0 else ""
        text = stub_text(it, blocks, args, self.counts.tokens[at])
        takes = self.counter.blocks(blocks_in_form(blocks, Form.STUB, text, None))
        size = self.size[at] if self.form[at][0] is not Form.OUT else self.counts.tokens[at]
        if takes < size:
            self.move(action, rule, at, detail, text)
        elif rule != KEEP:
            self.not_smaller(rule, at, f"a stub would take {takes:,} tokens, it takes {size:,}")
        return takes < size

    def truncate(self, at: int, rule: str) -> None:
        rules, blocks, tokens = self.s.tool_results, self.t.blocks(at), self.counts.tokens[at]
        found = truncation(blocks, self.t.items[at].id, tokens, rules, self.counter)
        if found is None or found[2] >= tokens:
            return self.not_smaller(rule, at, f"no cut brings it under {rules.max_tokens_each:,} tokens")
        head, tail = kept_tokens(blocks, found[0], self.counter)
        return self.move("truncate", rule, at, f"kept head {head:,} + tail {tail:,}", found[1], found[0])

    def resurface(self) -> None:
        anchor, most = self.call.anchor, self.s.resurface.max_items
        before = self.t.all_calls()[len(self.past) - 1].anchor if self.past else None
        if anchor < 0 or anchor == before or not self.s.resurface.identifiers:
            return
        chosen: set[int] = set()
        for name in request_names(self.t.blocks(anchor)):
            source = self.source(name, anchor)
            if source is None or source in chosen or len(chosen) >= most:
                continue
            why = f"{quoted(name.name)} in the current request"
            if self.form[source] == IN_FULL:
                chosen.add(source)
                self.move("keep", KEEP, source, f"{why}; kept in full")
            elif self.counts.tokens[source] * 5 <= self.limit:
                chosen.add(source)
                self.bring_back(source, why)

    def source(self, name: Any, anchor: int) -> int | None:
        named, mentions = set(), set()
        for it in self.items[:anchor]:
            if stands_in(name, "\n".join(texts_of(self.t.blocks(it.at)))):
                mentions.add(it.at)
            for block in self.t.blocks(it.at):
                answer = self.t.pairs.get((it.at, block.id), anchor) if isinstance(block, ToolCall) else anchor
                if answer < anchor and isinstance(block, ToolCall) and stands_in(name, decoded(block.args)):
                    named.add(answer)
        large = [at for at in named if self.counts.tokens[at] >= 60]
        some = [at for at in large or mentions if self.t.items[at].turn >= 0]
        return None if len(named | mentions) > 25 or not some else max(some)

    def bring_back(self, source: int, why: str) -> None:
        back = [source]
        if self.form[source][0] is Form.OUT:
            turns = self.partners(self.t.items[source].turn)
            back = [at for turn in turns for at in self.turns[turn] if self.form[at][0] is Form.OUT]
        for at in back:
            self.dull -= {(rule, at) for rule in (CUT, EVICT, "expire")}
            with_it = f"its turn came back with {self.t.items[source].id}"
            if at == source or self.t.items[at].role != "tool" or not self.stub(at, "evict", KEEP, with_it):
                self.move("recall", KEEP, at, why if at == source else with_it)

    def expire(self, *, now: bool) -> None:
        for it in self.items:
            lives = lifetime(it, self.s)
            if it.turn < 0 or lives is None or self.newest - it.turn <= lives[0] or ("expire", it.at) in self.dull:
                continue
            if not now and self.tokens() <= self.target:
                return
            if self.form[it.at][0] in (Form.FULL, Form.TRUNCATED) and not self.refused(it.at):
                self.stub(it.at, "expire", "expire", f"{lives[1]} {lives[0]}: age {self.newest - it.turn}")

    def results(self, rule: str, younger: int) -> Iterator[int]:
        """Yield the results older than `younger` turns that a rule may still take, until the target is met."""
        for it in self.items:
            if self.s.budget.stop_at_target and self.tokens() <= self.target:
                return
            if it.role == "tool" and self.newest - it.turn > younger and (rule, it.at) not in self.dull:
                yield it.at

    def replan(self) -> None:
        rules, recent = self.s.tool_results, self.s.protect.recent_turns - 1
        self.expire(now=not self.s.budget.stop_at_target)
        for at in self.results(CUT, recent):
            fits = self.form[at] == IN_FULL and self.counts.tokens[at] > rules.max_tokens_each
            if fits and not self.refused(at):
                self.truncate(at, CUT)
        for at in self.results(EVICT, rules.evict_after_turns):
            if self.form[at][0] in (Form.FULL, Form.TRUNCATED) and not self.refused(at):
                age = self.newest - self.t.items[at].turn
                self.stub(at, "evict", EVICT, f"age {age} > {rules.evict_after_turns}")
        if self.s.trim.enabled and self.tokens() > self.target:
            self.trim()
        self.settle()
        large = [it.at for it in self.items if it.role == "tool" and self.newest - it.turn <= recent]
        if rules.truncate_recent and self.tokens() > self.limit:
            for at in sorted(large, key=lambda at: (-self.size[at], at)):
                fits = self.form[at] == IN_FULL and self.size[at] > rules.max_tokens_each
                if fits and self.tokens() > self.target and not self.refused(at, FLAGS):
                    self.truncate(at, RECENT)

    def trim(self) -> None:
        text = notice_text(trim_list_id(self.items[0].id))
        price = 0 if self.notices else self.price(text)
        need, freed, picked = self.tokens() + price - self.target, 0, list[int]()
        for reason, turns, items in self.verdicts():
            if freed >= need:
                break
            tokens = sum(self.size[at] for at in items)
            if reason:
                self.refusal(reason, "turn", turns[0], self.turns[turns[0]][0], tokens)
            else:
                picked += items
                freed += tokens
        for at in picked if freed > price else ():
            self.move("trim", TRIM, at, "whole turn")

    def settle(self) -> None:
        missing = [turn for turn, ats in self.turns.items() if any(self.form[at][0] is Form.OUT for at in ats)]
        text = notice_text(trim_list_id(self.items[0].id)) if missing else ""
        self.notices = {2 * self.turns[missing[0]][0]: text} if missing else {}


def lifetime(it: Any, s: Settings) -> tuple[int, str] | None:
    """Return the turns an item lives and what says so: its own word, else its tool, else its shortest-lived tag."""
    if it.ttl_turns is not None:
        return it.ttl_turns, "ttlTurns"
    if it.tool_name in s.expire.tools:
        return s.expire.tools[it.tool_name], f"expire.tools.{it.tool_name}"
    return min([(s.expire.tags[tag], f"expire.tags.{tag}") for tag in it.tags if tag in s.expire.tags], default=None)


def decoded(args: str) -> str:
    """Return the texts in a tool call's arguments, JSON undone."""

    def leaves(value: Any) -> list[str]:
        if isinstance(value, dict):
            return [text for pair in value.items() for part in pair for text in leaves(part)]
        return [text for part in value for text in leaves(part)] if isinstance(value, list) else [str(value)]

    try:
        return "\n".join(leaves(json.loads(args)))
    except ValueError:
        return args
