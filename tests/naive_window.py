"""The naive window of any strategy: a list of messages, rebuilt at every call from the transcript and the lines so far.

Nothing is remembered but what a strategy itself must remember (`memory`); every total is a sum over the list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from windowkeeper_cli.model.block import Text, texts_of
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import FORM_AFTER, Cut, Form
from windowkeeper_cli.model.item import USER, Item
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript

Line = dict[str, Any]
Visited = tuple[list[Line], Line | None, tuple[int, int, bool]]
"""Decision lines, visit line, and (window, prefix, broken) of one call."""
Standing = tuple[Form, str | None, Cut | None]
IN_FULL: Standing = (Form.FULL, None, None)


@dataclass(frozen=True)
class Message:
    """One message of the window as it stands; `item` is None where the text is ours."""

    slot: int
    role: str
    text: str
    tokens: int
    standing: Standing
    item: Item | None = None
    stands: str = ""
    ident: str = ""

    @property
    def units(self) -> int:
        return utf16(self.text)


def utf16(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return sum(2 if ord(char) > 0xFFFF else 1 for char in text) if not text.isascii() else len(text)


class NaiveWindow:
    """The window of one call; `past` is every call before it."""

    def __init__(self, t: Transcript, counts: Counts, s: Settings, past: list[Visited], memory: dict[str, Any]) -> None:
        self.t, self.counts, self.counter, self.s, self.past, self.memory = t, counts, counts.counter, s, past, memory
        self.call = t.all_calls()[len(past)]
        self.last_call = t.all_calls()[len(past) - 1] if past else None
        self.messages = self.rebuilt(self.call.at)
        self.sent = self.rebuilt(self.last_call.at) if self.last_call else []
        self.before = list(self.messages)
        self.moved: dict[int, Line] = {}
        self.notes: list[Line] = []
        self.over: list[Line] = []
        self.touched: dict[int, tuple[str, str]] = {}
        self.refusals: list[Line] = []

    def rebuilt(self, held: int) -> list[Message]:
        """Return what stands among the first `held` items after all lines so far, in order."""
        standing: dict[int, Standing] = {}
        ours: dict[int, Line] = {}
        for lines, _, _ in self.past:
            for line in lines:
                if line["action"] == "insert":
                    ours[line["slot"]] = line
                elif line["action"] == "retract":
                    del ours[line["slot"]]
                elif (form := FORM_AFTER[line["action"]]) is not None:
                    standing[line["at"]] = (form, line.get("text"), tuple(line["cut"]) if "cut" in line else None)
        found = [self.of_item(at, standing.get(at, IN_FULL)) for at in range(held)]
        found = [message for message in found if message.standing[0] is not Form.OUT]
        found += [
            self.of_ours(slot, line["stands"], line["item"], line["text"])
            for slot, line in ours.items()
            if slot < 2 * held
        ]
        return sorted(found, key=lambda message: message.slot)

    def of_item(self, at: int, standing: Standing) -> Message:
        item, blocks = self.t.items[at], self.t.blocks(at)
        if standing[0] is Form.FULL:
            return Message(2 * at + 1, item.role, "".join(texts_of(blocks)), self.counts.tokens[at], standing, item)
        there = blocks_in_form(blocks, *standing)
        tokens = 0 if standing[0] is Form.OUT else self.counter.blocks(there)
        return Message(2 * at + 1, item.role, "".join(texts_of(there)), tokens, standing, item)

    def of_ours(self, slot: int, stands: str, ident: str, text: str) -> Message:
        return Message(slot, USER, text, self.counter.blocks((Text(text),)), IN_FULL, None, stands, ident)

    def tokens(self) -> int:
        return self.counter.label.unseen_prefix + sum(message.tokens for message in self.messages)

    def find(self, at: int) -> Message | None:
        return next((message for message in self.messages if message.slot == 2 * at + 1), None)

    def standing(self, at: int) -> Standing:
        found = self.find(at)
        return found.standing if found else (Form.OUT, None, None)

    # What a strategy says and does

    def move(self, action: str, rule: str, at: int, text: str | None = None, cut: Cut | None = None, detail: str = "") -> None:  # fmt: skip  # noqa: E501
        form = FORM_AFTER[action]
        assert form is not None
        after = self.of_item(at, (form, text, cut))
        rest = [message for message in self.messages if message.slot != after.slot]
        self.messages = sorted(rest if form is Form.OUT else [*rest, after], key=lambda message: message.slot)
        was = next((message.tokens for message in self.before if message.slot == after.slot), 0)
        self.moved.pop(at, None)
        shown = list(cut) if cut else None
        self.moved[at] = self.line(action, rule, at, was, after.tokens, text=text, cut=shown, detail=detail)

    def line(self, action: str, rule: str, at: int, before: int, after: int, **more: Any) -> Line:
        item = self.t.items[at]
        line: Line = {"kind": "decision", "call": self.call.number, "action": action, "rule": rule, "at": at}
        line |= {"item": item.id, "turn": item.turn if item.turn >= 0 else None, "tool": item.tool_name}
        line |= {"tokensBefore": before, "tokensAfter": after} | more
        line["detail"] = line.get("detail") or None
        return {key: value for key, value in line.items() if value is not None}

    def enter(self, message: Message, rule: str, absorbed: list[int], detail: str = "") -> None:
        """Let a text of ours in, in place of earlier ones."""
        for slot in (*absorbed, message.slot):
            self.touched[slot] = (rule, detail)
        rest = [other for other in self.messages if other.slot not in (*absorbed, message.slot)]
        self.messages = sorted([*rest, message], key=lambda other: other.slot)

    def withdraw(self, slot: int, rule: str, detail: str) -> None:
        self.touched[slot] = (rule, detail)
        self.messages = [other for other in self.messages if other.slot != slot]

    def lines(self) -> list[Line]:
        was = {message.slot: message for message in self.before}
        now = {message.slot: message for message in self.messages}
        found = [line for line in self.notes if line["at"] not in self.moved]
        found += self.moved.values()
        for slot in sorted(self.touched):
            for action, one, other in (("retract", was, now), ("insert", now, was)):
                if slot in one and one[slot] is not other.get(slot):
                    found.append(self.text_line(action, one[slot], *self.touched[slot]))
        return [*found, *self.over]

    def text_line(self, action: str, ours: Message, rule: str, detail: str) -> Line:
        line: Line = {"kind": "decision", "call": self.call.number, "action": action, "rule": rule, "slot": ours.slot}
        line |= {"stands": ours.stands, "item": ours.ident}
        if action == "insert":
            line |= {"tokensBefore": 0, "tokensAfter": ours.tokens, "text": ours.text}
        else:
            line |= {"tokensBefore": ours.tokens, "tokensAfter": 0}
        return line | ({"detail": detail} if detail else {})

    # What comes of a visit

    def silent(self) -> Visited:
        """Return a visit that did not engage."""
        return self.lines(), None, self.meter()

    def engaged(self, trigger: str, *, limit: int | None = None, target: int | None = None, missed: Line | None = None, **facts: Any) -> Visited:  # fmt: skip  # noqa: E501
        lines = self.lines()
        was, now = ({m.slot: m for m in messages} for messages in (self.before, self.messages))
        held = self.call.at
        visit: Line = {"kind": "visit", "call": self.call.number, "run": self.call.run}
        visit |= {"iteration": self.call.iteration, "engaged": True, "trigger": trigger}
        visit |= {"tokensBefore": self.counter.label.unseen_prefix + sum(m.tokens for m in self.before)}
        visit |= {"tokensAfter": self.tokens(), "limit": limit, "target": target}
        visit["new"] = sum(line["action"] not in ("keep", "not-smaller", "over-limit") for line in lines)
        visit["inForce"] = sum(m.item is None or m.standing != IN_FULL for m in was.values())
        visit["inForce"] += sum(2 * at + 1 not in was for at in range(held))
        visit["recalled"] = 0
        visit["targetMissed"] = missed or None
        differ = [slot for slot in sorted({*was, *now}) if was.get(slot) != now.get(slot)]
        if self.meter()[2]:
            visit["brokeAt"] = differ[0] // 2
        visit = {key: value for key, value in visit.items() if value is not None}
        return lines, visit | facts | {"refusals": self.refusals}, self.meter()

    def meter(self) -> tuple[int, int, bool]:
        """Return tokens of the window, tokens of what it has in common with the last request, and whether it broke."""
        same = 0
        while self.messages[same : same + 1] == self.sent[same : same + 1] and same < len(self.sent):
            same += 1
        unseen = self.counter.label.unseen_prefix if self.past else 0
        prefix = unseen + sum(message.tokens for message in self.messages[:same])
        return self.tokens(), prefix, same < len(self.sent)

    def said_over_limit(self, rule: str, limit: int, holds: Line) -> None:
        """Say what holds a window over the limit, once in a stretch and when the rules change."""
        if self.tokens() <= limit:
            return
        for lines, _, (tokens, _, _) in reversed(self.past):
            said = [line for line in lines if line["action"] == "over-limit"]
            if tokens <= limit:
                break
            if said:
                if set(said[-1]["holds"]) == set(holds):
                    return
                break
        large = [m for m in self.messages if m.item is not None and m.item.turn >= 0]
        large = sorted(large, key=lambda m: (-m.tokens, m.slot))[:5]
        by_rule = ", ".join(f"{name} {tokens:,}" for name, tokens in holds.items())
        detail = f"{self.tokens():,} tokens, {self.tokens() - limit:,} over the limit; held by {by_rule}"
        first = large[0] if large else self.find(0)
        at, size = (first.slot // 2, first.tokens) if first else (0, 0)
        ids = [m.item.id for m in large if m.item] or None
        self.over.append(self.line("over-limit", rule, at, size, size, detail=detail, holds=holds, largest=ids))
