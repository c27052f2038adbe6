"""A recorded vector as a session: its messages as items, its visits as calls, its strategy as the policy says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from windowkeeper_cli.guards.pins import pin_candidates
from windowkeeper_cli.guards.window_turns import oldest_first
from windowkeeper_cli.model.block import Block, Text, ToolCall, ToolResult, units_of
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.errors import CompactionUnmeasurableError
from windowkeeper_cli.model.item import (
    ASSISTANT,
    HARNESS,
    MODEL,
    NOTICE_PREFIX,
    PERSON,
    SUMMARY_PREFIX,
    SYSTEM,
    TOOL,
    USER,
    CallRef,
    Item,
)
from windowkeeper_cli.model.ledger import Step, settled
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.model.reading import Reading
from windowkeeper_cli.model.settings import Pins, Settings, SlidingWindow, SummarizeOldest, TokenBudget
from windowkeeper_cli.model.transcript import Paused, Transcript
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.strategies.summarizer import SummarizerError
from windowkeeper_cli.tokens.chars import counter

Json = dict[str, Any]
RESULTS = {"evictions", "rebase", "budgetPressure", "folded"}


class Kept:
    """The blocks of the vector's messages, by position."""

    def __init__(self, blocks: list[tuple[Block, ...]]) -> None:
        self._blocks = blocks

    def blocks(self, at: int) -> tuple[Block, ...]:
        return self._blocks[at]

    def raw(self, at: int) -> bytes:
        raise NotImplementedError

    def measured(self, at: int, measure: object) -> None:  # noqa: ARG002
        return None


@dataclass
class Stub:
    """The vector's summarizer: one fixed answer, or a failure at every call; `calls` counts."""

    text: str
    fails: bool
    calls: int = 0

    def __call__(self, visit: object) -> tuple[str, str]:
        del visit
        self.calls += 1
        if self.fails:
            raise SummarizerError("the stub fails")
        return self.text, "stub"


def moment(milliseconds: float) -> str:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)).isoformat()


def batches(vector: Json) -> Iterator[Json | None]:
    yield vector["seed"]
    for visit in vector["visits"]:
        yield visit["append"]


def transcript_of(vector: Json) -> Transcript:
    """Return the transcript of everything that the vector seeds and appends; no item is an envelope."""
    items: list[Item] = []
    blocks: list[tuple[Block, ...]] = []
    turn = -1
    for batch in batches(vector):
        for message in batch["messages"] if batch else ():
            turn += message["role"] != TOOL or turn < 0
            made = blocks_of(message)
            blocks.append(made)
            items.append(item_of(message, made, len(items), turn, batch or {}))
    last = Call(len(vector["visits"]) + 1, len(items), 0, 0, -1)
    return Transcript(tuple(items), (), last, Kept(blocks), "vector")


def blocks_of(message: Json) -> tuple[Block, ...]:
    content = (Text(message["content"]),)
    if message["role"] == TOOL:
        return (ToolResult(message["toolCallId"] or "", message["toolName"], False, content),)
    return (*content, *(ToolCall(call["id"], call["name"], "{}") for call in message["toolCalls"]))


def item_of(message: Json, blocks: tuple[Block, ...], at: int, turn: int, batch: Json) -> Item:
    role = message["role"]
    framed = message["content"].startswith((NOTICE_PREFIX, SUMMARY_PREFIX))
    human = role == USER and not message["injected"] and not framed
    author = {TOOL: TOOL, ASSISTANT: MODEL, SYSTEM: HARNESS, USER: PERSON if human else HARNESS}[role]
    return Item(
        at=at, id=item_id(payload(role, blocks)), role=role, turn=turn, authored_by=author, request=human,
        units=units_of(message["content"]), tool_name=message["toolName"], tool_call_id=message["toolCallId"],
        resource=None, calls=tuple(CallRef(call["id"], call["name"], None) for call in message["toolCalls"]),
        answers=-1, is_error=False, pinned=False, task=False, tags=(), ttl_turns=None, effect=None,
        stage=batch["stage"], timestamp=moment(batch["bornAtMs"]), origins=(),
    )  # fmt: skip


