"""Cases: do findings, usage, blocks, texts and records say what is expected?

One function a key: (what was loaded, the expected value, the case) -> what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.case_values import Case, Seen, camel, equal, shown, subset
from windowkeeper_cli.formats.content import KNOWN_OTHERS
from windowkeeper_cli.model.block import Other, Text, Think, ToolCall
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.finding import KINDS, Finding
from windowkeeper_cli.model.item import ASSISTANT, USER, Item
from windowkeeper_cli.report.info import sums

USAGE = {
    "uncached_input": "uncachedInput",
    "cache_write": "cacheWrite",
    "cache_read": "cacheRead",
    "prompt_total": "promptTotal",
    "output": "output",
    "reasoning_within_output": "reasoning",
}
FAULT_KEYS = ("line", "at", "file", "kind", "id")


def check_load(seen: Seen, expected: str, _case: Case) -> str | None:
    faults = [finding for finding in seen.transcript.findings if finding.is_fault]
    word = "warn" if faults else "ok"
    return None if word in expected.split("|") else f"expected {expected}, found {word} ({len(faults)} faults)"


def _matches(finding: Finding, fault: dict[str, Any], names: Iterable[str]) -> bool:
    """Return whether a finding names a fault's place, or a part of it, and is of its kind.

    The wording of kinds is free: one that is none of ours is not compared.
    """
    place = f":{fault.get('at', fault.get('line'))}"
    wheres = [finding.where.removeprefix(name) for name in names if name.endswith(str(fault.get("file", "")))]
    named = any(where == place or where.startswith((f"{place}.", f"{place}[")) for where in wheres)
    kinds = (finding.kind, *([] if fault.get("kind") in KINDS else [fault.get("kind")]))
    return named and fault.get("kind", finding.kind) in kinds and fault.get("id", finding.id) == finding.id


def _unknown_key(faults: list[dict[str, Any]]) -> str | None:
    unknown = [key for fault in faults for key in fault if key not in FAULT_KEYS]
    return f"{unknown[0]}: a key of a fault that this runner does not know" if unknown else None


def check_faults(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    left = [finding for finding in seen.transcript.findings if finding.is_fault]
    names = [str(path) for path in seen.paths]
    for fault in expected:
        match = next((finding for finding in left if _matches(finding, fault, names)), None)
        if match is None:
            return f"not named: {fault!r}; named: {[(f.kind, f.where, f.id) for f in left]}"
        left.remove(match)
    if unknown := _unknown_key(expected):
        return unknown
    return f"more than expected: {[(f.kind, f.where, f.text) for f in left]}" if left else None


def check_faults_at_most(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    names = [str(path) for path in seen.paths]
    for finding in seen.transcript.findings:
        if finding.is_fault and not any(_matches(finding, fault, names) for fault in expected):
            return f"{finding.kind} at {finding.where} is not in the list"
    return _unknown_key(expected)


def check_usage(seen: Seen, expected: dict[str, Any], _case: Case) -> str | None:
    """A figure may count the transcript's replies, or all of the file: a branch that was abandoned was paid for."""
    for thread, figures in expected.items():
        log = seen.transcript.log
        replies = [call.usage for call in seen.transcript.calls]
        counted = {"main": (replies, [log.main_usage]), "sidechain": ([log.side_usage],)}.get(thread, ())
        problems = [subset(_figures(usages), figures, lambda key: USAGE.get(key, key)) for usages in counted]
        if all(problems):
            return f"{thread}.{problems[0] if problems else 'a thread that is not known'}"
    return None


def _figures(usages: Iterable[Usage | None]) -> dict[str, Any]:
    """Return the sums of `info`, and what of the output was reasoning."""
    known = [usage for usage in usages if usage is not None]
    return {**(sums(known) or {}), "reasoning": sum(usage.reasoning for usage in known)}


def check_blocks_total(seen: Seen, expected: int, _case: Case) -> str | None:
    unknown = {kind.name for kind in seen.transcript.log.unknown_blocks}
    blocks = seen.facts["blocks"]
    total = sum(value for key, value in blocks.items() if key != "other")
    return equal(total + sum(n for name, n in blocks["other"].items() if name not in unknown), expected)


