"""The naive reference strategies: what leaves, what stands for it, and all that is filed of it (spec/5, 7 to 10)."""

from __future__ import annotations

from typing import Any

from tests.naive_span import Spanned
from tests.naive_window import Line, Message, Visited, utf16
from windowkeeper_cli.model.block import Text, texts_of
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.model.item import USER
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.strategies.fnv import fnv1a
from windowkeeper_cli.strategies.reference_texts import frame, notice
from windowkeeper_cli.strategies.summarizer import constant_text

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-"


def milliseconds(time: str | None) -> float | None:
    found = seconds(time)
    return None if found is None else round(found * 1000)


class Reference(Spanned):
    """One visit of a reference strategy."""

    name = rule = action = stands = ""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.now = milliseconds(self.call.time)
        if self.call == self.t.next_call and self.call.time is None:
            self.now = milliseconds(self.t.items[-1].timestamp)

    # Taking out, and what is filed (7 to 10)

    def take_out(self, text: str | None) -> None:
        first = self.gone[0]
        ours = [message.slot for message in self.gone if message.item is None]
        for message in self.gone:
            if message.item:
                self.move(self.action, self.rule, message.item.at)
        self.entered = text is not None
        if text is not None:
            ident = item_id(payload(USER, (Text(text),)))
            self.enter(self.of_ours(first.slot // 2 * 2, self.stands, ident, text), self.rule, ours)
        for slot in ours if text is None else ():
            self.withdraw(slot, self.rule, "its own turn left")

    def first_of_run(self) -> Any:
        return next(call for call in self.t.all_calls() if call.run == self.call.run)

    def origin(self, message: Message) -> tuple[str | None, float | None]:
        """Return the stage that wrote a message, and when (10)."""
        start = self.first_of_run()
        seeded = start.at if start.run > 1 else 0
        seed = ("seed#0", milliseconds(self.t.items[start.at - 1].timestamp) if start.at else None)
        if message.item:
            own = (message.item.stage, milliseconds(message.item.timestamp))
            stage, born = seed if message.item.at < seeded else own
        else:
            wrote = self.wrote(message.slot)
            number, run, now = wrote
            stage, born = (f"compact#{number - 1}", now) if run == self.call.run else seed
        return stage if any(item.stage for item in self.t.items) else None, born

    def wrote(self, slot: int) -> tuple[int, int, float | None]:
        """Return the call that inserted what stands at a slot, its run, and its time."""
        for call, (lines, _, _) in reversed(list(zip(self.t.all_calls(), self.past, strict=False))):
            if any(line["action"] == "insert" and line["slot"] == slot for line in lines):
                return call.number, call.run, milliseconds(call.time)
        raise AssertionError(slot)

    def filed(self) -> Line:
        """Return what every record holds."""
        before = [m for m in self.before if m.item is None or m.item.at >= self.t.envelope]
        index = {message.slot: n for n, message in enumerate(before)}
        origins = [self.origin(message) for message in self.gone]
        facts: Line = {"strategy": self.name, "removedMessageCount": len(self.gone)}
        facts["removedStageIds"] = list(dict.fromkeys(stage for stage, _ in origins if stage is not None))
        facts["windowCharsBefore"] = sum(message.units for message in before)
        facts["windowCharsAfter"] = sum(message.units for message in self.inside())
        if self.gone and self.tools:
            facts["droppedObservations"] = self.tools
        if self.observations is not None:
            facts["observations"] = self.observations
        facts["evictions"] = []
        for message, (_, born) in zip(self.gone, origins, strict=True):
            at = index[message.slot]
            lived = max(0, self.now - born) if self.now is not None and born is not None else 0
            line: Line = {"index": at, "contentHash": fnv1a(f"{message.role}:{at}:{message.text}"), "survivalMs": lived}
            if message.item:
                line |= {"at": message.item.at, "item": message.item.id}
            facts["evictions"].append(line)
        if self.gone:
            head = index[self.gone[0].slot]
            facts["rebase"] = {"headCount": head, "keptTailCount": len(before) - head - len(self.gone)}
            if self.entered and self.now is not None:
                facts["rebase"]["insertedAtMs"] = self.now
        return facts

    # Triggers (7.6)

    def measured(self, threshold: float) -> int | None:
        """Return the input tokens of the last call of this run where they are over the threshold."""
        if self.last_call is None or self.last_call.run != self.call.run:
            return None
        if self.counter.label.name == "reported":
            usage = self.t.calls[self.last_call.number - 1].usage
            if usage is None:
                return None
            sent, answered = usage.prompt, usage.output
        else:
            sent, answered = self.past[-1][2][0], self.counts.tokens[self.last_call.at]
            if sent == 0 and answered == 0:
                return None  # counted, and so measured: only a provider's 0 and 0 is no figure
        if sent == 0 and answered == 0:
            raise CompactionUnmeasurableError("0 and 0")
        return sent if sent > threshold else None

    def over_budget(self, measured: int, threshold: float, action: str) -> Line:
        pressure: Line = {"capTokens": threshold, "projectedTokens": measured, "overflowBy": measured - threshold}
        pressure |= {"unit": "tokens", "planAction": action if self.gone else "none"}
        return {"measuredTokens": measured, "thresholdTokens": threshold, "overBudget": True, "budgetPressure": pressure}  # fmt: skip  # noqa: E501

    # The notice ladder (7.1 to 7.3)

    def drop(self, keep: int) -> None:
        self.plan(keep, lone_summary=False)
        if not self.span:
            return None
        at_front = self.span[0].first == 0
        if not at_front and not self.kept_at_head:
            return self.take_out(None)
        size = sum(message.units for message in self.gone)
        good = [name for name in self.tools if 1 <= len(name) <= 48 and all(char in LETTERS for char in name)]
        for names in (good, []):
            text = notice(len(self.gone), self.call.iteration, self.name, request_kept=self.kept_at_head, tools=names)
            if utf16(text) < size:
                return self.take_out(text)
        rest = self.all[self.span[-1].index + 1 :]
        first = self.all[0].messages[0] if not at_front else rest[0].messages[0] if rest else None
        if first is None or first.role != USER:
            return self.abandon("replacement-not-smaller")
        return self.take_out(None)


class SlidingWindow(Reference):
    name, rule, action, stands = "sliding-window", "slidingWindow.keepRecentTurns", "trim", "notice"

    def visit(self) -> Visited:
        keep = self.s.sliding_window.keep_recent_turns
        assert keep is not None
        if len(self.all) <= keep:
            return self.silent()
        self.drop(keep)
        facts = self.filed() | {"keepRecentTurns": keep, "turnsBefore": len(self.all), "turnsAfter": len(self.turns())}
        return self.engaged("turns", **facts)


class TokenBudget(Reference):
    name, rule, action, stands = "token-budget", "tokenBudget.thresholdTokens", "trim", "notice"

    def visit(self) -> Visited:
        threshold, keep = self.s.token_budget.threshold_tokens, self.s.token_budget.keep_recent_turns
        assert threshold is not None
        measured = self.measured(threshold)
        if measured is None:
            return self.silent()
        self.drop(keep)
        over = self.over_budget(measured, threshold, "evict")
        return self.engaged("tokens", **self.filed(), keepRecentTurns=keep, **over)


class SummarizeOldest(Reference):
    name, rule, action, stands = "summarize-oldest", "summarizeOldest.thresholdTokens", "fold", "summary"

    def summary(self) -> tuple[str, str]:
        recorded = [event for event in self.t.events if event.call == self.call.number and event.summary]
        if recorded:
            return "\n".join(texts_of(recorded[-1].summary)), "recorded"
        return constant_text(self.s.summarize_oldest.summary_tokens, self.counter), "modelled"

    def visit(self) -> Visited:
        own = self.s.summarize_oldest
        assert own.threshold_tokens is not None
        measured = self.measured(own.threshold_tokens)
        if measured is None:
            return self.silent()
        self.plan(own.keep_recent_turns, lone_summary=True)
        facts: Line = {"summaryChars": 0, "folded": []}
        latch: set[str] = self.memory.setdefault("latch", set())
        key = "\0".join(f"{message.role}:{message.text}" for message in self.gone)
        if self.span and key in latch:
            facts["summarizerSkipped"] = True
            self.abandon("replacement-not-smaller")
        elif self.span:
            text, how = self.summary()
            whole = frame(len(self.gone), self.call.iteration, "modelled", text, retained=True)
            facts |= {"summaryChars": utf16(whole), "summarizerTokens": self.counter.text(text)}
            if utf16(whole) >= sum(message.units for message in self.gone):
                latch.add(key)
                self.abandon("replacement-not-smaller")
            else:
                self.take_out(whole)
                facts["folded"] = [self.folded(whole, how)]
        over = self.over_budget(measured, own.threshold_tokens, "summarize")
        return self.engaged("tokens", **self.filed(), **facts, **over)

    def folded(self, whole: str, how: str) -> Line:
        stages = [self.origin(message)[0] for message in self.gone]
        line: Line = {"summaryFingerprint": fnv1a(whole), "runId": self.call.run, "iteration": self.call.iteration}
        line |= {"foldedAtMs": self.now, "model": "modelled", "summary": how, "messageCount": len(self.gone)}
        line["removedStageIds"] = list(dict.fromkeys(stage for stage in stages if stage is not None))
        return line | {"retained": "conversation", "items": [m.item.at for m in self.gone if m.item]}