def settings_of(vector: Json) -> Settings:
    """Return the policy that the vector's options amount to; an absent option keeps its default."""
    options, pins = vector["options"], vector["keepLastToolResults"]
    names = {"keepRecentTurns": "keep_recent_turns", "thresholdTokens": "threshold_tokens"}
    own = {field: options[name] for name, field in names.items() if name in options}
    limit = Pins() if pins is None else Pins(None if pins is False else pins)
    sections: dict[str, tuple[str, Any]] = {
        "sliding-window": ("sliding_window", SlidingWindow),
        "token-budget": ("token_budget", TokenBudget),
        "summarize-oldest": ("summarize_oldest", SummarizeOldest),
    }
    field, section = sections[vector["strategy"]]
    return replace(Settings(strategy=vector["strategy"], pins=limit), **{field: section(**own)})


class VectorSession:
    """Replays a vector visit by visit, and tells of each what the vector's `expected` names."""

    def __init__(self, vector: Json) -> None:
        self.vector = vector
        self.transcript = transcript_of(vector)
        options = vector["options"]
        self.summarizer = Stub(options.get("summaryText") or "", bool(options.get("summarizerFails")))
        settings = settings_of(vector)
        factory = STRATEGIES.module(vector["strategy"]).make
        if vector["strategy"] == "summarize-oldest":
            retain = options.get("retain", "conversation")
            strategy = factory(settings, summarizer=self.summarizer, model=options["model"], retain=retain)
        else:
            strategy = factory(settings)
        counts = Counts(tuple(item.units for item in self.transcript.items), counter("1"), explicit=True)
        self.session = Session(self.transcript, counts, settings, strategy=strategy)
        self.session.run.restore([
            (record["removedMessageCount"], any(r["reason"] == "last-tool-result" for r in record["refusals"]))
            for record in vector["priorRecords"]
        ])  # fmt: skip
        self.request = vector["request"]
        self.held = len(vector["seed"]["messages"])
        self.run = 1
        self.labels: dict[int, str] = {}
        self.warned: set[str] = set()

    def visits(self) -> Iterator[Json]:
        """Yield what each visit did, in the words of `expected`."""
        for number, visit in enumerate(self.vector["visits"]):
            if visit.get("newRun"):
                self.run += 1
                self.request = visit["newRun"]["request"]
            self.held += len(visit["append"]["messages"]) if visit["append"] else 0
            yield self.visit(number, visit)

    def visit(self, number: int, visit: Json) -> Json:
        session, fold = self.session, self.session.fold
        call = Call(number + 1, self.held, self.run, visit["iteration"], self.anchor(), time=moment(visit["nowMs"]))
        session.run.begin(call)
        self.read(visit["call"])
        fold.append(self.held)
        found = self.before(call.anchor)
        labels, messages = self.window(), fold.message_count
        paused = Paused(visit["pausedToolCallId"], visit["pausedCheckIn"]) if visit["pausedToolCallId"] else None
        asked = self.summarizer.calls
        try:
            step = session.visit(call, paused=paused)
        except CompactionUnmeasurableError as error:
            return {**found, "error": type(error).__name__, "engaged": False, "window": labels, "budgetPressure": None,
                    "warnings": []}  # fmt: skip
        for line in step.lines:
            if line.action == "insert" and line.slot is not None:
                self.labels[line.slot] = f"{line.stands}:{number}"
        found.update(error=None, engaged=step.visit is not None, window=self.window(), budgetPressure=None)
        found["warnings"] = self.warnings(visit, step)
        if step.visit is not None:
            found.update(self.after(step, labels, messages, self.summarizer.calls > asked))
        return found

    def anchor(self) -> int:
        """Return the latest request with the run's text, else the latest request."""
        standing = [item.at for item in self.transcript.items[: self.held] if item.request]
        equal = [at for at in standing if self.text(at) == self.request]
        return next(reversed(equal or standing), -1)

    def text(self, at: int) -> str:
        return "".join(block.text for block in self.transcript.blocks(at) if isinstance(block, Text))

    def read(self, call: Json | None) -> None:
        if call and call["input"] is not None and call["output"] is not None:
            self.session.run.reading = Reading(call["input"], call["output"], call["iteration"])

    def before(self, anchor: int) -> Json:
        """Return what is asked of the window before the strategy acts."""
        fold = self.session.fold
        turns = list(oldest_first(fold))
        index = {at: turn.message_index + n for turn in turns for n, at in enumerate(turn.items)}
        anchor = self.session.anchor_in_window(anchor)
        pins = pin_candidates(fold, anchor)
        return {
            "turns": [[turn.message_index, turn.length] for turn in turns],
            "currentRequestIndex": index.get(anchor, -1),
            "pinCandidates": [{"toolName": p.tool, "turnIndex": p.turn_index, "chars": p.units} for p in pins],
            "turnsBefore": fold.turn_count,
        }

    def window(self) -> list[int | str]:
        return [
            self.labels[turn.insert.slot] if turn.insert is not None else at
            for turn in oldest_first(self.session.fold)
            for at in (turn.items or (-1,))
        ]

    def warnings(self, visit: Json, step: Step) -> list[str]:
        """Return the warnings of the visit; the reference gives each once in an agent's life."""
        given = []
        call = visit["call"]
        reading = self.session.run.reading
        stale = reading is None or reading.iteration < visit["iteration"] - 1
        unusable = call is not None and (call["input"] is None or call["output"] is None)
        if self.session.strategy.needs_reading and stale and unusable:
            given.append("usage-missing")
        if step.visit is not None and any(r.reason == "summarizer-failed" for r in step.visit.refusals):
            given.append("summarizer-failed")
        new = [name for name in given if name not in self.warned]
        self.warned.update(new)
        return new

    def after(self, step: Step, labels: list[int | str], messages: int, asked: bool) -> Json:
        """Return what the record and the results of a visit that engaged say."""
        assert step.visit is not None
        facts = {key: settled(value) for key, value in step.visit.facts.items()}
        evictions: Any = facts["evictions"]
        gone = [entry["index"] for entry in evictions]
        after = self.window()
        pressure: Any = facts.get("budgetPressure")
        found: Json = {
            "removedIndices": gone,
            "removed": [labels[index] for index in gone],
            "removedStageIds": facts["removedStageIds"],
            "refusals": [
                {"reason": r.reason, "turnIndex": r.turn_index, "messageIndex": r.message_index}
                for r in step.visit.refusals
            ],
            "droppedObservations": facts.get("droppedObservations"),
            "observations": facts.get("observations"),
            "inserted": self.inserted(step, after),
            "windowCharsBefore": facts["windowCharsBefore"],
            "windowCharsAfter": facts["windowCharsAfter"],
            "turnsAfter": self.session.fold.turn_count,
            "recordFields": sorted({*facts, "iteration", "refusals"} - RESULTS),
            "evictions": [{key: e[key] for key in ("index", "contentHash", "survivalMs")} for e in evictions],
            "measuredTokens": facts.get("measuredTokens"),
            "summarizerCalled": asked,
            "summarizerSkipped": facts.get("summarizerSkipped", False),
            "summaryChars": facts.get("summaryChars"),
        }
        found["folded"] = [
            {"messageCount": s["messageCount"], "retained": s["retained"], "hasMessages": "items" in s,
             "removedStageIds": s["removedStageIds"]} for s in facts.get("folded", ())  # type: ignore[attr-defined]
        ]  # fmt: skip
        if pressure is not None:
            found["budgetPressure"] = {
                "cap": pressure["capTokens"], "projected": pressure["projectedTokens"],
                "overflowBy": pressure["overflowBy"], "planAction": pressure["planAction"], "unit": pressure["unit"],
            }  # fmt: skip
        assert messages == len(labels)
        return found

    def inserted(self, step: Step, after: list[int | str]) -> Json | None:
        for line in step.lines:
            if line.action == "insert" and line.slot is not None and line.text is not None:
                found: Json = {
                    "kind": line.stands,
                    "index": after.index(self.labels[line.slot]),
                    "chars": units_of(line.text),
                }
                if line.stands == "notice":
                    found.update(notice_says(line.text))
                return found
        return None


def notice_says(text: str) -> Json:
    """Return what a notice tells, read off its own words."""
    listed = text.split("Some are tool results (")[1].split("); where")[0] if "Some are tool results (" in text else ""
    names = [name for name in listed.split(", ") if name]
    more = bool(names) and names[-1] == "…"
    return {
        "saysRequestKept": "The request you are working on" in text,
        "namedTools": names[:-1] if more else names,
        "moreTools": more,
    }