def check_sidechain_blocks(seen: Seen, expected: dict[str, int], _case: Case) -> str | None:
    return equal(dict(seen.transcript.log.side_blocks), {camel(key): value for key, value in expected.items()})


def check_text_after_load(seen: Seen, expected: dict[str, str], _case: Case) -> str | None:
    found = {
        "tool_result": [seen.first_text(item.at) for item, _ in seen.results],
        "first_prompt": [seen.first_text(item.at) for item in seen.prompts[:1]],
        "last_prompt": [seen.first_text(item.at) for item in seen.prompts[-1:]],
        "assistant_text": [seen.first_text(i.at) for i in seen.transcript.items if i.role == ASSISTANT],
        "system": [seen.first_text(i.at) for i in seen.transcript.items if i.role == "system"],
        "user_text": [seen.first_text(i.at) for i in seen.transcript.items if i.role == USER],
        "thinking": [b.text for b in seen.blocks() if isinstance(b, Think)],
        "tool_call": [b.args for b in seen.blocks() if isinstance(b, ToolCall)],
        "summary": [b.text for e in seen.transcript.events for b in e.summary if isinstance(b, Text)],
        **{result.id: [seen.first_text(item.at)] for item, result in seen.results},
    }
    for key, text in expected.items():
        if key not in found:
            return f"{key} is a place that this runner does not know"
        texts = [shown(one) for one in found[key]]
        if text not in texts:
            return f"{key}: expected {text!r}, found {texts!r}"
    return None


def check_text_of_results(seen: Seen, expected: dict[str, Any], _case: Case) -> str | None:
    for ident, text in expected.items():
        block = next((result for _, result in seen.results if result.id == ident), None)
        if block is None:
            return f"no result {ident}"
        texts = [shown(part.text) for part in block.content if isinstance(part, Text)]
        problem = equal(texts if isinstance(text, list) else "".join(texts), text)
        if problem:
            return f"{ident}: {problem}"
    return None


def check_images_in_results(seen: Seen, expected: dict[str, int], _case: Case) -> str | None:
    found = {
        result.id: sum(isinstance(part, Other) and "image" in part.kind for part in result.content)
        for _, result in seen.results
    }
    return subset(found, expected)


def check_unknown_records(seen: Seen, expected: dict[str, Any], _case: Case) -> str | None:
    found = {
        kind.name: {"count": kind.count, "lines": list(kind.lines)} for kind in seen.transcript.log.unknown_records
    }
    for name, value in expected.items():
        mine = found.get(name, {"count": 0, "lines": []})
        problem = subset(mine, value) if isinstance(value, dict) else equal(mine["count"], value)
        if problem:
            return f"{name}: {problem}"
    more = [name for name in found if name not in expected]
    return f"not expected: {more}" if more else None


def check_items_known(seen: Seen, expected: int, _case: Case) -> str | None:
    def known(item: Item) -> bool:
        blocks = seen.transcript.blocks(item.at)
        return any(not isinstance(block, Other) or block.kind in KNOWN_OTHERS for block in blocks)

    return equal(sum(known(item) for item in seen.transcript.items), expected)


def check_synthetic(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either how many there are, or how many and on which lines."""
    lines = list(seen.transcript.log.synthetic_lines)
    return subset(
        {"count": len(lines), "lines": lines}, expected if isinstance(expected, dict) else {"count": expected}
    )


def fact(*path: str) -> Callable[[Seen, Any, Case], str | None]:
    """Return the check that a figure of `info` equals the expected value."""

    def check(seen: Seen, expected: Any, _case: Case) -> str | None:
        value: Any = seen.facts
        for key in path:
            value = value[key]
        if isinstance(value, list) and isinstance(expected, int):
            value = len(value)
        if isinstance(value, list) and isinstance(expected, list):
            value, expected = sorted(value), sorted(expected)
        return equal(value, expected)

    return check
