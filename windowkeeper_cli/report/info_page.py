"""The page and document of `info`: what was loaded, and what is odd about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.transcript import NamedPart, Transcript
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.report.envelope import bare_envelope, counter_facts, note, transcript_facts
from windowkeeper_cli.report.heading import STDIN, by_kind, finding_lines, format_name, moment, place, several
from windowkeeper_cli.report.sheet import (
    DETAIL,
    NUMBER,
    SHARE,
    STRONG,
    TEXT,
    WARN,
    WORD,
    Block,
    Cell,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Share,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import path_of

Facts = dict[str, Any]
MOST_TOOLS = 12
"""Tools that the page lists; the JSON document and the CSV file have all."""
MOST_PARTS = 50
BLOCK_WORDS = {
    "userText": "user text",
    "assistantText": "assistant text",
    "thinking": "thinking",
    "toolCall": "tool calls",
    "toolResult": "tool results",
    "system": "system",
    "summary": "summaries",
    "image": "images",
}


@dataclass(frozen=True, slots=True)
class Info:
    """The report `info` on one transcript; `facts` are the keys of the JSON shape."""

    typed: str
    transcript: Transcript
    facts: Facts
    counts: Counts
    words: tuple[str, ...] = ()
    columns: tuple[Column, ...] = field(
        default=(
            Column("tool", "tool", TEXT),
            Column("calls", "calls", NUMBER),
            Column("tokens", "tokens", NUMBER),
            Column("share", "share", SHARE),
            Column("errors", "errors", NUMBER),
            Column("repeats", "repeats", NUMBER),
        )
    )

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "info"

    @property
    def path(self) -> str:
        """Return the file that was read, the first of several."""
        return path_of(self.typed, self.transcript)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        return bare_envelope(
            "info",
            self.facts,
            transcript=transcript_facts(self.path, self.transcript),
            tokens=counter_facts(self.counts),
            notes=[note(finding) for finding in self.transcript.findings],
        )

    def table(self) -> Table:
        """Return one row for each tool."""
        return Table(self.columns, tuple(_tool_row(tool) for tool in self.facts["tools"]))

    def lines(self) -> None:
        """Return None: `info` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page."""
        blocks: list[Block] = [Lines(tuple(_loaded(self)))]
        tools = self.facts["tools"]
        if tools:
            rows = tuple(_tool_row(tool) for tool in tools[:MOST_TOOLS])
            more = f"; {len(tools) - MOST_TOOLS} more in -f json" if len(tools) > MOST_TOOLS else ""
            counted = f", tokens {self.counts.counter.label.sentence}"
            blocks.append(Table(self.columns, rows, f"tools that hold the most{counted}{more}"))
        if self.facts["events"]:
            blocks.append(_events(self.path, self.transcript, self.facts["events"]))
        if len(self.transcript.log.listed) > 1:
            blocks.append(_parts(self.path, self.transcript.log.listed))
        if self.facts["agents"]:
            blocks.append(_agents(self.path, self.facts["agents"]))
        if self.transcript.findings:
            blocks.append(_findings(self.path, self.transcript))
        return Sheet(
            tuple(blocks),
            next=() if self.typed == STDIN else tuple(self._next()),
        )

    def _next(self) -> Iterator[Command]:
        for name in ("explain", "dropped") if self.facts["events"] else ("explain",):
            yield Command(("windowkeeper", name, self.typed, *self.words))


def _loaded(info: Info) -> Iterator[Line]:
    facts, transcript = info.facts, info.transcript
    name: list[Part] = [(info.path,), (Marked(format_name(transcript), STRONG),)]
    if transcript.session:
        name.append(("session", transcript.session))
    if transcript.agent:
        name.append(("agent", transcript.agent))
    if transcript.log.parts > 1:
        name.append((f"part {transcript.log.part} of {transcript.log.parts} (--part N for another)",))
    yield Line("loaded", tuple(name))
    if facts["formatWhy"]:
        yield Line("because", ((facts["formatWhy"],),))
    for number, file in enumerate(facts["files"]):
        named: tuple[Part, ...] = () if file["path"] == info.path else ((file["path"],),)
        parts: tuple[Part, ...] = (
            *named,
            several(file["records"], "record"),
            several(file["bytes"], "byte"),
            ("sha256", file["sha256"]),
        )
        yield Line("" if number else "files" if len(facts["files"]) > 1 else "file", parts)
    yield Line("calls", tuple(_calls(facts)))
    yield Line("holds", tuple(_holds(facts)))
    yield Line("blocks", tuple(_blocks(facts["blocks"])))
    yield Line("tools", tuple(_pairs(facts)))
    yield from _usage(facts)
    if facts["models"]:
        yield Line("models", tuple((model,) for model in facts["models"]))
    unknown = facts["unknown"]
    for kind in ("records", "blocks"):
        if unknown[kind]:
            yield Line("unknown", ((kind,), *((name, count) for name, count in unknown[kind].items())))


def _calls(facts: Facts) -> Iterator[Part]:
    calls = facts["calls"]
    yield (calls["main"], "in this transcript")
    if calls["sidechain"]:
        yield (calls["sidechain"], "by subagents")
    if calls["unmeasured"]:
        yield (Marked(f"{calls['unmeasured']:,} without reported usage", WARN),)
    if facts["synthetic"]:
        count, noun = several(_count(facts["synthetic"]), "synthetic reply", "synthetic replies")
        yield (count, noun, "left out")


def _count(value: Any) -> int:
    return len(value) if isinstance(value, (list, tuple)) else int(value)


def _holds(facts: Facts) -> Iterator[Part]:
    for key, word in (("requests", "request"), ("userTurns", "user turn"), ("turns", "turn"), ("items", "item")):
        yield several(facts[key], word)


def _blocks(blocks: Facts) -> Iterator[Part]:
    for key, word in BLOCK_WORDS.items():
        if blocks.get(key):
            yield (blocks[key], word)
    for name, count in (blocks.get("other") or {}).items():
        yield (count, name)


def _pairs(facts: Facts) -> Iterator[Part]:
    yield (facts["toolPairs"], "calls with their result")
    for key, word in (
        ("unanswered", "unanswered"),
        ("orphans", "results without a call"),
        ("late", "answered late"),
        ("duplicates", "answered twice"),
    ):
        if facts[key]:
            yield (Marked(f"{_count(facts[key]):,} {word}", WARN),)
    if facts["pending"]:
        yield (_count(facts["pending"]), "pending at the end")


def _usage(facts: Facts) -> Iterator[Line]:
    usage = facts["usage"]
    for key, label in (("main", "usage"), ("sidechain", "subagents")):
        sums = usage[key]
        if sums and sums["promptTotal"]:
            yield Line(
                label,
                (
                    (
                        *("prompts", sums["promptTotal"], "=", sums["uncachedInput"], "uncached +"),
                        *(sums["cacheWrite"], "written +", sums["cacheRead"], "read from cache"),
                    ),
                    ("output", sums["output"]),
                ),
            )
    if facts["peakPromptTokens"] is not None:
        yield Line(
            "prompts",
            (("largest", facts["peakPromptTokens"]), ("last", facts["lastPromptTokens"]), ("(reported tokens)",)),
        )
    steps = facts["steps"]
    largest = steps.get("max") if steps else None
    if largest and largest["tokens"] is not None:
        yield Line(
            "steps",
            (
                ("median", steps["p50"]),
                ("95th percentile", steps["p95"]),
                ("largest", largest["tokens"], f"at call {largest['call']}"),
                ("(growth of the prompt from call to call)",),
            ),
        )


def _tool_row(tool: Facts) -> tuple[Cell, ...]:
    share = tool["share"]
    return (
        tool["tool"],
        tool["calls"],
        tool["tokens"],
        None if share is None else Share(share),
        tool["errors"],
        tool["repeats"],
    )


def _events(name: str, transcript: Transcript, events: list[Facts]) -> Table:
    calls = transcript.calls
    columns = (
        Column("call", "call", NUMBER),
        Column("time", "time of the call", WORD),
        Column("kind", "recorded event", WORD),
        Column("trigger", "trigger", WORD),
        Column("preTokens", "tokens before", NUMBER),
        Column("where", "where", DETAIL),
    )
    rows = tuple(
        (
            event["call"],
            moment(time) if event["call"] <= len(calls) and (time := calls[event["call"] - 1].time) else None,
            event["kind"],
            event["trigger"],
            event["preTokens"],
            place(name, event["where"]),
        )
        for event in events
    )
    return Table(columns, rows, "what the harness itself removed")


def _parts(name: str, parts: Sequence[NamedPart]) -> Table:
    columns = (Column("part", "part", NUMBER), Column("name", "name", WORD), Column("where", "where", DETAIL))
    rows = tuple((n, part.name, place(name, part.where)) for n, part in enumerate(parts[:MOST_PARTS], 1))
    more = f"; {len(parts) - MOST_PARTS:,} more" if len(parts) > MOST_PARTS else ""
    return Table(columns, rows, f"parts (--part N shows one){more}")


def _agents(name: str, agents: list[Any]) -> Table:
    columns = (Column("agent", "agent", WORD), Column("calls", "calls", NUMBER), Column("where", "where", DETAIL))
    rows = tuple((agent["agent"], agent["calls"], place(name, agent["where"])) for agent in agents)
    return Table(columns, rows, "subagents (--agent ID shows one)")


def _findings(name: str, transcript: Transcript) -> Lines:
    notes = finding_lines(name, transcript.findings, transcript.log.not_understood, transcript.log.lines)
    count = sum(len(group) for _, group in by_kind(transcript.findings))
    return Lines(notes, f"{count:,} finding{'s' if count != 1 else ''}")
