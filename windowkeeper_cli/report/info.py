"""What does a transcript hold, in figures? The facts that the command `info` shows and the case runner checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT, SYSTEM
from windowkeeper_cli.model.transcript import Subagent, Transcript
from windowkeeper_cli.report.rank import rank

Facts = dict[str, Any]
BLOCK_KINDS = ("userText", "assistantText", "thinking", "toolCall", "toolResult", "system", "summary", "image")
_OTHERS = {
    "redacted_thinking": "thinking",
    "compaction": "summary",
    "compaction_summary": "summary",
    "context_compaction": "summary",
    "image": "image",
    "image_url": "image",
    "input_image": "image",
}


def info_facts(transcript: Transcript, counts: Counts | None = None) -> Facts:
    """Return the keys of the `info` shape, every one present; tokens of tools are None without `counts`."""
    log = transcript.log
    prompts = [call.usage.prompt for call in transcript.calls if call.usage is not None]
    requests = sum(item.request for item in transcript.items)
    return {
        "files": [
            {"path": file.path, "records": file.records, "bytes": file.bytes, "sha256": file.sha256}
            for file in transcript.files
        ],
        "formatWhy": transcript.format_why,
        "calls": {
            "main": len(transcript.calls),
            "sidechain": log.side_calls,
            "unmeasured": sum(call.usage is None for call in transcript.calls),
        },
        "requests": requests,
        "userTurns": requests,
        "turns": 1 + max((item.turn for item in transcript.items), default=-1),
        "items": len(transcript.items),
        "models": list(transcript.models),
        "usage": {
            "main": sums(call.usage for call in transcript.calls),
            "sidechain": sums([log.side_usage]),
        },
        "peakPromptTokens": max(prompts, default=None),
        "lastPromptTokens": prompts[-1] if prompts else None,
        "steps": _steps(transcript, counts),
        "blocks": _blocks(transcript),
        "toolPairs": len(transcript.pairs),
        "unanswered": _ids(transcript, "unanswered-tool-call"),
        "pending": pending_calls(transcript),
        "orphans": _ids(transcript, "orphan-tool-result"),
        "late": _ids(transcript, "late-tool-result"),
        "duplicates": _ids(transcript, "duplicate-tool-result"),
        "tools": _tools(transcript, counts),
        "events": [_event(event) for event in transcript.events],
        "agents": [_agent(agent) for agent in transcript.agents],
        "unknown": {
            "records": {kind.name: kind.count for kind in log.unknown_records},
            "blocks": {kind.name: kind.count for kind in log.unknown_blocks},
        },
        "synthetic": list(log.synthetic_lines),
    }


def pending_calls(transcript: Transcript) -> list[str]:
    """Return the ids of the last message's calls that have no result: they wait, which is no fault."""
    last = next((item for item in reversed(transcript.items) if not item.is_result), None)
    if last is None:
        return []
    return [ref.id for ref in last.calls if (last.at, ref.id) not in transcript.pairs]


def _ids(transcript: Transcript, kind: str) -> list[str]:
    return [finding.id or "" for finding in transcript.findings if finding.kind == kind]


def sums(usages: Iterable[Usage | None]) -> Facts | None:
    """Return the sums of the usages that are known, None where none is: unknown is never shown as 0."""
    known = [usage for usage in usages if usage is not None]
    if not known:
        return None
    return {
        "uncachedInput": sum(usage.input for usage in known),
        "cacheWrite": sum(usage.cache_write for usage in known),
        "cacheRead": sum(usage.cache_read for usage in known),
        "promptTotal": sum(usage.prompt for usage in known),
        "output": sum(usage.output for usage in known),
    }


def _steps(transcript: Transcript, counts: Counts | None) -> Facts:
    """Return by how much prompts grew from call to call: as reported, else as counted; shrinking ones are no steps."""
    grown = _reported_growth(transcript) or ([] if counts is None else _counted_growth(transcript, counts))
    if not grown:
        return {"p50": None, "p95": None, "max": None}
    tokens = sorted(step for _, step in grown)
    largest = max(grown, key=lambda pair: (pair[1], -pair[0]))
    return {
        "p50": rank(tokens, 50),
        "p95": rank(tokens, 95),
        "max": {"call": largest[0], "tokens": largest[1]},
    }


def _reported_growth(transcript: Transcript) -> list[tuple[int, int]]:
    grown: list[tuple[int, int]] = []
    before: int | None = None
    for call in transcript.calls:
        prompt = None if call.usage is None else call.usage.prompt
        if prompt is not None and before is not None and prompt >= before:
            grown.append((call.number, prompt - before))
        before = prompt
    return grown


def _counted_growth(transcript: Transcript, counts: Counts) -> list[tuple[int, int]]:
    pairs = zip(transcript.calls, transcript.calls[1:], strict=False)
    return [(after.number, sum(counts.tokens[before.at : after.at])) for before, after in pairs]


def _blocks(transcript: Transcript) -> Facts:
    counted: Facts = dict.fromkeys(BLOCK_KINDS, 0)
    other: dict[str, int] = {}
    for item in transcript.items:
        for block in transcript.blocks(item.at):
            kind = _kind(block, item.role)
            if kind in counted:
                counted[kind] += 1
            else:
                other[kind] = other.get(kind, 0) + 1
    counted["summary"] += sum(len(event.summary) for event in transcript.events)
    return {**counted, "other": other}


def _kind(block: Block, role: str) -> str:
    if isinstance(block, Text):
        return "system" if role == SYSTEM else "assistantText" if role == ASSISTANT else "userText"
    if isinstance(block, Other):
        return _OTHERS.get(block.kind, block.kind)
    if isinstance(block, Think):
        return "thinking"
    return "toolCall" if isinstance(block, ToolCall) else "toolResult"


@dataclass
class _Tool:
    """What one tool's calls came to."""

    calls: int = 0
    tokens: int = 0
    units: int = 0
    errors: int = 0
    repeats: int = 0
    seen: set[str] = field(default_factory=set)


def _tools(transcript: Transcript, counts: Counts | None) -> list[Facts]:
    """Return the tools by what their results hold; a repeat is a call with the arguments of an earlier one."""
    tools: dict[str, _Tool] = {}
    for item in transcript.items:
        for block in transcript.blocks(item.at):
            if isinstance(block, ToolCall):
                tool = tools.setdefault(block.name, _Tool())
                tool.calls += 1
                tool.repeats += block.args in tool.seen
                tool.seen.add(block.args)
            elif isinstance(block, ToolResult):
                tool = tools.setdefault(block.name or "", _Tool())
                tool.errors += block.error
                tool.units += item.units
                tool.tokens += 0 if counts is None else counts.tokens[item.at]
    total = 0 if counts is None else sum(counts.tokens)
    ordered = sorted(tools.items(), key=lambda pair: (-pair[1].tokens, -pair[1].units, pair[0]))
    return [
        {
            "tool": name or None,
            "calls": tool.calls,
            "tokens": None if counts is None else tool.tokens,
            "share": None if counts is None or not total else round(tool.tokens / total, 4),
            "errors": tool.errors,
            "repeats": tool.repeats,
        }
        for name, tool in ordered
    ]


def _agent(agent: Subagent) -> Facts:
    return {"agent": agent.id, "calls": agent.calls, "usage": sums([agent.usage]), "where": agent.where}


def _event(event: Event) -> Facts:
    return {
        "kind": event.kind,
        "call": event.call,
        "where": event.where,
        "trigger": event.trigger,
        "preTokens": event.pre_tokens,
        "summary": event.summary_id,
    }
