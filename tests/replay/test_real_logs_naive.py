"""Three real session logs under every strategy at 60,000 tokens: the engine and the naive engine agree on them."""

from __future__ import annotations

import pytest

from tests import naive
from tests.generated import Json, settings
from tests.replay.test_against_the_oracle import engine
from tests.replay.test_real_logs import LOGS, read
from windowkeeper_cli.replay.checking import check_session

NAMES = (
    "cc-microcompact-57calls.jsonl",
    "cc-resume-after-exit-interrupt-38calls.jsonl",
    "cc-2.1.20-169calls-2microcompact-2compact.jsonl",
)
LIMIT = 60_000
POLICIES: dict[str, Json] = {
    "none": {},
    "windowkeeper": {"budget": {"max": LIMIT, "reserve": 0}},
    "sliding-window": {"slidingWindow": {"keepRecentTurns": 6}},
    "token-budget": {"tokenBudget": {"thresholdTokens": LIMIT}},
    "summarize-oldest": {"summarizeOldest": {"thresholdTokens": LIMIT}},
    "sliding-tokens": {"slidingTokens": {"maxTokens": LIMIT}},
    "clear-tool-results": {"clearToolResults": {"trigger": LIMIT, "clearToolInputs": True}},
    "handles": {},
    "tiered": {"tiered": {"limit": 100_000, "targetShare": 0.6}},
}


@pytest.mark.parametrize("strategy", POLICIES)
@pytest.mark.parametrize("name", NAMES)
def test_both_engines_agree(name: str, strategy: str) -> None:
    if not (LOGS / name).is_file():
        pytest.skip("the shared logs are not there")
    transcript, counted = read(name)
    made = settings({"strategy": strategy, **POLICIES[strategy]})
    mine = engine(transcript, counted, made)
    assert mine == naive.run(transcript, counted, made)
    nameless = [
        (verdict.name, failure)
        for verdict in check_session(transcript, counted, made).verdicts
        for failure in verdict.failures
        if failure.fault is None and not verdict.given_up
    ]
    assert nameless == []
