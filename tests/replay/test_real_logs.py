"""Real session logs: the engine and the naive engine agree on them, and all ten invariants hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests import oracle
from tests.generated import settings
from tests.replay.test_against_the_oracle import engine
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.checking import check_session
from windowkeeper_cli.tokens import counts

LOGS = Path(__file__).resolve().parents[3] / "shared" / "sessions" / "claude-code"
FILES = sorted(path.relative_to(LOGS).as_posix() for path in LOGS.rglob("*.jsonl")) if LOGS.is_dir() else []
POLICIES = {"60k": {"budget": {"max": 60_000, "reserve": 0}}, "15k": {"budget": {"max": 15_000, "reserve": 0}}}


@cache
def read(name: str) -> tuple[Transcript, Counts]:
    """Return a log as loaded, with estimated counts."""
    transcript = load(str(LOGS / name))
    return transcript, counts(transcript, "estimate")


@pytest.mark.skipif(not FILES, reason="the shared logs are not there")
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", FILES or ["none"])
def test_both_engines_agree_and_all_invariants_hold(name: str, policy: str) -> None:
    transcript, counted = read(name)
    if policy == "15k" and len(transcript.calls) > 150:
        pytest.skip("the naive engine takes seconds over it; run by hand it agrees on all of them")
    made = settings(POLICIES[policy])
    assert engine(transcript, counted, made) == oracle.run(transcript, counted, made)
    if policy == "60k":
        verdicts = check_session(transcript, counted, made).verdicts
        assert [verdict.failures for verdict in verdicts if not verdict.given_up and verdict.failures] == []
