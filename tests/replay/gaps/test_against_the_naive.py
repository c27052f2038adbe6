"""The index against a finder that reads everything again at every call: fixtures, drawn sessions, real logs."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.generated import Case, Json, by_seed, cases, loaded
from tests.house import ROOT
from tests.naive_gaps import Naive
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.settings import ClearToolResults, Settings, SlidingTokens
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.gaps.finding import gaps_of
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.chars import count

KINDS = ("re-read", "identifier", "mention", "request-lost")
LOGS = ROOT.parent / "shared" / "sessions" / "claude-code"
MODEST = (
    "cc-microcompact-57calls.jsonl", "cc-images-9-mcp-82calls.jsonl", "cc-2.1.29-sonnet-88calls.jsonl",
    "cc-resume-after-exit-interrupt-38calls.jsonl", "cc-2.1.220-subagent-b.jsonl",
)  # fmt: skip
POLICIES = {
    "recorded": Settings(strategy="recorded"),
    "sliding-tokens": Settings(strategy="sliding-tokens", sliding_tokens=SlidingTokens(40_000)),
    "clear-tool-results": Settings(strategy="clear-tool-results", clear_tool_results=ClearToolResults(30_000)),
    "windowkeeper": replace(Settings(), budget=replace(Settings().budget, max=60_000, reserve=0)),
}


def same(transcript: Transcript, counted: Counts, settings: Settings) -> list[Gap]:
    """Hold both finders to the same gaps, and return them; a lost request's words are the reports' business."""
    fast = [
        gap._replace(use="") if gap.kind == "request-lost" else gap
        for gap in gaps_of(transcript, counted, settings, kinds=KINDS)
    ]
    naive = Naive(transcript, counted, settings).gaps
    assert fast == naive
    return fast


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=cases())
def test_awkward_sessions(case: Case) -> None:
    same(case.transcript, case.counts, case.settings)


@pytest.mark.parametrize("seed", range(40))
def test_awkward_sessions_by_seed(seed: int) -> None:
    case = by_seed(seed)
    same(case.transcript, case.counts, case.settings)


def working(r: random.Random) -> Json:
    """Return a session that reads, edits, runs and names a few files again and again, in ranges and with changes."""
    paths = ["src/auth/redis.ts", "src/pay/retry.ts", "docs/run-book.md", "lib/cache.py"]
    ids = ["deadbeef01", "JIRA-1234", "448211", "max_retry_count"]
    lines = {path: [f"{path} line {n} {r.choice(ids)} of the text" for n in range(1, 40)] for path in paths}
    messages: list[Json] = [{"role": "user", "content": f"Look at {r.choice(paths)} and {r.choice(ids)}"}]
    for number in range(r.randint(8, 40)):
        path, what = r.choice(paths), r.random()
        if what < 0.1:
            named = " ".join(r.sample(paths + ids, 2))
            messages.append({"role": "user", "content": f"Now {named}", "injected": r.random() < 0.2})
            continue
        if what < 0.6:
            start = r.choice((1, 1, 10, 25))
            args: Json = {"file_path": path, **({} if start == 1 else {"offset": start, "limit": 15})}
            body = "\n".join(f"{n:>5}\t{lines[path][n - 1]}" for n in range(start, 40 if start == 1 else start + 15))
            tool, text = "Read", body
        elif what < 0.75:
            place = r.randrange(39)
            tool, args = "Edit", {"file_path": path, "old_string": lines[path][place], "new_string": "changed"}
            if r.random() < 0.5:
                lines[path][place] = f"changed {number}"
            text = f"{path} was updated"
        elif what < 0.9:
            tool, args = "Bash", {"command": f"grep {r.choice(ids)} {r.choice(paths)}", "timeout": 120000}
            text = "\n".join(f"{r.choice(paths)}:{n}: {r.choice(ids)}" for n in range(1, r.randint(2, 30)))
        else:
            tool, args, text = "Write", {"file_path": path, "content": "new " * 9}, "ok"
        calls = [{"id": f"c{number}", "name": tool, "args": args}]
        messages.append(
            {"role": "assistant", "content": r.choice(("", f"See {path}", r.choice(ids))), "toolCalls": calls}
        )
        messages.append({"role": "tool", "toolCallId": f"c{number}", "content": text})
    return {"format": "windowkeeper/1", "messages": messages}


WORKING = [
    Settings(strategy="sliding-tokens", sliding_tokens=SlidingTokens(700)),
    Settings(strategy="clear-tool-results", clear_tool_results=ClearToolResults(600, keep=1)),
    replace(Settings(), budget=replace(Settings().budget, max=900, reserve=0, target=400)),
]


@pytest.mark.parametrize("settings", WORKING, ids=lambda one: one.strategy)
def test_sessions_that_go_back_to_files(settings: Settings) -> None:
    kinds: set[str] = set()
    addresses: set[str] = set()
    for seed in range(25):
        transcript = loaded(working(random.Random(f"working {seed}")))
        found = same(transcript, count(transcript, "4"), settings)
        kinds.update(gap.kind for gap in found)
        addresses.update(gap.address for gap in found)
    assert {"re-read", "identifier"} <= kinds and len(addresses) >= 1


@hypothesis_settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(r=st.randoms(use_true_random=False), settings=st.sampled_from(WORKING))
def test_drawn_sessions_that_go_back_to_files(r: random.Random, settings: Settings) -> None:
    transcript = loaded(working(r))
    same(transcript, count(transcript, "4"), settings)


@pytest.mark.skipif(not LOGS.is_dir(), reason="the real logs lie beside the project")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("log", MODEST)
def test_real_logs(log: str, policy: str) -> None:
    transcript = load(str(Path(LOGS) / log))
    same(transcript, counts(transcript, "auto"), POLICIES[policy])
