"""The naive span of a reference strategy: which pins are admitted, which turns may leave, who refused (spec/5)."""

from __future__ import annotations

from typing import Any

from tests.naive_turns import Turn, Turned
from tests.naive_window import Line, Message
from windowkeeper_cli.model.item import USER

PIN = "last-tool-result"


class Spanned(Turned):
    """A window of which one span may leave; `records` are those filed earlier in this run."""

    guards = ("current-request", "system-envelope", "paused-tool", "pending-check-in", "unresolved-tool-call")

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        runs = [(call, line) for call, (_, line, _) in zip(self.t.all_calls(), self.past, strict=False)]
        self.records = [line for call, line in runs if line and call.run == self.call.run]
        self.limit = self.s.pins.keep_last_tool_results or 0
        self.all = self.turns()

    # Pins (6)

    def name_of(self, message: Message) -> str | None:
        item = message.item
        if item is None or message.role != "tool":
            return None
        if item.tool_name:
            return item.tool_name
        calls = [call for m in self.inside() if m.item for call in m.item.calls if item.tool_call_id]
        return next((call.name for call in calls if call.id == item.tool_call_id and call.name), None)

    def pin_candidates(self) -> list[Line]:
        found: list[Line] = []
        seen: set[str] = set()
        for turn in reversed(self.all):
            mine = False
            for message in reversed(turn.messages):
                name = self.name_of(message) if message.slot // 2 > self.anchor else None
                if name and name not in seen:
                    seen.add(name)
                    if not mine:
                        units = sum(m.units for m in turn.messages)
                        found.append({"toolName": name, "turnIndex": turn.index, "chars": units})
                    mine = True
        return found

    def stands_down(self) -> bool:
        last = self.records[-2:]
        blocked = [r["removedMessageCount"] == 0 and PIN in [x["reason"] for x in r["refusals"]] for r in last]
        return self.limit > 0 and len(last) == 2 and all(blocked)

    # The span (4.3)

    def plan(self, keep: int, *, lone_summary: bool) -> None:
        outside = max(0, len(self.all) - keep)
        self.observations: Line | None = None
        contested = [pin for pin in self.pin_candidates() if pin["turnIndex"] < outside]
        if self.stands_down():
            self.observations = {"pinned": [], "yielded": 0, "limit": self.limit, "standDown": True}
        elif contested and self.limit:
            self.observations = {"pinned": contested[: self.limit], "yielded": len(contested[self.limit :])}
            self.observations["limit"] = self.limit
        self.pins = [pin["turnIndex"] for pin in self.observations["pinned"]] if self.observations else []
        split: set[int] = set()
        while True:
            span, refused = self.walk(outside, split)
            parted = [turn for turn in span if self.s.pins.strict_pairs and self.parts(turn, span)]
            if not parted:
                break
            split.add(parted[0].index)
        self.kept_at_head = bool(span) and span[0].index == 1 and refused[0][1] == "current-request"
        is_frame = span and span[0].messages[0].role == USER
        if lone_summary and len(span) == 1 and is_frame and span[0].messages[0].text.startswith("[compacted history"):
            refused.append((span[0], "only-existing-summary"))
            span = []
        self.span = span
        self.refusals = [self.refusal(turn, reason) for turn, reason in refused]
        self.refusals += [self.refusal(turn, "inside-keep-window") for turn in self.all[outside:]]
        self.gone = [message for turn in span for message in turn.messages]
        self.tools = list(dict.fromkeys(name for message in self.gone if (name := self.name_of(message))))

    def walk(self, outside: int, split: set[int]) -> tuple[list[Turn], list[tuple[Turn, str]]]:
        span: list[Turn] = []
        refused: list[tuple[Turn, str]] = []
        for turn in self.all[:outside]:
            reason = self.reason(turn.items) if turn.items else None
            reason = reason or (PIN if turn.index in self.pins else None) or ("split-pair" if turn.index in split else None)  # fmt: skip  # noqa: E501
            if reason is None:
                span.append(turn)
                continue
            refused.append((turn, reason))
            if span:
                break
        return span, refused

    def parts(self, turn: Turn, span: list[Turn]) -> bool:
        """Return whether the turn would leave a call or a result behind in the window, or one still to come."""
        if not turn.items:
            return False
        leaving = [other.items[0].turn for other in span if other.items]
        staying = [other.items[0].turn for other in self.all if other.items and other.items[0].turn not in leaving]
        number = turn.items[0].turn
        return any(other in staying for other in self.partners(number)) or self.awaits(number)

    def refusal(self, turn: Turn, reason: str, tokens: int | None = None) -> Line:
        first = turn.messages[0]
        number = first.item.turn if first.item else -1
        line: Line = {"reason": reason, "scope": "turn", "turn": number, "at": first.slot // 2}
        line["tokens"] = turn.tokens if tokens is None else tokens
        return line | {"turnIndex": turn.index, "messageIndex": turn.first}

    def abandon(self, reason: str) -> None:
        self.refusals.insert(0, self.refusal(self.span[0], reason, sum(turn.tokens for turn in self.span)))
        self.span, self.gone = [], []
