"""Do all cases of a folder hold? `python -m tests.run_cases FOLDER` says which do not, by case and key."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from importlib.util import find_spec
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tests.case_replays import replay_failures
from tests.case_windows import window_failure
from windowkeeper_cli.formats import FORMATS, family, load
from windowkeeper_cli.formats.content import KNOWN_OTHERS
from windowkeeper_cli.model.block import Block, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import ASSISTANT, PERSON, USER, Item
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.report.info import info_facts, sums

LATER = ("provider_would_reject",)
"""Keys that belong to issues to come; they are named, and not counted as passed or failed."""
WORDS = ("checks", "rule", "what")
USAGE = {
    "uncached_input": "uncachedInput",
    "cache_write": "cacheWrite",
    "cache_read": "cacheRead",
    "prompt_total": "promptTotal",
    "output": "output",
}
Failure = str


def camel(name: str) -> str:
    """Return a snake-case name as JSON keys have it."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def shown(text: str) -> str:
    """Return a text as it is written out: half of a surrogate pair is U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


@dataclass
class Case:
    """One case: its folder, its line, and what came of it."""

    folder: Path
    line: dict[str, Any]
    failures: list[Failure] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """Return the case's file."""
        return self.folder / str(self.line["file"])

    @property
    def also(self) -> list[Path]:
        """Return the further files of the case."""
        return [self.folder / name for name in self.line.get("also", ())]


@dataclass
class Seen:
    """A loaded transcript, and the figures that checks ask for."""

    transcript: Transcript
    paths: list[Path]

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Return the figures of the command `info`."""
        return info_facts(self.transcript)

    @property
    def results(self) -> list[tuple[Item, ToolResult]]:
        """Return the tool results in order."""
        pairs = ((item, self.transcript.blocks(item.at)) for item in self.transcript.items if item.is_result)
        return [(item, blocks[0]) for item, blocks in pairs if isinstance(blocks[0], ToolResult)]

    @property
    def prompts(self) -> list[Item]:
        """Return the messages that a person typed."""
        return [item for item in self.transcript.items if item.request and item.authored_by == PERSON]

    def first_text(self, at: int) -> str:
        """Return the texts of an item, joined."""
        parts: list[str] = []
        for block in self.transcript.blocks(at):
            if isinstance(block, Text):
                parts.append(block.text)
            elif isinstance(block, ToolResult):
                parts.extend(part.text for part in block.content if isinstance(part, Text))
        return "".join(parts)

    def blocks(self) -> list[Block]:
        """Return all blocks in order."""
        return [block for item in self.transcript.items for block in self.transcript.blocks(item.at)]

    def times(self) -> list[str]:
        """Return the items' times in order."""
        return [item.timestamp for item in self.transcript.items if item.timestamp]


def equal(found: Any, expected: Any) -> str | None:
    """Return what differs, None where nothing does."""
    return None if found == expected else f"expected {expected!r}, found {found!r}"


def subset(found: dict[str, Any], expected: dict[str, Any], rename: Callable[[str], str] = str) -> str | None:
    """Return what differs among the keys that are expected."""
    for key, value in expected.items():
        problem = equal(found.get(rename(key)), value)
        if problem:
            return f"{key}: {problem}"
    return None


# ---- one function a key: (what was loaded, the expected value, the case) -> what is wrong


def check_load(seen: Seen, expected: str, _case: Case) -> str | None:
    faults = [finding for finding in seen.transcript.findings if finding.is_fault]
    word = "warn" if faults else "ok"
    return None if word in expected.split("|") else f"expected {expected}, found {word} ({len(faults)} faults)"


def _matches(finding: Finding, fault: dict[str, Any], names: Iterable[str]) -> bool:
    place = fault.get("at", fault.get("line"))
    named = any(finding.where == f"{name}:{place}" for name in names)
    return named and fault.get("kind", finding.kind) == finding.kind and fault.get("id", finding.id) == finding.id


