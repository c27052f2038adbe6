"""How does the stream-json of Gemini CLI become entries? A reply is all that comes before a result or a message."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import made_call, result_content, type_name
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.listed import each_record
from windowkeeper_cli.formats.named import part_number
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.model.block import Block, Text, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, MODEL, PERSON, TOOL, USER, CallRef

SEEN = "no call has a mark of its own in a stream: a reply ends at the next result or message"
DISPLAYED = "results as they were displayed"


def read_stream(reading: Reading) -> Draft:
    """Return the entries of the stream's last session, or of the one that is asked for as a part."""
    found = Gathering(reading)
    parts: list[list[Message]] = []
    for record in each_record(reading.records):
        kind = record.value.get("type") if isinstance(record.value, dict) else None
        if kind == "init":
            parts.append([record])
        elif kind in ("message", "tool_use", "tool_result", "result", "error") and (parts or kind != "message"):
            if not parts:
                parts.append([])
            parts[-1].append(record)
        else:
            outside = f"{kind} outside of a session" if kind == "message" else type_name(record.value)
            found.unknown(outside, record.origin, record.place)
    return _Stream(found, parts).draft()


class _Stream:
    """Walks the events of one session; `grown` are those of the reply that grows, `pieces` its open text."""

    def __init__(self, found: Gathering, parts: list[list[Message]]) -> None:
        self.found = found
        self.parts = parts
        self.model: str | None = None
        self.closed = False
        self.grown: list[Message] = []
        self.blocks: list[Block] = []
        self.pieces: list[str] = []
        self.calls: list[tuple[CallRef, str | int]] = []

    def draft(self) -> Draft:
        """Return the draft of the session that is asked for; raise UsageError where there is no such one."""
        found, parts = self.found, self.parts
        found.parts = max(len(parts), 1)
        found.part = part_number(found.reading.part, found.parts)
        for part in parts[found.part - 1 : found.part]:
            for event in part:
                self._take(event)
        self._close()
        found.seen = f"{SEEN}; {DISPLAYED}"
        return found.draft()

    def _take(self, event: Message) -> None:
        value, kind = event.value, event.value["type"]
        if kind == "init":
            self.found.session, self.model = text_or_none(value, "session_id"), text_or_none(value, "model")
        elif kind == "result":
            self._total(value.get("stats"))
            self.closed = True
        elif kind == "message" and self.closed:
            self.found.unknown("message outside of a session", event.origin, event.place)
        elif kind == "tool_use" or (kind == "message" and value.get("role") == ASSISTANT):
            self._grow(event)
        elif kind in ("message", "tool_result"):
            self._close()
            self.found.add([_result(event) if kind == "tool_result" else _said(event)])

    def _grow(self, event: Message) -> None:
        """Add what the model said or asked for to its reply; pieces of one text are joined."""
        value = event.value
        self.grown.append(event)
        if value["type"] == "tool_use":
            self._end_text()
            call, ref = made_call(value.get("tool_id"), value.get("tool_name"), value.get("parameters"))
            self.blocks.append(call)
            self.calls.append((ref, event.place or event.origin.line))
            return
        if value.get("delta") is not True:
            self._end_text()
        self.pieces.append(value["content"] if isinstance(value.get("content"), str) else "")

    def _end_text(self) -> None:
        if self.pieces:
            self.blocks.append(Text("".join(self.pieces)))
            self.pieces = []

    def _close(self) -> None:
        """End the reply that grows, if one does."""
        if not self.grown:
            return
        self._end_text()
        kept = tuple(block for block in self.blocks if not (self.calls and block == Text("")))
        origins = tuple(dict.fromkeys(event.origin for event in self.grown))
        own = _entry(self.grown[0], ASSISTANT, kept, MODEL)
        refs, places = tuple(ref for ref, _ in self.calls), tuple(place for _, place in self.calls)
        reply = Reply(model=self.model)
        self.found.add([own._replace(origins=origins, calls=refs, call_places=places, reply=reply)])
        self.grown, self.blocks, self.calls = [], [], []

    def _total(self, stats: Any) -> None:
        """Keep the tokens of all calls together, which is all that a stream tells of them."""
        if isinstance(stats, dict):
            prompt, cached = figure(stats, "input_tokens"), figure(stats, "cached")
            if prompt:
                self.found.whole = Usage(max(0, prompt - cached), figure(stats, "output_tokens"), cached)


def _entry(event: Message, role: str, blocks: tuple[Block, ...], author: str) -> Entry:
    time = text_or_none(event.value, "timestamp")
    return Entry(role, blocks, (event.origin,), author, place=event.place, timestamp=time)


def _said(event: Message) -> Entry:
    return _entry(event, USER, result_content(event.value.get("content")), PERSON)._replace(request=True)


def _result(event: Message) -> Entry:
    """Return a result: its output, or what went wrong where there is none."""
    value = event.value
    output, error = value.get("output"), value.get("error")
    if output in (None, "") and isinstance(error, dict):
        output = error.get("message")
    ident, failed = text_or_none(value, "tool_id") or "", value.get("status") == "error"
    return _entry(event, TOOL, (ToolResult(ident, None, failed, result_content(output)),), TOOL)
