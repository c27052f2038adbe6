"""The naive turns and refusals: turns from roles alone, each reason asked anew of the list (spec/5, 2 to 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.naive_window import IN_FULL, Line, Message, NaiveWindow
from windowkeeper_cli.model.item import Item

TRIM = "trim.enabled"


@dataclass(frozen=True)
class Turn:
    """A turn of the window: its index, the index of its first message, its messages."""

    index: int
    first: int
    messages: tuple[Message, ...]

    @property
    def items(self) -> list[Item]:
        return [message.item for message in self.messages if message.item]

    @property
    def tokens(self) -> int:
        return sum(message.tokens for message in self.messages)


class Turned(NaiveWindow):
    """A window that can be asked for its turns, its current request, and why a turn stays."""

    guards: tuple[str, ...] = ()

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.anchor = self.current_request()
        self.seen: set[tuple[str, str, int]] = set()

    def inside(self) -> list[Message]:
        """Return the window without the envelope."""
        return [message for message in self.messages if message.item is None or message.item.at >= self.t.envelope]

    def turns(self) -> list[Turn]:
        groups: list[list[Message]] = []
        for message in self.inside():
            if message.role == "tool" and groups:
                groups[-1].append(message)
            else:
                groups.append([message])
        firsts = [0]
        for group in groups:
            firsts.append(firsts[-1] + len(group))
        return [Turn(n, firsts[n], tuple(group)) for n, group in enumerate(groups)]

    def current_request(self) -> int:
        """Return the position of the current request: the latest with the run's text, else the latest; -1: none."""
        asked = [message for message in self.inside() if message.item and message.item.request]
        if self.call.anchor < 0 or not asked:
            return -1
        text = self.of_item(self.call.anchor, IN_FULL).text
        return ([message for message in asked if message.text == text] or asked)[-1].slot // 2

    # Reasons

    def is_request(self, item: Item) -> bool:
        return self.anchor >= 0 and self.anchor in (item.at, item.expands)

    def waits(self, items: list[Item], *, check_in: bool) -> bool:
        paused = self.t.paused if self.call == self.t.next_call else None
        if paused is None or not paused.tool_call_id or paused.check_in != check_in:
            return False
        ids = [item.tool_call_id for item in items] + [call.id for item in items for call in item.calls]
        return paused.tool_call_id in ids

    def unresolved(self, items: list[Item]) -> bool:
        answered = {m.item.tool_call_id for m in self.messages if m.item and m.role == "tool"} - {None, ""}
        return any(call.id not in answered for item in items for call in item.calls)

    def reason(self, items: list[Item], but: str = "") -> str | None:
        """Return the first reason for which these items of one turn stay."""
        asked: dict[str, Callable[[], bool]] = {
            "current-request": lambda: any(map(self.is_request, items)),
            "system-envelope": lambda: any(item.role == "system" for item in items),
            "paused-tool": lambda: self.waits(items, check_in=False),
            "pending-check-in": lambda: self.waits(items, check_in=True),
            "unresolved-tool-call": lambda: self.unresolved(items),
            "pinned": lambda: any(item.pinned for item in items),
            "protected-task": lambda: any(item.task for item in items),
            "split-pair": lambda: self.bound(items[0].turn),
        }
        return next((name for name, holds in asked.items() if name in self.guards and name != but and holds()), None)

    def item_reason(self, item: Item) -> str | None:
        """Return why one item may not be replaced in place; what keeps whole turns together has no say in it."""
        return self.reason([item._replace(calls=(), tool_call_id=None)], but="split-pair")

    # Pairs that stand apart

    def turn_of(self, number: int) -> list[Item]:
        return [item for item in self.t.items[: self.call.at] if item.turn == number]

    def partners(self, number: int) -> list[int]:
        """Return the turns that calls and results bind to this one, itself included."""
        pairs = [(item.turn, self.t.items[item.answers].turn) for item in self.t.items[: self.call.at] if item.answers >= 0]  # fmt: skip  # noqa: E501
        group = {number}
        while more := {turn for pair in pairs if group & set(pair) for turn in pair} - group:
            group |= more
        return sorted(group)

    def awaits(self, number: int) -> bool:
        """Return whether a call of the turn has no result of its own so far."""
        calls = [(item.at, call.id) for item in self.turn_of(number) for call in item.calls]
        return any(self.t.pairs.get(call, self.call.at) >= self.call.at for call in calls)

    def bound(self, number: int) -> bool:
        group = self.partners(number)
        others = [other for other in group if other != number]
        return any(self.reason(self.turn_of(other), "split-pair") for other in others) or any(map(self.awaits, group))

    # Verdicts, one a turn, oldest first, as the window stands when each is asked

    def verdicts(self) -> Iterator[tuple[str | None, list[Message]]]:
        done: set[int] = set()
        for turn in [turn for turn in self.turns() if turn.items]:
            number = turn.items[0].turn
            here = [m for m in self.messages if m.item and m.item.turn == number]
            if number in done or not here:
                continue
            reason = self.reason(self.turn_of(number))
            if reason:
                yield reason, here
                continue
            group = self.partners(number) if "split-pair" in self.guards else [number]
            done |= set(group)
            yield None, [m for m in self.messages if m.item and m.item.turn in group]

    def refuse(self, reason: str, scope: str, turn: int, at: int, tokens: int) -> None:
        if (reason, scope, at) not in self.seen:
            self.seen.add((reason, scope, at))
            self.refusals.append({"reason": reason, "scope": scope, "turn": turn, "at": at, "tokens": tokens})

    def refuse_turn(self, reason: str, messages: list[Message]) -> None:
        item = messages[0].item
        assert item is not None
        first = min(other.at for other in self.turn_of(item.turn))
        self.refuse(reason, "turn", item.turn, first, sum(message.tokens for message in messages))

    def holds(self) -> Line:
        """Return the tokens of the window by what keeps them there."""
        sums: Line = {}
        for reason, messages in self.verdicts():
            sums[reason or TRIM] = sums.get(reason or TRIM, 0) + sum(message.tokens for message in messages)
        ours = sum(message.tokens for message in self.messages if message.item is None)
        for name, tokens in (("system-envelope", self.tokens() - sum(sums.values()) - ours), ("stand-ins", ours)):
            if tokens:
                sums[name] = sums.get(name, 0) + tokens
        return dict(sorted(sums.items(), key=lambda pair: (-pair[1], pair[0])))