def check_faults(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    left = [finding for finding in seen.transcript.findings if finding.is_fault]
    names = [str(path) for path in seen.paths]
    for fault in expected:
        match = next((finding for finding in left if _matches(finding, fault, names)), None)
        if match is None:
            return f"not named: {fault!r}; named: {[(f.kind, f.where, f.id) for f in left]}"
        left.remove(match)
    return f"more than expected: {[(f.kind, f.where, f.text) for f in left]}" if left else None


def check_faults_at_most(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    names = [str(path) for path in seen.paths]
    for finding in seen.transcript.findings:
        if finding.is_fault and not any(_matches(finding, fault, names) for fault in expected):
            return f"{finding.kind} at {finding.where} is not in the list"
    return None


def check_usage(seen: Seen, expected: dict[str, Any], case: Case) -> str | None:
    """A figure may count the transcript's replies, or all of the file: a branch that was abandoned was paid for."""
    for thread, figures in expected.items():
        known = {key: value for key, value in figures.items() if key in USAGE}
        counted = [seen.facts["usage"].get(camel(thread))]
        if thread == "main":
            counted.append(sums([seen.transcript.log.main_usage]))
        problems = [subset(found or {}, known, USAGE.__getitem__) for found in counted]
        if all(problems):
            return f"{thread}.{problems[0]}"
        for key in figures:
            if key not in USAGE:
                case.unchecked.append(f"usage.{thread}.{key} (a figure of formats to come)")
    return None


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


def check_synthetic(seen: Seen, expected: dict[str, Any], _case: Case) -> str | None:
    lines = list(seen.transcript.log.synthetic_lines)
    return subset({"count": len(lines), "lines": lines}, expected)


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
    return equal(seen.transcript.log.records, expected)


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
    """A result is misplaced that stands in a later turn than its call, or before it."""
    asked = {ref.id for item in seen.transcript.items for ref in item.calls}
    found = [*seen.facts["late"], *(ident for ident in seen.facts["orphans"] if ident in asked)]
    return equal(sorted(found), sorted(expected))


def check_identical_items(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either the groups of places with one id, how many groups, or how many items are in them."""
    by_id: dict[str, list[Item]] = {}
    for item in seen.transcript.items:
        by_id.setdefault(item.id, []).append(item)
    groups = [group for group in by_id.values() if len(group) > 1]
    if isinstance(expected, int):
        members = sum(len(group) for group in groups)
        return None if expected in (len(groups), members, members - len(groups)) else equal(len(groups), expected)
    return equal([[_place(seen, item) for item in group] for group in groups], expected)


def _place(seen: Seen, item: Item) -> Any:
    lines = {one.origins[0].line for one in seen.transcript.items}
    return item.origins[0].line if len(lines) > 1 else item.at


def message_roles(seen: Seen) -> list[str]:
    """Return the roles of the messages as the file has them; a log's results go back as user messages, joined."""
    if seen.transcript.format != "claude-code":
        value = json.loads(seen.paths[0].read_bytes())
        messages = value["messages"] if isinstance(value, dict) else value
        return [str(message.get("role")) for message in messages]
    roles: list[str] = []
    for item in seen.transcript.items:
        role = USER if item.is_result else item.role
        if not (role == USER and roles and roles[-1] == USER):
            roles.append(role)
    return roles


def check_same_role_runs(seen: Seen, expected: Any, _case: Case) -> str | None:
    """Either how many runs of one role there are, or the role and length of each."""
    runs = [[role, len(list(group))] for role, group in groupby(message_roles(seen))]
    long = [run for run in runs if run[1] != 1]
    return equal(long if isinstance(expected, list) else len(long), expected)


def check_alternation(seen: Seen, expected: bool, _case: Case) -> str | None:
    """Strict templates want user and assistant in turn; system and tool messages do not count."""
    roles = [role for role in message_roles(seen) if role in (USER, ASSISTANT)]
    return equal(any(one == two for one, two in pairwise(roles)), expected)


def _utc(time: str) -> datetime:
    moment = datetime.fromisoformat(time)
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))


def check_time(which: int) -> Callable[[Seen, str, Case], str | None]:
    def check(seen: Seen, expected: str, _case: Case) -> str | None:
        moments = sorted(_utc(time) for time in seen.times())
        if not moments:
            return "no item has a time"
        return equal(moments[which], _utc(expected))

    return check


def check_duration(seen: Seen, expected: float, _case: Case) -> str | None:
    moments = sorted(_utc(time) for time in seen.times())
    return equal((moments[-1] - moments[0]).total_seconds() if moments else None, float(expected))


def check_local_day(seen: Seen, expected: dict[str, Any], _case: Case) -> str | None:
    for zone, days in expected.items():
        try:
            place = ZoneInfo(zone)
        except (ZoneInfoNotFoundError, ValueError):
            return f"no time zone {zone!r} on this machine"
        times = [item.timestamp for item in seen.prompts if item.timestamp]
        found = [_utc(time).astimezone(place).date().isoformat() for time in times]
        problem = equal(found if isinstance(days, list) else next(iter(found), None), days)
        if problem:
            return f"{zone}: {problem}"
    return None


def check_estimate(seen: Seen, expected: Any, _case: Case) -> str | None:
    from windowkeeper_cli.tokens import counts

    tokens = counts(seen.transcript, "estimate").tokens
    found = {result.id: tokens[item.at] for item, result in seen.results}
    limits = expected if isinstance(expected, dict) else dict.fromkeys(found, expected)
    for ident, limit in limits.items():
        if ident not in found:
            return f"no result {ident}"
        if found[ident] > limit:
            return f"{ident}: {found[ident]} tokens, at most {limit}"
    return None


def check_replay(seen: Seen, expected: list[dict[str, Any]], _case: Case) -> str | None:
    found = [f"[{n}] {problem}" for n, one in enumerate(expected) for problem in replay_failures(seen.transcript, one)]
    return "; ".join(found) or None


def check_leave_together(seen: Seen, expected: list[list[str]], case: Case) -> str | None:
    """Under every policy of the case's replays, and the smallest sliding window."""
    policies = [one["policy"] for one in case.line["expect"].get("replay", ())]
    policies.append({"strategy": "sliding-window", "keep_recent_turns": 1})
    return check_replay(seen, [{"policy": policy, "must_leave_together": expected} for policy in policies], case)


def check_other_load(kind: str) -> Callable[[Seen, dict[str, Any], Case], str | None]:
    """Return the check of the same values for the `also` files, for all files, or with the subagents' files."""

    def check(_seen: Seen, expected: dict[str, Any], case: Case) -> str | None:
        files = {
            "also_alone": case.also,
            "together": [case.path, *case.also],
            "with_subagents": _with_agents(case),
        }[kind]
        first, *more = files
        transcript = load(str(first), also=[str(path) for path in more], from_=case.line["format"])
        inner = Case(case.folder, case.line)
        check_expectations(Seen(transcript, files), expected, inner)
        case.unchecked.extend(inner.unchecked)
        return "; ".join(inner.failures) or None

    return check


def _with_agents(case: Case) -> list[Path]:
    beside = case.path.parent / case.path.stem / "subagents"
    found = [*sorted(beside.glob("*.jsonl")), *sorted(case.path.parent.glob("agent-*.jsonl"))]
    return [case.path, *case.also, *(path for path in found if path not in case.also)]


def fact(*path: str) -> Callable[[Seen, Any, Case], str | None]:
    """Return the check that a figure of `info` equals the expected value."""

    def check(seen: Seen, expected: Any, _case: Case) -> str | None:
        value: Any = seen.facts
        for key in path:
            value = value[key]
        if isinstance(value, list) and isinstance(expected, int):
            value = len(value)
        return equal(value, expected)

    return check


CHECKS: dict[str, Callable[[Seen, Any, Case], str | None]] = {
    "load": check_load,
    "faults": check_faults,
    "faults_at_most": check_faults_at_most,
    "records": check_records,
    "distinct_records": check_records,
    "api_calls": check_api_calls,
    "usage": check_usage,
    "peak_prompt_tokens": fact("peakPromptTokens"),
    "last_prompt_tokens": fact("lastPromptTokens"),
    "unmeasured_calls": check_unmeasured,
    "prompts": lambda seen, expected, _: equal(len(seen.prompts), expected),
    "user_turns": lambda seen, expected, _: equal(len(seen.prompts), expected),
    "turns": fact("turns"),
    "blocks_total": check_blocks_total,
    "blocks": lambda seen, expected, _: subset(seen.facts["blocks"], expected, camel),
    "sidechain_blocks": check_sidechain_blocks,
    "tool_pairs": fact("toolPairs"),
    "unanswered_calls": fact("unanswered"),
    "pending_calls": fact("pending"),
    "orphan_results": fact("orphans"),
    "duplicate_results": fact("duplicates"),
    "misplaced_results": check_misplaced,
    "error_results": lambda seen, expected, _: equal([r.id for _, r in seen.results if r.error], expected),
    "ids_matched": lambda seen, expected, _: equal(
        len({ref.id for i in seen.transcript.items for ref in i.calls} & {r.id for _, r in seen.results}), expected
    ),
    "text_after_load": check_text_after_load,
    "text_of_results": check_text_of_results,
    "images_in_results": check_images_in_results,
    "unknown_blocks": fact("unknown", "blocks"),
    "unknown_records": check_unknown_records,
    "items_known": check_items_known,
    "synthetic_messages": check_synthetic,
    "models": fact("models"),
    "compactions": check_compactions,
    "repeated_reads_after_compaction": check_repeated_reads,
    "also_alone": check_other_load("also_alone"),
    "together": check_other_load("together"),
    "with_subagents": check_other_load("with_subagents"),
    "parallel_batches": check_parallel_batches,
    "prompt_tokens_per_call": check_prompt_tokens_per_call,
    "call_order": lambda seen, expected, _: equal([c.message_id for c in seen.transcript.calls], expected),
    "identical_items": check_identical_items,
    "same_role_runs": check_same_role_runs,
    "strict_alternation_would_reject": check_alternation,
    "first_time_utc": check_time(0),
    "last_time_utc": check_time(-1),
    "duration_seconds": check_duration,
    "local_day_of_prompt": check_local_day,
    "estimated_tokens_of_result_at_most": check_estimate,
    "must_leave_together": check_leave_together,
    "replay": check_replay,
    "recorded_window_at_call": lambda seen, expected, _: window_failure(seen.transcript, expected),
}


def check_expectations(seen: Seen, expected: dict[str, Any], case: Case) -> None:
    """Check every key; a key that is not known fails the case by its name."""
    for key, value in expected.items():
        if key in LATER:
            case.unchecked.append(f"{key} (not checked yet)")
        elif key in CHECKS:
            problem = CHECKS[key](seen, value, case)
            if problem:
                case.failures.append(f"{key}: {problem}")
        elif key not in WORDS:
            case.failures.append(f"{key}: a key that this runner does not know")


def check_error(case: Case, expected: dict[str, Any]) -> None:
    """Check a case that must not load: the message names what it should, and the command's exit code."""
    message, code = _outcome(case)
    if message is None:
        case.failures.append("load: expected an error, and it loaded")
        return
    for key, value in expected.items():
        if key == "error_names":
            for name, part in value.items():
                if not _named(message, name, part):
                    case.failures.append(f"error_names.{name}: {part!r} is not in {message!r}")
        elif key == "exit_code":
            good = code != 0 if value == "not 0" else code == value
            if not good:
                case.failures.append(f"exit_code: expected {value}, found {code}")
        elif key not in ("load", *WORDS, "faults"):
            case.failures.append(f"{key}: a key that this runner does not know for a load that fails")


def _named(message: str, name: str, part: Any) -> bool:
    if name in ("line", "column"):
        return re.search(rf"(?<![0-9]){part}(?![0-9])", message.rpartition("/")[2]) is not None
    return str(part) in message


def _outcome(case: Case) -> tuple[str | None, int]:
    """Return the error's message and exit code: through the command line where there is one."""
    if find_spec("windowkeeper_cli.cli") and find_spec("windowkeeper_cli.cli.info"):
        command = [sys.executable, "-m", "windowkeeper_cli", "info", str(case.path), "-f", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.stdout.strip():
            case.failures.append("load: something reached standard output")
        return (done.stderr if done.returncode else None), done.returncode
    try:
        load(str(case.path))
    except WindowkeeperError as error:
        return str(error), error.exit_code
    return None, 0


def run(case: Case) -> None:
    """Check one case."""
    expected = case.line["expect"]
    if expected.get("load") == "error":
        check_error(case, expected)
        return
    try:
        transcript = load(str(case.path))
    except WindowkeeperError as error:
        case.failures.append(f"load: {error}")
        return
    if transcript.format != case.line["format"]:
        case.failures.append(f"format: expected {case.line['format']}, found {transcript.format}")
    check_expectations(Seen(transcript, [case.path]), expected, case)


def main(arguments: list[str]) -> int:
    """Run every case of the folder; return 1 where one failed."""
    if len(arguments) != 1:
        print("usage: python -m tests.run_cases FOLDER", file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    passed = failed = later = 0
    for text in (folder / "cases.jsonl").read_text("utf-8").split("\n"):
        if not text.strip():
            continue
        case = Case(folder, json.loads(text))
        name = case.line["id"]
        if case.line["format"] not in (*FORMATS.names, "none"):
            later += 1
            print(f"{name}: not checked, the format {case.line['format']} belongs to a later issue")
            continue
        run(case)
        for key in case.unchecked:
            print(f"{name}: not checked: {key}")
        for failure in case.failures:
            print(f"FAILED {name} ({case.line['file']}): {failure}")
        failed += bool(case.failures)
        passed += not case.failures
    if later:
        print(f"{later} not checked")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
