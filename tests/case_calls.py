"""Cases: do calls, batches, compactions and re-reads say what is expected?"""

from __future__ import annotations

import json
from typing import Any

from tests.case_values import Case, Seen, equal, subset
from windowkeeper_cli.formats import family
from windowkeeper_cli.model.item import Item


def check_compactions(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    found = [
        {
            "line": event.line,
            "trigger": event.trigger,
            "pre_tokens": event.pre_tokens,
            "summary_line": event.summary_line,
            "kind": event.kind,
            "call": event.call,
            "cleared": [seen.transcript.items[at].tool_call_id for at in event.cleared],
        }
        for event in seen.transcript.events
    ]
    if not any(one.get("kind") == "microcompaction" for one in expected):
        found = [one for one in found if one["kind"] == "compaction"]
    if len(found) != len(expected):
        return f"expected {len(expected)}, found {found!r}"
    problems = (subset(mine, value) for mine, value in zip(found, expected, strict=True))
    return next((problem for problem in problems if problem), None)


def check_repeated_reads(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    events = [event for event in seen.transcript.events if event.kind == "compaction"]
    found: list[dict[str, Any]] = []
    for event in events:
        before: dict[tuple[str, str | None], int] = {}
        for item in seen.transcript.items:
            for ref, line in _calls_with_lines(seen, item):
                key = (ref[0], ref[1])
                if item.at < event.at:
                    before.setdefault(key, line)
                elif key in before and ref[1] is not None:
                    found.append({"tool": ref[0], "arg": ref[1], "lines": [before[key], line]})
    return equal(found, expected)


def _calls_with_lines(seen: Seen, item: Item) -> list[tuple[tuple[str, str | None], int]]:
    made: list[tuple[tuple[str, str | None], int]] = []
    for ref in item.calls:
        if family(ref.name).name in ("read", "search", "find", "list", "fetch", "shell"):
            raw = [
                origin.line
                for origin, part in zip(item.origins, seen.transcript.source.raw(item.at).split(b"\n"), strict=False)
                if json.dumps(ref.id).encode() in part
            ]
            made.append(((ref.name, ref.resource), raw[0] if raw else item.origins[0].line))
    return made


def check_api_calls(seen: Seen, expected: Any, _case: Case) -> str | None:
    calls = seen.facts["calls"]
    wanted = {"main": expected} if isinstance(expected, int) else expected
    whole = calls | {"main": seen.transcript.log.main_calls}
    return subset(calls, wanted) and subset(whole, wanted) and subset(calls, wanted)


def check_records(seen: Seen, expected: int, _case: Case) -> str | None:
    """A record written twice is one or two: the objects in the files may be counted, or the distinct ones."""
    distinct, read = seen.transcript.log.records, sum(file.records for file in seen.transcript.files)
    return None if expected == read else equal(distinct, expected)


def check_distinct_records(seen: Seen, expected: int, _case: Case) -> str | None:
    return equal(seen.transcript.log.records, expected)


def check_ids_matched(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either how many calls have a result anywhere, or which."""
    asked = {ref.id for item in seen.transcript.items for ref in item.calls}
    found = sorted(asked & {result.id for _, result in seen.results})
    return equal(found, sorted(expected)) if isinstance(expected, list) else equal(len(found), expected)


def check_parallel_batches(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either how many there are, how large each is, or the call ids of each."""
    batches = [[ref.id for ref in item.calls] for item in seen.transcript.items if len(item.calls) > 1]
    if not isinstance(expected, list):
        return equal(len(batches), expected)
    lists = any(isinstance(one, list) for one in expected)
    return equal(batches if lists else [len(batch) for batch in batches], expected)


def check_unmeasured(seen: Seen, expected: Any, _case: Case) -> str | None:
    calls = [call.message_id for call in seen.transcript.calls if call.usage is None]
    return equal(calls if isinstance(expected, list) else len(calls), expected)


def check_prompt_tokens_per_call(seen: Seen, expected: list[Any], _case: Case) -> str | None:
    return equal([c.usage.prompt if c.usage else None for c in seen.transcript.calls], expected)


def check_misplaced(seen: Seen, expected: list[str], _case: Case) -> str | None:
    """A result is misplaced that stands in a later turn than its call, or before it.

    A log's result that stands before its call is placed behind it at load: it may be named, or not.
    """
    asked = {ref.id for item in seen.transcript.items for ref in item.calls}
    found = [*seen.facts["late"], *(ident for ident in seen.facts["orphans"] if ident in asked)]
    items = seen.transcript.items
    pairs = (
        (ident, items[call].origins[0], items[at].origins[0]) for (call, ident), at in seen.transcript.pairs.items()
    )
    early = [ident for ident, call, result in pairs if (result.file, result.line) < (call.file, call.line)]
    return None if sorted(expected) == sorted([*found, *early]) else equal(sorted(found), sorted(expected))
