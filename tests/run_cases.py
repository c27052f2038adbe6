"""Do all cases of a folder hold? `python -m tests.run_cases FOLDER` says which do not, by case and key."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tests.case_calls as calls
import tests.case_contents as contents
import tests.case_order as order
from tests.case_replays import replay_failures
from tests.case_values import Case, Seen, camel, equal, subset
from tests.case_windows import window_failure
from windowkeeper_cli.formats import FORMATS, load
from windowkeeper_cli.model.errors import WindowkeeperError

WORDS = ("checks", "rule", "what")


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


CHECKS: dict[str, Callable[[Seen, Any, Case], str | None]] = {
    "load": contents.check_load,
    "faults": contents.check_faults,
    "faults_at_most": contents.check_faults_at_most,
    "records": calls.check_records,
    "distinct_records": calls.check_distinct_records,
    "api_calls": calls.check_api_calls,
    "usage": contents.check_usage,
    "peak_prompt_tokens": contents.fact("peakPromptTokens"),
    "last_prompt_tokens": contents.fact("lastPromptTokens"),
    "unmeasured_calls": calls.check_unmeasured,
    "prompts": lambda seen, expected, _: equal(len(seen.prompts), expected),
    "user_turns": lambda seen, expected, _: equal(len(seen.prompts), expected),
    "turns": contents.fact("turns"),
    "blocks_total": contents.check_blocks_total,
    "blocks": lambda seen, expected, _: subset(seen.facts["blocks"], expected, camel),
    "sidechain_blocks": contents.check_sidechain_blocks,
    "tool_pairs": contents.fact("toolPairs"),
    "unanswered_calls": contents.fact("unanswered"),
    "pending_calls": contents.fact("pending"),
    "orphan_results": contents.fact("orphans"),
    "duplicate_results": contents.fact("duplicates"),
    "misplaced_results": calls.check_misplaced,
    "error_results": lambda seen, expected, _: equal([r.id for _, r in seen.results if r.error], expected),
    "ids_matched": calls.check_ids_matched,
    "text_after_load": contents.check_text_after_load,
    "text_of_results": contents.check_text_of_results,
    "images_in_results": contents.check_images_in_results,
    "unknown_blocks": contents.fact("unknown", "blocks"),
    "unknown_records": contents.check_unknown_records,
    "items_known": contents.check_items_known,
    "synthetic_messages": contents.check_synthetic,
    "models": contents.fact("models"),
    "compactions": calls.check_compactions,
    "repeated_reads_after_compaction": calls.check_repeated_reads,
    "also_alone": check_other_load("also_alone"),
    "together": check_other_load("together"),
    "with_subagents": check_other_load("with_subagents"),
    "parallel_batches": calls.check_parallel_batches,
    "prompt_tokens_per_call": calls.check_prompt_tokens_per_call,
    "call_order": lambda seen, expected, _: equal([c.message_id for c in seen.transcript.calls], expected),
    "identical_items": order.check_identical_items,
    "same_role_runs": order.check_same_role_runs,
    "strict_alternation_would_reject": order.check_alternation,
    "first_time_utc": order.check_time(0),
    "last_time_utc": order.check_time(-1),
    "duration_seconds": order.check_duration,
    "local_day_of_prompt": order.check_local_day,
    "estimated_tokens_of_result_at_most": order.check_estimate,
    "provider_would_reject": order.check_provider,
    "must_leave_together": check_leave_together,
    "replay": check_replay,
    "recorded_window_at_call": lambda seen, expected, _: window_failure(seen.transcript, expected),
}


def check_expectations(seen: Seen, expected: dict[str, Any], case: Case) -> None:
    """Check every key; a key that is not known fails the case by its name."""
    for key, value in expected.items():
        if key in CHECKS:
            try:
                problem = CHECKS[key](seen, value, case)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                problem = f"a value in a shape that this runner does not know: {value!r} ({error!r})"
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
                for one in part if isinstance(part, list) else [part]:
                    if not _named(message, name, one):
                        case.failures.append(f"error_names.{name}: {one!r} is not in {message!r}")
        elif key == "faults":
            for fault in value:
                if "line" in fault and not _named(message, "line", fault["line"]):
                    case.failures.append(f"faults: line {fault['line']} is not in {message!r}")
        elif key == "exit_code":
            good = code != 0 if value == "not 0" else code == value
            if not good:
                case.failures.append(f"exit_code: expected {value}, found {code}")
        elif key not in ("load", *WORDS):
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
