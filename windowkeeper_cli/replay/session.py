"""A session under one strategy: a visit at every call, its decisions applied, netted and written down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from windowkeeper_cli.archive import MemoryArchive
from windowkeeper_cli.guards.case import Case
from windowkeeper_cli.guards.gate import Gate, guards_named
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.item import PERSON, SYSTEM
from windowkeeper_cli.model.ledger import DecisionLine, Meter, Step, VisitLine
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.fold import Fold
from windowkeeper_cli.replay.netting import Netting
from windowkeeper_cli.rules.holders import Holders
from windowkeeper_cli.rules.visit import Facts, Visit
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.strategies.strategy import Strategy


class Session:
    """Walks a transcript call by call; `fold` is the window, `lines` every decision line so far, in order.

    With `cold`, all but the last call asked for are passed over, as if none had come before it.
    """

    def __init__(
        self,
        transcript: Transcript,
        counts: Counts,
        settings: Settings,
        *,
        cold: bool = False,
        archive: MemoryArchive | None = None,
        strategy: Strategy | None = None,
    ) -> None:
        self.transcript = transcript
        self.counts = counts
        self.settings = settings
        self.strategy: Strategy = strategy or STRATEGIES.module(settings.strategy).make(settings)
        self.archive = MemoryArchive() if archive is None else archive
        self.fold = Fold(transcript, counts)
        self.gate: Gate
        self.asked = 0
        self._cold = cold
        self._guards = guards_named(self.strategy.guards)
        self._patterns = tuple(re.compile(pattern) for pattern in settings.protect.patterns)
        self._matched: dict[int, bool] = {}
        self._requests: list[int] = []
        self._links: dict[int, list[int]] = {}
        self._in_force: dict[int | str, DecisionLine] = {}
        self._sources: Holders | None = None
        self._sent = (0, 0)

    def steps(self, upto: int | None = None) -> Iterator[Step]:
        """Visit every call up to number `upto` (default: the next call), and yield what each did."""
        calls = self.transcript.all_calls()[:upto]
        for call in calls[-1:] if self._cold else calls:
            yield self.visit(call)

    def standing(self) -> tuple[DecisionLine, ...]:
        """Return the decisions in force now, by the call that made them, then by place."""
        lines = list(self._in_force.values())
        return tuple(sorted(lines, key=lambda line: (line.call, _place(line))))

    def visit(self, call: Call) -> Step:
        """Visit one call with the items before it; the same call again changes nothing."""
        fold = self.fold
        new = fold.append(call.at)
        self._take_in(new)
        visit = self._case_of(call, new)
        tokens_before, in_force = fold.tokens, fold.in_force()
        netting = Netting(fold, call)
        facts = self._run(visit, netting)
        self.gate = visit.gate
        self.asked += visit.gate.asked
        broke_at = netting.broke_before(self._sent[0])
        prefix = self._sent[1] if broke_at is None else fold.tokens_before(broke_at)
        lines = netting.lines()
        self._note_in_force(lines)
        limit = self.strategy.limit
        meter = Meter(
            window=fold.tokens,
            prefix=prefix,
            broken=broke_at is not None,
            over_limit=limit is not None and fold.tokens > limit,
            replanned=facts is not None and facts.replanned,
        )
        line = None if facts is None else self._line(call, facts, lines, tokens_before, in_force, broke_at)
        self._sent = (fold.held, fold.tokens)
        return Step(call.number, line, lines, meter)

    def rule_of(self, at: int) -> str | None:
        """Return the rule of the decision in force on an item, None where it is in full."""
        line = self._in_force.get(at)
        return None if line is None else line.rule

    def _run(self, visit: Visit, netting: Netting) -> Facts | None:
        plan = self.strategy.plan(visit)
        while True:
            try:
                proposal = next(plan)
            except StopIteration as end:
                facts: Facts | None = end.value
                return facts
            netting.apply(proposal, visit.gate)

    def _take_in(self, new: range) -> None:
        """Archive the new items before anything may leave, and note requests and pairs that stand apart."""
        for at in new:
            item = self.transcript.items[at]
            self.archive.put(item, self.transcript.source)
            if item.request:
                self._requests.append(at)
            if item.answers >= 0:
                calling = self.transcript.items[item.answers].turn
                if calling != item.turn:
                    self._links.setdefault(item.turn, []).append(calling)
                    self._links.setdefault(calling, []).append(item.turn)

    def _case_of(self, call: Call, new: range) -> Visit:
        fold = self.fold
        is_next = call.number == self.transcript.next_call.number
        case = Case(
            view=fold,
            anchor=call.anchor,
            requests=self._requests,
            links=self._links,
            protect=self.settings.protect,
            tool_results=self.settings.tool_results,
            matches=self._matches,
            paused=self.transcript.paused if is_next else None,
            newest=fold.items[fold.held - 1].turn if fold.held else -1,
        )
        gate = Gate(self._guards, case, self.strategy.keep_recent)
        return Visit(
            call=call,
            new=new,
            view=fold,
            gate=gate,
            settings=self.settings,
            counter=self.counts.counter,
            blocks=self.transcript.blocks,
            sources=self,
            pause=self._pause(call),
        )

    def of(self, identifier: str, before: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return who names and who mentions an identifier before a position; the index is made on first use."""
        if self._sources is None:
            transcript = self.transcript
            self._sources = Holders(transcript.items, transcript.blocks, transcript.pairs, len(transcript.items))
        return self._sources.of(identifier, before)

    def _matches(self, at: int) -> bool:
        if not self._patterns:
            return False
        if at not in self._matched:
            item = self.transcript.items[at]
            readable = item.role == SYSTEM or item.authored_by == PERSON
            texts = texts_of(self.transcript.blocks(at)) if readable else ()
            self._matched[at] = any(pattern.search(text) for pattern in self._patterns for text in texts)
        return self._matched[at]

    def _pause(self, call: Call) -> float | None:
        """Return seconds from the last reply to this request: the newest item's time less the reply's."""
        items = self.transcript.items
        if self.settings.budget.idle_seconds is None or call.number < 2 or call.at == 0:
            return None
        reply = items[self.transcript.all_calls()[call.number - 2].at]
        sent, replied = seconds(items[call.at - 1].timestamp), seconds(reply.timestamp)
        return None if sent is None or replied is None else sent - replied

    def _note_in_force(self, lines: Sequence[DecisionLine]) -> None:
        trimmed = [line.item for line in lines if line.action == "trim"]
        if trimmed:
            for insert in self.fold.inserted():
                if insert.item in insert.text:
                    self.archive.extend_list(insert.item, trimmed)
        for line in lines:
            if line.at is None:
                key = f"slot {line.slot}"
                if line.action == "insert":
                    self._in_force[key] = line
                else:
                    self._in_force.pop(key, None)
            elif line.action == "recall":
                self._in_force.pop(line.at, None)
            elif line.moves:
                self._in_force[line.at] = line

    def _line(
        self,
        call: Call,
        facts: Facts,
        lines: Sequence[DecisionLine],
        tokens_before: int,
        in_force: int,
        broke_at: int | None,
    ) -> VisitLine:
        return VisitLine(
            call=call.number,
            run=call.run,
            iteration=call.iteration,
            trigger="+".join(facts.trigger),
            tokens_before=tokens_before,
            tokens_after=self.fold.tokens,
            limit=facts.limit,
            target=facts.target,
            new=sum(line.moves for line in lines),
            in_force=in_force,
            recalled=sum(line.action == "recall" for line in lines),
            refusals=facts.refusals,
            target_missed=dict(facts.target_missed),
            broke_at=None if broke_at is None else broke_at // 2,
            facts=facts.fields,
        )


def _place(line: DecisionLine) -> int:
    return 2 * line.at + 1 if line.at is not None else (line.slot or 0)
