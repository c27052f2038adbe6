"""Summarize oldest: old turns are folded into one summary, triggered by the last reported input.

Source: agentfootprint 9.62.0, summarize-oldest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from dataclasses import dataclass

from windowkeeper_cli.guards.removal import Removal
from windowkeeper_cli.model.decision import Insert, Proposal, Refusal
from windowkeeper_cli.model.example import asks, calls, gives, session
from windowkeeper_cli.model.ledger import Late
from windowkeeper_cli.model.rule import Example, RuleText
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.drop import span_units, take_out, text_of_ours
from windowkeeper_cli.strategies.fnv import fnv1a
from windowkeeper_cli.strategies.options import require
from windowkeeper_cli.strategies.record import base, contents, observed, pressure, results, span_tools
from windowkeeper_cli.strategies.reference import pin_limit, reference_guards
from windowkeeper_cli.strategies.reference_texts import frame
from windowkeeper_cli.strategies.replacement_not_smaller import NOT_SMALLER
from windowkeeper_cli.strategies.strategy import Plain
from windowkeeper_cli.strategies.summarizer import MODELLED, Modelled, Summarizer, SummarizerError
from windowkeeper_cli.strategies.summarizer_failed import FAILED
from windowkeeper_cli.strategies.trigger import over_threshold

RULE = "summarizeOldest.thresholdTokens"
TEXT = RuleText(
    name="summarize-oldest",
    kind="strategy",
    what="Folds the oldest turns that may leave into a summary while the last reported input is over a threshold.",
    why="It is what most harnesses call compaction; offline the summary is the harness's own, or modelled by size.",
    key=RULE,
    source="agentfootprint 9.62.0",
    example=Example(
        transcript=session(asks("Check d1"), calls(1), gives(1), calls(2), gives(2), calls(3), gives(3)),
        policy={
            "strategy": "summarize-oldest",
            "summarizeOldest": {"thresholdTokens": 200, "keepRecentTurns": 1, "summaryTokens": 20},
            "pins": {"keepLastToolResults": False},
        },
        expect=("fold", 1),
    ),
)
READS = ("summarizeOldest", "pins")


@dataclass(frozen=True, slots=True)
class Folded:
    """What a fold came to; `units` is the length of the whole summary message, 0 where no text came back."""

    removed: Removal | None
    inserted: Insert | None
    refusals: tuple[Refusal, ...]
    units: int = 0
    tokens: int | None = None
    skipped: bool = False
    how: str = ""


class SummarizeOldest(Plain):
    """Engages while the current reading is over the threshold; never pays twice for a fold that was not smaller."""

    name = TEXT.name
    reads = READS
    needs_time = True
    anonymous = True
    settles = False
    known_faults = ("call-split", "lone-summary-wedge", "current-request-lost")
    needs_reading = True

    def __init__(
        self,
        settings: Settings,
        *,
        summarizer: Summarizer | None = None,
        model: str = MODELLED,
        retain: str = "conversation",
    ) -> None:
        own = settings.summarize_oldest
        ask: Summarizer = Modelled(own.summary_tokens) if summarizer is None else summarizer
        options = {
            "thresholdTokens": own.threshold_tokens,
            "summarizer": ask,
            "keepRecentTurns": own.keep_recent_turns,
            "model": model,
            "retain": retain,
        }
        require(self.name, "summarizeOldest", options)
        self.threshold = own.threshold_tokens or 0
        self.keep_recent = own.keep_recent_turns
        self.guards = reference_guards(settings.pins)
        self.pin_limit = pin_limit(settings.pins)
        self._ask = ask
        self._model = model
        self._retained = retain == "conversation"
        self._refused: set[bytes] = set()

    def plan(self, visit: Visit) -> Plan:
        """Fold one span where the reading is over the threshold, and file the record."""
        measured = over_threshold(visit, self.threshold)
        if measured is None:
            return None
        messages, units = visit.view.message_count, visit.view.units
        removal = visit.gate.plan_removal(self.keep_recent, not_a_lone_summary=True)
        tools = span_tools(visit, removal)
        folded = yield from self._fold(visit, removal)
        record = {
            **base(visit, self.name, folded.removed, units),
            **observed(removal, tools, left=folded.removed is not None),
            "measuredTokens": measured,
            "thresholdTokens": self.threshold,
            "overBudget": True,
            "summaryChars": folded.units,
        }
        if folded.tokens is not None:
            record["summarizerTokens"] = folded.tokens
        if folded.skipped:
            record["summarizerSkipped"] = True
        left = results(visit, folded.removed, folded.inserted, messages)
        left["folded"] = [self._span(visit, folded)] if folded.removed else []
        left.update(pressure(self.threshold, measured, "summarize" if folded.removed else "none"))
        return Facts(("tokens",), refusals=folded.refusals, fields=record, results=left)

    def _fold(self, visit: Visit, removal: Removal) -> Generator[Proposal, None, Folded]:
        if not removal.span:
            return Folded(None, None, removal.refusals)
        if self._refused and self._key(visit, removal) in self._refused:
            return Folded(None, None, (removal.refused(NOT_SMALLER), *removal.refusals), skipped=True)
        try:
            text, how = self._ask(visit)
        except SummarizerError:
            return Folded(None, None, (removal.refused(FAILED), *removal.refusals))
        tokens = visit.counter.text(text)
        whole = frame(removal.messages, visit.call.iteration, self._model, text, retained=self._retained)
        inserted = text_of_ours(visit, removal, "summary", whole, RULE)
        if inserted.units >= span_units(visit, removal):
            self._refused.add(self._key(visit, removal))
            refusals = (removal.refused(NOT_SMALLER), *removal.refusals)
            return Folded(None, None, refusals, inserted.units, tokens, how=how)
        yield from take_out(removal, "fold", RULE, inserted)
        return Folded(removal, inserted, removal.refusals, inserted.units, tokens, how=how)

    def _key(self, visit: Visit, removal: Removal) -> bytes:
        digest = hashlib.sha256()
        for turn in removal.span:
            for role, text in contents(visit, turn):
                digest.update(f"{role}:{text}\0".encode("utf-8", "surrogatepass"))
        return digest.digest()

    def _span(self, visit: Visit, folded: Folded) -> dict[str, object]:
        assert folded.removed is not None and folded.inserted is not None
        text = folded.inserted.text
        span: dict[str, object] = {
            "summaryFingerprint": Late(lambda: fnv1a(text)),
            "runId": visit.call.run,
            "iteration": visit.call.iteration,
            "foldedAtMs": visit.now,
            "model": self._model,
            "summary": folded.how,
            "messageCount": folded.removed.messages,
            "removedStageIds": base(visit, self.name, folded.removed, 0)["removedStageIds"],
            "retained": "conversation" if self._retained else "discard",
        }
        if self._retained:
            span["items"] = list(folded.removed.items)
        return span


make = SummarizeOldest
