"""The naive reference engine: each visit from the transcript, the policy and the decisions so far; no cleverness.

Everything is rebuilt at every call. Only what decides wording comes from the product (stubs, cuts, notices, names).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from windowkeeper_cli.model.block import Text, ToolCall, texts_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import FORM_AFTER, Form
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.rules.cut import kept_tokens, truncation
from windowkeeper_cli.rules.holders import request_names
from windowkeeper_cli.rules.identifiers import stands_in
from windowkeeper_cli.rules.stub import args_of_call, quoted, stub_text
from windowkeeper_cli.rules.trim import notice_text, trim_list_id

Line = dict[str, Any]
Past = list[tuple[list[Line], Line | None, tuple[int, int, bool]]]
KEEP, CUT, EVICT, TRIM, RECENT = "resurface.identifiers", "toolResults.maxTokensEach", "toolResults.evictAfterTurns", "trim.enabled", "toolResults.truncateRecent"  # fmt: skip  # noqa: E501
IN_FULL = (Form.FULL, None, None)
TOLD_EARLY = True
"""The engine takes `not-smaller` as told also where its line was left out of the ledger; by spec/4 this is False."""

# Guards in the order in which they are asked; None: asked of whole turns only. A flag guard refuses even truncateRecent.
GUARDS: dict[str, Callable[[Naive, Any], bool] | None] = {
    "current-request": lambda v, it: it.at == v.call.anchor,
    "system-envelope": lambda v, it: it.role == "system",
    "paused-tool": None,
    "pending-check-in": None,
    "unresolved-tool-call": None,
    "inside-keep-window": lambda v, it: it.turn >= v.keep_from,
    "recent-request": lambda v, it: (
        it.at in [i.at for i in v.items if i.request][::-1][: v.s.protect.latest_user_turns]
    ),
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
FLAGS = ("system-envelope", "pinned", "protected-task", "protected-tag", "protected-pattern", "resurfaced", "excluded-tool")  # fmt: skip  # noqa: E501


def run(transcript: Transcript, counts: Counts, settings: Settings) -> Past:
    """Return for every call its decision lines, its visit line, and (window, prefix, broken)."""
    past: Past = []
    dull: set[tuple[str, int]] = set()
    for _ in transcript.all_calls():
        past.append(Naive(transcript, counts, settings, past, dull).visit())
    return past


class Naive:
    """One visit; `past` is every visit before it, `dull` what a rule has found no smaller stand-in for."""

    def __init__(self, t: Transcript, counts: Counts, s: Settings, past: Past, dull: set[tuple[str, int]]) -> None:
        self.t, self.counts, self.counter, self.s, self.past, self.dull = t, counts, counts.counter, s, past, dull
        self.call, self.limit, self.target = t.all_calls()[len(past)], s.budget.limit, s.budget.goal
        self.items = t.items[: self.call.at]
        self.newest = self.items[-1].turn if self.items else -1
        self.turns: dict[int, list[int]] = {}
        for it in self.items:
            if it.turn >= 0:
                self.turns.setdefault(it.turn, []).append(it.at)
        self.form: dict[int, tuple[Any, ...]] = {it.at: IN_FULL for it in t.items}
        self.size = dict(enumerate(counts.tokens))
        self.notices: dict[int, str] = {}
        self.kept: dict[int, int] = {}
        self.told = {at for rule, at in dull if rule == "told"}
        for call, (lines, _, _) in zip(t.all_calls(), past, strict=False):
            for line in lines:
                self.play(line, call.anchor)
        held = past and t.all_calls()[len(past) - 1].at
        self.sent = self.window(held or 0)
        self.was = (dict(self.form), dict(self.size), dict(self.notices), self.tokens())
        present = [turn for turn in self.turns if self.inside(turn)]
        recent = present[-s.protect.recent_turns :] if s.protect.recent_turns > 0 else []
        self.keep_from = recent[0] if recent else self.newest + 1
        self.said: list[Line] = []
        self.refusals: list[Line] = []

    def play(self, line: Line, anchor: int) -> None:
        if line["action"] == "insert":
            self.notices[line["slot"]] = line["text"]
        elif line["action"] == "retract":
            del self.notices[line["slot"]]
        elif FORM_AFTER[line["action"]] is not None:
            cut = tuple(line["cut"]) if "cut" in line else None
            self.form[line["at"]] = (FORM_AFTER[line["action"]], line.get("text"), cut)
            self.size[line["at"]] = line["tokensAfter"]
        if line["action"] in ("keep", "recall"):
            self.kept[line["at"]] = anchor
        if line["action"] == "not-smaller":
            self.told.add(line["at"])

    def window(self, held: int) -> list[tuple[Any, ...]]:
        """Return (slot, form, text, cut, tokens) of what stands among the first `held` items, in order."""
        ours = [
            (slot, "notice", text, None, self.price(text)) for slot, text in self.notices.items() if slot < 2 * held
        ]
        theirs = [(2 * at + 1, *self.form[at], self.size[at]) for at in range(held) if self.form[at][0] is not Form.OUT]
        return sorted([*ours, *theirs], key=lambda entry: entry[0])

    def tokens(self) -> int:
        return self.counter.label.unseen_prefix + sum(entry[4] for entry in self.window(len(self.items)))

    def price(self, text: str) -> int:
        return self.counter.blocks((Text(text),))

    def inside(self, turn: int) -> bool:
        return any(self.form[at][0] is not Form.OUT for at in self.turns[turn])

    # guards

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
        whole = {
            "paused-tool": waits and paused and not paused.check_in,
            "pending-check-in": waits and paused and paused.check_in,
            "unresolved-tool-call": any(not call or call not in answered for _, call in ids),
            "split-pair": not alone and any(self.refuses(o, alone=True) for o in self.partners(turn) if o != turn),
        }
        for name, keeps in GUARDS.items():
            if any(keeps(self, self.t.items[at]) for at in self.turns[turn]) if keeps else whole[name]:
                return name
        return None

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

    # moves

    def say(self, action: str, rule: str, at: int, detail: str, text: str | None = None, **more: Any) -> None:
        it = self.t.items[at]
        line = {"kind": "decision", "call": self.call.number, "action": action, "rule": rule, "at": at, "item": it.id}
        line |= {"turn": it.turn if it.turn >= 0 else None, "tool": it.tool_name, "tokensBefore": 0, "tokensAfter": 0}
        self.said.append(line | {"text": text, "cut": None, "detail": detail or None} | more)

    def move(self, action: str, rule: str, at: int, detail: str, text: str | None = None, cut: Any = None) -> None:
        form = FORM_AFTER[action]
        blocks = self.t.blocks(at)
        full = form is Form.FULL or form is None
        self.form[at] = (form, text, cut) if form is not None else self.form[at]
        self.size[at] = self.counts.tokens[at] if full else 0
        if form in (Form.STUB, Form.TRUNCATED):
            self.size[at] = self.counter.blocks(blocks_in_form(blocks, form, text, cut))
        if action in ("keep", "recall"):
            self.kept[at] = self.call.anchor
        self.say(action, rule, at, detail, text, cut=list(cut) if cut else None)

    def tell(self, at: int) -> None:
        if TOLD_EARLY:
            self.dull.add(("told", at))
        self.told.add(at)

    def not_smaller(self, rule: str, at: int, detail: str) -> None:
        self.dull.add((rule, at))
        if at not in self.told:
            self.tell(at)
            self.say("not-smaller", rule, at, detail)

    def stub(self, at: int, action: str, rule: str, detail: str) -> bool:
        it, blocks = self.t.items[at], self.t.blocks(at)
        args = args_of_call(self.t.blocks(it.answers), it.tool_call_id) if it.answers >= 0 else ""
        text = stub_text(it, blocks, args, self.counts.tokens[at])
        takes = self.counter.blocks(blocks_in_form(blocks, Form.STUB, text, None))
        size = self.size[at] if self.form[at][0] is not Form.OUT else self.counts.tokens[at]
        if takes < size:
            self.move(action, rule, at, detail, text)
        elif rule == KEEP:
            self.tell(at)
        else:
            self.not_smaller(rule, at, f"a stub would take {takes:,} tokens, it takes {size:,}")
        return takes < size

    def truncate(self, at: int, rule: str) -> None:
        rules, blocks, tokens = self.s.tool_results, self.t.blocks(at), self.counts.tokens[at]
        found = truncation(blocks, self.t.items[at].id, tokens, rules, self.counter)
        if found is None or found[2] >= tokens:
            return self.not_smaller(rule, at, f"no cut brings it under {rules.max_tokens_each:,} tokens")
        head, tail = kept_tokens(blocks, found[0], self.counter)
        return self.move("truncate", rule, at, f"kept head {head:,} + tail {tail:,}", found[1], found[0])

    # stages

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
        self.expire(now=False)
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

    def holds(self) -> dict[str, int]:
        sums: dict[str, int] = {}
        for reason, _, items in self.verdicts():
            sums[reason or TRIM] = sums.get(reason or TRIM, 0) + sum(self.size[at] for at in items)
        ours = sum(map(self.price, self.notices.values()))
        for name, tokens in (("system-envelope", self.tokens() - sum(sums.values()) - ours), ("stand-ins", ours)):
            if tokens:
                sums[name] = sums.get(name, 0) + tokens
        return dict(sorted(sums.items(), key=lambda pair: (-pair[1], pair[0])))

    def over(self, holds: dict[str, int]) -> None:
        """Say what holds the window, once in a stretch and when the rules change."""
        for lines, _, (tokens, _, _) in reversed(self.past):
            said = [line for line in lines if line["action"] == "over-limit"]
            if tokens <= self.limit:
                break
            if said:
                if set(said[-1]["holds"]) == set(holds):
                    return
                break
        inside = [at for ats in self.turns.values() for at in ats if self.form[at][0] is not Form.OUT]
        large = sorted(inside, key=lambda at: (-self.size[at], at))[:5]
        by_rule = ", ".join(f"{name} {tokens:,}" for name, tokens in holds.items())
        over = f"{self.tokens():,} tokens, {self.tokens() - self.limit:,} over the limit; held by {by_rule}"
        ids = [self.t.items[at].id for at in large]
        self.say("over-limit", "budget.max", large[0] if large else 0, over, holds=holds, largest=ids or None)

    def why(self) -> list[str]:
        tokens, pause, least = self.tokens(), self.pause(), self.s.budget.idle_seconds
        idle = ["idle"] if least is not None and pause is not None and pause >= least else []
        if tokens <= self.limit:
            return idle if tokens > self.target else []
        for _, visit, (sent, _, _) in reversed(self.past):
            triggers = visit["trigger"].split("+") if visit else []
            if "waiting" not in triggers or idle:
                grown = int(self.s.budget.backoff * self.limit)
                waits = "budget" in triggers and sent > self.limit and tokens < sent + grown and not idle
                return ["waiting"] if waits else ["budget", *idle]
        return ["budget", *idle]

    def pause(self) -> float | None:
        if not self.past or not self.items:
            return None
        reply = self.t.items[self.t.all_calls()[len(self.past) - 1].at]
        since, now = seconds(reply.timestamp), seconds(self.items[-1].timestamp)
        return None if since is None or now is None else now - since

    def visit(self) -> tuple[list[Line], Line | None, tuple[int, int, bool]]:
        triggers, holds = list[str](), None
        if self.s.strategy == "windowkeeper":
            triggers, holds = self.stages()
        window = self.window(len(self.items))
        same = 0
        while window[same : same + 1] == self.sent[same : same + 1] and same < len(self.sent):
            same += 1
        differ = min([entry[0] // 2 for entry in (*self.sent[same : same + 1], *window[same : same + 1])], default=None)
        broken, unseen = same < len(self.sent), self.counter.label.unseen_prefix
        prefix = unseen + sum(entry[4] for entry in window[:same]) if self.past else 0
        lines, line = self.lines(), None
        if triggers and (triggers != ["idle"] or self.said):
            line = self.visit_line("+".join(triggers), lines, holds, differ if broken else None)
        return lines, line, (self.tokens(), prefix, broken)

    def stages(self) -> tuple[list[str], dict[str, int] | None]:
        self.resurface()
        triggers = ["resurface"] if self.said else []
        done, holds = len(self.said), None
        if self.s.expire.now:
            self.expire(now=True)
            triggers += ["expire"] if len(self.said) > done else []
        why = self.why()
        if why and why != ["waiting"]:
            self.replan()
            holds = self.holds() if self.tokens() > self.target else {}
            if self.tokens() > self.limit:
                self.over(holds)
        self.settle()
        return why + triggers, holds

    def lines(self) -> list[Line]:
        was_form, was_size, was_notices, _ = self.was
        index = {line["at"]: n for n, line in enumerate(self.said) if FORM_AFTER[line["action"]] is not None}
        moved = {at for at in index if self.form[at] != was_form[at]}
        for line in self.said:
            at = line["at"]
            line["tokensAfter"] = 0 if self.form[at][0] is Form.OUT else self.size[at]
            line["tokensBefore"] = was_size[at] if index.get(at) is not None and line["action"] != "over-limit" else line["tokensAfter"]
        notes = [line for line in self.said if line["action"] in ("keep", "not-smaller") and line["at"] not in moved]
        moves = [line for n, line in enumerate(self.said) if index.get(line["at"]) == n and line["at"] in moved]
        over = [line for line in self.said if line["action"] == "over-limit"]
        for slot in sorted({*was_notices, *self.notices}):
            for action, text in (("retract", was_notices.get(slot)), ("insert", self.notices.get(slot))):
                if text is not None and (slot not in self.notices or slot not in was_notices):
                    moves.append(self.notice_line(action, slot, text))
        return [{k: v for k, v in line.items() if v is not None} for line in (*notes, *moves, *over)]

    def notice_line(self, action: str, slot: int, text: str) -> Line:
        tokens = (0, self.price(text)) if action == "insert" else (self.price(text), 0)
        line = {"kind": "decision", "call": self.call.number, "action": action, "rule": TRIM, "slot": slot}
        line |= {"stands": "notice", "item": trim_list_id(self.items[0].id)}
        line |= {"tokensBefore": tokens[0], "tokensAfter": tokens[1], "text": text if action == "insert" else None}
        return line | {"detail": None if self.notices else "nothing is missing any more"}

    def visit_line(self, trigger: str, lines: list[Line], holds: dict[str, int] | None, broke: int | None) -> Line:
        forms, _, notices, tokens = self.was
        line: Line = {"kind": "visit", "call": self.call.number, "run": self.call.run, "iteration": self.call.iteration}
        line |= {"engaged": True, "trigger": trigger, "tokensBefore": tokens, "tokensAfter": self.tokens()}
        line |= {"limit": self.limit, "target": self.target}
        line["new"] = sum(line["action"] not in ("keep", "not-smaller", "over-limit") for line in lines)
        line["inForce"] = sum(form != IN_FULL for form in forms.values()) + len(notices)
        line["recalled"] = sum(line["action"] == "recall" for line in lines)
        line |= {"targetMissed": holds or None, "brokeAt": broke, "refusals": self.refusals}
        return {k: v for k, v in line.items() if v is not None}


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
