"""A session under one strategy: a visit at every call, its decisions applied, netted and written down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from windowkeeper_cli.archive import Archive, MemoryArchive
from windowkeeper_cli.guards.gate import Gate, guards_named
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import SAYING, Decision, Insert
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.model.ledger import NO_FACTS, NOTHING, DecisionLine, Meter, Step, VisitLine
from windowkeeper_cli.model.reading import Reading
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Paused, Transcript
from windowkeeper_cli.replay.bearing import Bearing
from windowkeeper_cli.replay.fold import Fold
from windowkeeper_cli.replay.in_force import InForce
from windowkeeper_cli.replay.netting import Netting
from windowkeeper_cli.replay.run_state import RunState
from windowkeeper_cli.rules.visit import Facts, Visit
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.strategies.strategy import Strategy

REPORTED = "reported"
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor: there are some for every call."""


class Moved(NamedTuple):
    """How many of a visit's decisions moved something, brought an item back, and took one out of the window."""

    new: int
    recalled: int
    left: int


NOTHING_MOVED = Moved(0, 0, 0)


class Session:
    """Walks a transcript call by call; `fold` is the window, `gate` that of the last visit.

    With `cold`, all but the last call asked for are passed over, as if none had come before it. Raises
    CompactionUnmeasurableError where the strategy reads reported figures, and nothing was reported or counted.
    """

    def __init__(
        self,
        transcript: Transcript,
        counts: Counts,
        settings: Settings,
        *,
        cold: bool = False,
        archive: Archive | None = None,
        strategy: Strategy | None = None,
    ) -> None:
        self.transcript = transcript
        self.counts = counts
        self.settings = settings
        self.strategy: Strategy = strategy or STRATEGIES.module(settings.strategy).make(settings)
        self.archive: Archive = MemoryArchive() if archive is None else archive
        self.fold = Fold(transcript, counts)
        self.run = RunState(transcript)
        self._cold = cold
        self._bearing = Bearing(transcript, settings, self.strategy.protect or settings.protect)
        self._case = self._bearing.case(self.fold)
        self._case.pin_limit = self.strategy.pin_limit
        self.gate = Gate(guards_named(self.strategy.guards), self._case, self.strategy.keep_recent)
        self._netting = Netting(self.fold, self.gate)
        self._visit = self._first_visit()
        self._in_force = InForce()
        self._sent = (0, 0)
        self._visited = 0
        self._require_readings()

    @property
    def asked(self) -> int:
        """Return how many questions the gate has answered so far."""
        return self.gate.asked

    def steps(self, upto: int | None = None) -> Iterator[Step]:
        """Visit every call up to number `upto` (default: the next call), and yield what each did."""
        calls = self.transcript.all_calls()[:upto]
        for call in calls[-1:] if self._cold else calls:
            yield self.step(call)

    def step(self, call: Call, *, paused: Paused | None = None) -> Step:
        """Visit one call, with what was reported or counted for the last one."""
        if self.strategy.needs_reading and call.number > 1:
            self._read(self.transcript.calls[call.number - 2])
        return self.visit(call, paused=paused)

    def standing(self) -> tuple[DecisionLine, ...]:
        """Return the decisions in force now, by the call that made them, then by place."""
        return self._in_force.lines()

    def pause(self, call: Call) -> float | None:
        """Return seconds between the last reply and this request by the transcript's own times, None: unknown."""
        return self._bearing.pause(call)

    def anchor_in_window(self, anchor: int) -> int:
        """Return the current request as the window has it now: where it has left, the latest that stands."""
        return self._bearing.anchor(self.fold, anchor)

    def rule_of(self, at: int) -> str | None:
        """Return the rule of the decision in force on an item, None where it is in full."""
        return self._in_force.rule(at)

    def visit(self, call: Call, *, paused: Paused | None = None) -> Step:
        """Visit one call with the items before it; the same call again changes nothing.

        `paused` is the tool call that the run waits on at this visit, where the caller knows of one.
        """
        fold = self.fold
        self.run.begin(call)
        new = fold.append(call.at)
        self._take_in(new)
        visit = self._visit_of(call, range(self._visited, call.at), paused)
        self._visited = call.at
        tokens_before, in_force = fold.tokens, fold.in_force()
        facts = self._apply(visit)
        end, sent = self._sent
        lines, broke_at = self._netting.end(end)
        tokens = fold.tokens
        moved = self._note(lines, visit) if lines else NOTHING_MOVED
        line, replanned = None, False
        if facts is not None:
            told = facts.fields.get("removedMessageCount", moved.left)
            self.run.file(told if isinstance(told, int) else 0, facts.refusals)
            line = _visit_line(call, facts, moved, (tokens_before, tokens, in_force), broke_at)
            replanned = facts.replanned
        limit = self.strategy.limit
        prefix = sent if broke_at is None else fold.tokens_before(broke_at)
        over_limit = limit is not None and tokens > limit
        meter = _new(Meter, (tokens, prefix, broke_at is not None, over_limit, replanned))
        self._sent = (fold.end(), tokens)
        return _new(Step, (call.number, line, lines, meter))

    def impose(self, call: Call, lines: Sequence[Mapping[str, object]]) -> None:
        """Let a visit that was made before stand as its ledger lines say, whatever this strategy would have done."""
        # Only keep() comes with earlier visits; the commands start sooner without this.
        from windowkeeper_cli.replay.imposing import proposal_of

        self.run.begin(call)
        self._take_in(self.fold.append(call.at))
        for line in lines:
            move = proposal_of(line, self.transcript, self.counts)
            if isinstance(move, Decision):
                self.fold.apply(move, call.anchor)
            elif isinstance(move, Insert):
                self.fold.insert(move)
                self.run.note_text(move.slot, call.number - 1, self._bearing.now(call))
            elif move is not None:
                self.fold.retract(move)
        self._sent = (self.fold.end(), self.fold.tokens)

    def _take_in(self, new: range) -> None:
        """Archive the new items before anything may leave."""
        put, items, source = self.archive.put, self.transcript.items, self.transcript.source
        for at in new:
            put(items[at], source)
        self._bearing.take_in(new)

    def _apply(self, visit: Visit) -> Facts | None:
        self._netting.begin(visit.call.number, visit.anchor)
        plan, apply = self.strategy.plan(visit), self._netting.apply
        try:
            while True:
                apply(next(plan))
        except StopIteration as end:
            facts: Facts | None = end.value
            return facts

    def _first_visit(self) -> Visit:
        """Return the visit that each call makes anew."""
        return Visit(
            call=self.transcript.next_call,
            view=self.fold,
            gate=self.gate,
            settings=self.settings,
            counter=self.counts.counter,
            blocks=self.transcript.source.blocks,
            sources=self._bearing,
            waited=self._bearing.pause,
            stage=self.run.stage,
            births=self.run.births,
        )

    def _visit_of(self, call: Call, new: range, paused: Paused | None) -> Visit:
        bearing, strategy, visit = self._bearing, self.strategy, self._visit
        anchor = bearing.anchor(self.fold, call.anchor)
        stand_down = strategy.pin_limit > 0 and self.run.stands_down()
        self._case.visit(anchor, paused or bearing.paused(call), stand_down=stand_down)
        self.gate.visit()
        visit.call = call
        visit.anchor = anchor
        visit.new = new
        visit.now = bearing.now(call) if strategy.needs_time else None
        visit.reading = self.run.reading
        visit.events = bearing.events(call)
        return visit

    def _note(self, lines: tuple[DecisionLine, ...], visit: Visit) -> Moved:
        """Take note of a visit's decisions: what is in force now, and what left behind a notice."""
        new = recalled = 0
        left: list[str] = []
        self._in_force.note(lines)
        for line in lines:
            action = line.action
            if action in SAYING:
                continue
            new += 1
            if action == "trim" or action == "fold":
                left.append(line.item)
            elif action == "recall":
                recalled += 1
            elif action == "insert" and line.slot is not None:
                self.run.note_text(line.slot, visit.call.number - 1, visit.now)
        if left:
            for insert in self.fold.inserted():
                if insert.item in insert.text:
                    self.archive.extend_list(insert.item, left)
        return Moved(new, recalled, len(left))

    def _read(self, call: Call) -> None:
        """Take the figure of the last call as the strategy may see it: reported, or counted in its own window.

        Counted as 0 and 0 is nothing sent and nothing said; only a provider that reports so has not measured.
        """
        if self.counts.counter.label.name != REPORTED:
            counted = (self._sent[1], self.counts.tokens[call.at])
            self.run.reading = Reading(*counted, call.iteration) if any(counted) else None
        elif call.usage is not None:
            self.run.reading = Reading(call.usage.prompt, call.usage.output, call.iteration)

    def _require_readings(self) -> None:
        if not self.strategy.needs_reading or self.counts.explicit:
            return
        if not any(call.usage is not None for call in self.transcript.calls):
            raise CompactionUnmeasurableError(
                f"unmeasurable: {self.strategy.name} acts on reported tokens, and no call here has any",
                "--counter estimate accepts an estimate instead",
            )


def _visit_line(call: Call, facts: Facts, moved: Moved, sizes: tuple[int, int, int], broke_at: int | None) -> VisitLine:
    tokens_before, tokens_after, in_force = sizes
    return VisitLine(
        call.number,
        call.run,
        call.iteration,
        "+".join(facts.trigger),
        tokens_before,
        tokens_after,
        facts.limit,
        facts.target,
        moved.new,
        in_force,
        moved.recalled,
        facts.refusals,
        dict(facts.target_missed) if facts.target_missed else NOTHING,
        None if broke_at is None else broke_at // 2,
        {**facts.fields, **facts.results} if facts.fields else NO_FACTS,
    )
