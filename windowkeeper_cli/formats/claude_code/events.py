"""Which removals did the harness record on a chain? Compactions and microcompactions, by the items around them."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from windowkeeper_cli.formats.claude_code.chain import MICRO_BOUNDARY, removals
from windowkeeper_cli.formats.claude_code.entries import Sent
from windowkeeper_cli.formats.claude_code.lines import USER, Line
from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.model.block import ToolResult
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT as ROLE_ASSISTANT
from windowkeeper_cli.model.item import USER as ROLE_USER
from windowkeeper_cli.model.payload import item_id, payload


def events_of(chain: Sequence[Line], sent: Sent, names: Sequence[str]) -> tuple[Event, ...]:
    """Return the compactions and microcompactions that stand on the chain."""
    marks = removals(chain)
    if not any(marks):
        return ()
    replies = list(accumulate(entry.role == ROLE_ASSISTANT for entry in sent.entries))
    results = _results(sent.entries)
    events: list[Event] = []
    following: Line | None = None
    for line, mark in zip(reversed(chain), reversed(marks), strict=True):
        following = line if line.kind == USER else following
        if mark:
            at = bisect(sent.places, line.pos)
            call = 1 + (replies[at - 1] if at else 0)
            where = f"{names[line.origin.file]}:{line.origin.line}"
            if mark == MICRO_BOUNDARY:
                events.append(_microcompaction(line, results, at, call, where))
            else:
                events.append(_compaction(line, following, at, call, where))
    return tuple(reversed(events))


def _results(entries: Sequence[Entry]) -> dict[str, list[int]]:
    """Return the positions of the results by the id of their call."""
    found: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        if entry.blocks and type(entry.blocks[0]) is ToolResult:
            found.setdefault(entry.blocks[0].id, []).append(at)
    return found


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


def _microcompaction(line: Line, results: dict[str, list[int]], at: int, call: int, where: str) -> Event:
    facts = _facts(line, "microcompactMetadata")
    named = facts.get("compactedToolIds")
    idents = {ident for ident in named if isinstance(ident, str)} if isinstance(named, list) else set()
    trigger, size = facts.get("trigger"), facts.get("preTokens")
    return Event(
        kind="microcompaction",
        at=at,
        call=call,
        where=where,
        line=line.origin.line,
        trigger=trigger if isinstance(trigger, str) else None,
        pre_tokens=size if type(size) is int else None,
        cleared=tuple(sorted(place for ident in idents for place in results.get(ident, ()) if place < at)),
    )


def _facts(line: Line, key: str) -> dict[str, Any]:
    facts = line.value.get(key) if line.value else None
    return facts if isinstance(facts, dict) else {}
