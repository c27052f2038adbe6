"""The naive recorded engine: at each recorded event, what the log says the harness did, done to the list (spec/6)."""

from __future__ import annotations

from typing import Any

from tests.naive_window import Line, NaiveWindow, Visited
from windowkeeper_cli.model.block import Text, texts_of
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.payload import item_id, payload


class Recorded(NaiveWindow):
    """Nothing is guarded, nothing remembered: the one text of ours in the window is the last summary."""

    placeholder = "[old tool result cleared by the harness]"

    def visit(self) -> Visited:
        events = [event for event in self.t.events if event.call == self.call.number]
        if not events:
            return self.silent()
        for event in events:
            self.rule, self.detail = f"recorded.{event.kind}", told(event)
            if event.kind == "compaction":
                self.compact(event)
            elif event.kind == "window":
                self.differ(event)
            else:
                self.clear(event)
        lines, visit, meter = self.engaged("log")
        assert visit is not None
        return lines, visit | {"recalled": sum(line["action"] == "recall" for line in lines)}, meter

    def lines(self) -> list[Line]:
        """Return the lines of what stands otherwise than it stood before the visit."""
        was = {message.slot // 2: message.standing for message in self.before if message.item}
        out = (Form.OUT, None, None)
        self.moved = {at: line for at, line in self.moved.items() if was.get(at, out) != self.standing(at)}
        return super().lines()

    def conversation(self) -> list[int]:
        """Return the positions that stand in the window, the leading system text left out."""
        return [message.item.at for message in self.messages if message.item and message.item.turn >= 0]

    def compact(self, event: Event) -> None:
        """Everything before the event leaves but what it kept; one summary stands for it and for the one before."""
        gone = [at for at in self.conversation() if at < event.at and at not in event.kept]
        for at in gone:
            self.move("fold", self.rule, at, detail=self.detail)
        standing = [message.slot for message in self.messages if message.item is None]
        begins = event.at < self.call.at and all(item.turn < 0 for item in self.t.items[: event.at])
        places = sorted([*standing, *(2 * at for at in gone), *([2 * event.at] if begins else [])])
        text = "\n".join(texts_of(event.summary))
        if text and places:
            summed = f"the harness's own summary, {event.where}"
            ident = event.summary_id or item_id(payload(USER, (Text(text),)))
            self.enter(self.of_ours(places[0], "summary", ident, text), self.rule, standing, summed)
        for slot in [] if text else standing:
            self.withdraw(slot, self.rule, self.detail)

    def differ(self, event: Event) -> None:
        for at in [at for at in self.conversation() if at in event.left]:
            self.move("trim", self.rule, at, detail=self.detail)
        for at in event.back:
            if self.standing(at)[0] is not Form.FULL:
                self.move("recall", self.rule, at, detail=self.detail)

    def clear(self, event: Event) -> None:
        shown: list[Any] = [*event.shown, *[None] * len(event.cleared)]
        for at, blocks in zip(event.cleared, shown, strict=False):
            if self.standing(at)[0] is not Form.OUT:
                text = self.placeholder if blocks is None else "".join(texts_of(blocks))
                self.move("clear", self.rule, at, text, detail=self.detail)


def told(event: Event) -> str:
    """Return what a line says of its event."""
    what = " ".join(word for word in (event.trigger, event.kind, "at", event.where) if word)
    return what if event.pre_tokens is None else f"{what}; {event.pre_tokens:,} tokens before, by its own figure"
