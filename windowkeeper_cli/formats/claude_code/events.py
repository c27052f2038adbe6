"""Which removals did the harness record on a chain? Compactions and microcompactions, by the items around them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from typing import Any

from windowkeeper_cli.formats.claude_code.chain import BOUNDARY, MICRO_BOUNDARY
from windowkeeper_cli.formats.claude_code.entries import Sent
from windowkeeper_cli.formats.claude_code.lines import SYSTEM, USER, Line
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.model.block import ToolResult
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT as ROLE_ASSISTANT
from windowkeeper_cli.model.item import USER as ROLE_USER
from windowkeeper_cli.model.payload import item_id, payload


def events_of(chain: Sequence[Line], sent: Sent, names: Sequence[str]) -> tuple[Event, ...]:
    """Return the compactions and microcompactions that stand on the chain."""
    events: list[Event] = []
    for n, line in enumerate(chain):
        subtype = line.value.get("subtype") if line.kind == SYSTEM and line.value else None
        if subtype not in (BOUNDARY, MICRO_BOUNDARY):
            continue
        where = f"{names[line.origin.file]}:{line.origin.line}"
        before = sent.entries[: bisect(sent.places, line.pos)]
        call = 1 + sum(entry.role == ROLE_ASSISTANT for entry in before)
        if subtype == BOUNDARY:
            summary = next((after for after in chain[n + 1 :] if after.kind == USER), None)
            events.append(_compaction(line, summary, len(before), call, where))
        else:
            events.append(_microcompaction(line, before, call, where))
    return tuple(events)


def _compaction(line: Line, summary: Line | None, at: int, call: int, where: str) -> Event:
    facts = _facts(line, "compactMetadata")
    stands = summary if summary is not None and summary.summary else None
    blocks = stands.blocks if stands else ()
    trigger, size = facts.get("trigger"), facts.get("preTokens")
    return Event(
        kind="compaction",
        at=at,
        call=call,
        where=where,
        line=line.origin.line,
        trigger=trigger if isinstance(trigger, str) else None,
        pre_tokens=size if type(size) is int else None,
        summary=blocks,
        summary_id=item_id(payload(ROLE_USER, blocks)) if stands else None,
        summary_line=stands.origin.line if stands else None,
    )


def _microcompaction(line: Line, before: Sequence[Entry], call: int, where: str) -> Event:
    facts = _facts(line, "microcompactMetadata")
    named = facts.get("compactedToolIds")
    cleared = set(filter(lambda one: isinstance(one, str), named)) if isinstance(named, list) else set()
    trigger, size = facts.get("trigger"), facts.get("preTokens")
    return Event(
        kind="microcompaction",
        at=len(before),
        call=call,
        where=where,
        line=line.origin.line,
        trigger=trigger if isinstance(trigger, str) else None,
        pre_tokens=size if type(size) is int else None,
        cleared=tuple(
            at
            for at, entry in enumerate(before)
            if entry.blocks and type(entry.blocks[0]) is ToolResult and entry.blocks[0].id in cleared
        ),
    )


def _facts(line: Line, key: str) -> dict[str, Any]:
    facts = line.value.get(key) if line.value else None
    return facts if isinstance(facts, dict) else {}
