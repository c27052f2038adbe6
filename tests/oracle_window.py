"""The naive window: rebuilt at every call from the transcript and the ledger lines so far, as plain lists and dicts."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import FORM_AFTER, Form
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.rules.trim import trim_list_id

Line = dict[str, Any]
Visited = tuple[list[Line], Line | None, tuple[int, int, bool]]
"""Decision lines, visit line, and (window, prefix, broken) of one call."""
NOTICE_RULE = "trim.enabled"
IN_FULL = (Form.FULL, None, None)


class Window:
    """The window of one call; `past` is every call before it."""

    def __init__(
        self, t: Transcript, counts: Counts, s: Settings, past: list[Visited], dull: set[tuple[str, int]]
    ) -> None:
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
        sizes = [int(entry[4]) for entry in self.window(len(self.items))]
        return self.counter.label.unseen_prefix + sum(sizes)

    def price(self, text: str) -> int:
        return self.counter.blocks((Text(text),))

    def inside(self, turn: int) -> bool:
        return any(self.form[at][0] is not Form.OUT for at in self.turns[turn])

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

    def lines(self) -> list[Line]:
        was_form, was_size, was_notices, _ = self.was
        index = {line["at"]: n for n, line in enumerate(self.said) if FORM_AFTER[line["action"]] is not None}
        moved = {at for at in index if self.form[at] != was_form[at]}
        for line in self.said:
            at = line["at"]
            line["tokensAfter"] = 0 if self.form[at][0] is Form.OUT else self.size[at]
            line["tokensBefore"] = (
                was_size[at] if index.get(at) is not None and line["action"] != "over-limit" else line["tokensAfter"]
            )
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
        line = {"kind": "decision", "call": self.call.number, "action": action, "rule": NOTICE_RULE, "slot": slot}
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
