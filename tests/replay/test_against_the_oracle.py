"""The engine and the naive reference engine write the same ledger and the same meters, on whatever comes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings

from tests import oracle
from tests.generated import Case, by_seed, cases
from tests.sessions import asks, calls, gives, policy, ran, round_of, session
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.example import Message
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.replay.session import Session

SEEDS, CHUNK = 240, 20
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""Not shrinking: a drawn session shrinks for minutes, and its policy and first differing call tell enough."""


def engine(transcript: Transcript, counts: Counts, settings: Settings) -> list[Any]:
    """Return what the engine writes at each call, in the oracle's shape."""
    found: list[Any] = []
    for step in Session(transcript, counts, settings).steps():
        visit = None if step.visit is None else step.visit.as_dict()
        meter = (step.meter.window, step.meter.prefix, step.meter.broken)
        found.append(([line.as_dict() for line in step.lines], visit, meter))
    return found


def same(case: Case) -> None:
    """Assert that both engines agree: call by call, then in bytes."""
    mine = engine(case.transcript, case.counts, case.settings)
    naive = oracle.run(case.transcript, case.counts, case.settings)
    assert len(mine) == len(naive)
    for number, (ours, theirs) in enumerate(zip(mine, naive, strict=True), 1):
        assert ours == theirs, f"call {number} under {case.policy}"
    assert written(mine) == written(naive)


def written(visits: list[Any]) -> bytes:
    """Return the ledger bytes of a session."""
    return b"".join(
        line_bytes(line) for lines, visit, _ in visits for line in (*lines, *([visit] if visit is not None else []))
    )


@pytest.mark.parametrize("start", range(0, SEEDS, CHUNK))
def test_fixed_seeds(start: int) -> None:
    for seed in range(start, start + CHUNK):
        same(by_seed(seed))


@given(cases())
@hypothesis_settings(max_examples=60, deadline=None, phases=PHASES, suppress_health_check=list(HealthCheck))
def test_whatever_hypothesis_finds(case: Case) -> None:
    same(case)


@pytest.mark.parametrize("seed", range(0, 40, 5))
def test_none_gives_the_transcript(seed: int) -> None:
    case = by_seed(seed)
    settings = replace(case.settings, strategy="none")
    mine = engine(case.transcript, case.counts, settings)
    assert mine == oracle.run(case.transcript, case.counts, settings)
    sums = [sum(case.counts.tokens[: call.at]) for call in case.transcript.all_calls()]
    assert mine == [([], None, (now, before, False)) for before, now in zip([0, *sums], sums, strict=False)]


def test_the_seeds_reach_every_action() -> None:
    # A generator that no longer draws something would test nothing, quietly.
    seen: set[tuple[str, str]] = set()
    reasons: set[str] = set()
    triggers: set[str] = set()
    for seed in range(100):
        case = by_seed(seed)
        for lines, visit, _ in engine(case.transcript, case.counts, case.settings):
            seen |= {(line["action"], line["rule"]) for line in lines}
            if visit is not None:
                triggers |= set(visit["trigger"].split("+"))
                reasons |= {refusal["reason"] for refusal in visit["refusals"]}
    assert triggers == {"budget", "idle", "resurface", "expire", "waiting"}
    assert {action for action, _ in seen} == {
        "keep", "recall", "truncate", "evict", "expire", "trim", "insert", "retract", "over-limit", "not-smaller",
    }  # fmt: skip
    assert {rule for action, rule in seen if action == "truncate"} == {
        "toolResults.maxTokensEach", "toolResults.truncateRecent",
    }  # fmt: skip
    assert reasons >= {
        "current-request", "system-envelope", "unresolved-tool-call", "inside-keep-window", "recent-request", "pinned",
        "protected-task", "protected-tag", "protected-pattern", "keep-error", "latest-of-tool", "resurfaced",
        "excluded-tool", "split-pair",
    }  # fmt: skip


# What the oracle found

SMALL: Message = {
    "role": "assistant",
    "toolCalls": [
        {"id": "c1", "name": "read_file", "args": {"path": "src/a.ts"}},
        {"id": "c2", "name": "read_file", "args": {"path": "b"}},
    ],
}


def test_not_smaller_is_told_of_an_item_that_came_back_because_no_stub_was_smaller() -> None:
    # The sibling of 10 tokens comes back in full, since a stub would be larger; a later re-plan must say `not-smaller`.
    rounds = [part for number in range(3, 8) for part in round_of(number, 500)]
    more = [part for number in range(8, 14) for part in round_of(number, 500)]
    messages = [asks("Look"), SMALL, gives(1, "x" * 400), gives(2, "y" * 10), *rounds, asks("Fix src/a.ts"), *round_of(20, 1), asks("Thanks"), *more]  # fmt: skip  # noqa: E501
    made = policy(2_500, 2_300, trim={"enabled": True}, toolResults={"evictAfterTurns": 4})
    found = ran(session(*messages), made)
    assert (7, "recall", 3) in [(7, action, at) for _, action, at in found.moves()]
    assert "not-smaller" in [action for _, action, at in found.moves() if at == 3]


def test_a_retold_item_speaks_once() -> None:
    messages = [asks("Go"), *[part for number in range(1, 9) for part in (calls(number), gives(number, "x" * 40))]]
    found = ran(messages, policy(100, 0, toolResults={"evictAfterTurns": 0}))
    told = [at for _, action, at in found.moves() if action == "not-smaller"]
    assert len(told) == len(set(told)) == 7


def test_not_smaller_is_told_of_a_cut_item() -> None:
    # Call 4 cuts the result of 90 to 80 or less and finds no smaller stub for it: one line, the cut. When it is due,
    # there is still no smaller stub, and by spec/4 the ledger says so once.
    messages = [asks("Go"), calls(1), gives(1, "x" * 90, ttlTurns=3)]
    messages += [part for number in range(2, 10) for part in round_of(number, 500)]
    found = ran(messages, policy(1_000, 0, toolResults={"maxTokensEach": 80, "evictAfterTurns": 0}))
    mine = [action for _, action, at in found.moves() if at == 2]
    assert mine[0] == "truncate"
    assert mine[1:] == ["not-smaller"]
