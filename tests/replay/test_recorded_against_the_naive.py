"""Recorded windows: the engine and the naive engine agree on drawn events and on every real log that holds some."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from tests import generated, naive
from tests.generated import Case
from tests.generated_events import by_seed, cases
from tests.replay.test_against_the_naive import PHASES, same
from tests.replay.test_against_the_oracle import engine
from tests.sessions import asks, round_of, session
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.tokens import counts

SEEDS, CHUNK = 200, 25
SHARED = Path(__file__).resolve().parents[3] / "shared" / "sessions"
FOLDERS = ("claude-code", "anthropic-messages", "openai-chat", "gemini-api", "opencode", "pi", "swe-agent")
LOGS = [path for folder in FOLDERS for path in sorted((SHARED / folder).glob("*"))]


@cache
def agreed(seed: int) -> list[Any]:
    return same(by_seed(seed))


@pytest.mark.parametrize("start", range(0, SEEDS, CHUNK))
def test_fixed_seeds(start: int) -> None:
    for seed in range(start, start + CHUNK):
        agreed(seed)


@given(cases())
@hypothesis_settings(max_examples=60, deadline=None, phases=PHASES, suppress_health_check=list(HealthCheck))
def test_whatever_hypothesis_finds(case: Case) -> None:
    same(case)


def test_the_seeds_reach_everything() -> None:
    # A generator that no longer draws something would test nothing, quietly.
    said = {(line["action"], line["rule"]) for seed in range(SEEDS) for lines, _, _ in agreed(seed) for line in lines}
    assert said == {
        ("fold", "recorded.compaction"), ("insert", "recorded.compaction"), ("retract", "recorded.compaction"),
        ("trim", "recorded.window"), ("recall", "recorded.window"),
        ("clear", "recorded.microcompaction"), ("clear", "recorded.clear"),
    }  # fmt: skip
    assert any(visit and "brokeAt" in visit for seed in range(SEEDS) for _, visit, _ in agreed(seed))


# positions: 0 ask, 1 call, 2 result, 3 call, 4 result, 5 ask, 6 call, 7 result; calls 1 to 3 at 1, 3, 6, the next at 8
MESSAGES = (asks("Check d1"), *round_of(1, 100), *round_of(2, 50), asks("And d2"), *round_of(3, 30))
ONE = Event("compaction", 3, 2, "log:4", summary=(Text("One."),))
FOLDED = [(2, "fold", 0), (2, "fold", 1), (2, "fold", 2), (2, "insert", 0)]
MANY: dict[str, tuple[tuple[Event, ...], list[tuple[int, str, int]]]] = {
    "two compactions before one call leave one summary": (
        (ONE, replace(ONE, at=2, summary=(Text("Two."),))), FOLDED,
    ),
    "what leaves and is back before one call has not moved": (
        (Event("window", 5, 3, "log:4", left=(1, 2)), Event("window", 5, 3, "log:5", back=(1, 2))), [],
    ),
    "a cleared result that is cleared again in the same words has not moved": (
        (Event("microcompaction", 5, 3, "log:4", cleared=(2,)), Event("microcompaction", 8, 4, "log:9", cleared=(2,))),
        [(3, "clear", 2)],
    ),
    "what has left is not cleared": (
        (ONE, Event("microcompaction", 8, 4, "log:9", cleared=(2, 4))), [*FOLDED, (4, "clear", 4)],
    ),
    "an item that is back stands beside the summary until the next compaction": (
        (ONE, Event("window", 5, 3, "log:6", back=(1,)), replace(ONE, at=6, call=4, kept=(5,))),
        [*FOLDED, (3, "recall", 1), *((4, "fold", at) for at in (1, 3, 4)), (4, "retract", 0), (4, "insert", 0)],
    ),
    "a compaction that kept everything needs no summary": ((replace(ONE, kept=(0, 1, 2)),), []),
}  # fmt: skip


@pytest.mark.parametrize("name", MANY)
def test_both_engines_say_what_the_events_mean(name: str) -> None:
    # Expected by hand, from the words of `model/event.py` and spec/6.
    events, expected = MANY[name]
    transcript = replace(generated.loaded(session(*MESSAGES)), events=events)
    counted = counts(transcript, "chars:1")
    mine = engine(transcript, counted, Settings("recorded"))
    assert mine == naive.run(transcript, counted, Settings("recorded"))
    moves = [(n["call"], n["action"], n.get("at", n.get("slot"))) for lines, _, _ in mine for n in lines]
    assert moves == expected


@pytest.mark.skipif(not LOGS, reason="the shared logs are not there")
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_both_engines_agree_on_real_logs(path: Path) -> None:
    transcript = load(str(path))
    if not transcript.events:
        pytest.skip("this log holds no removals")
    counted = counts(transcript, "estimate")
    mine = engine(transcript, counted, Settings("recorded"))
    assert any(lines for lines, _, _ in mine)
    assert mine == naive.run(transcript, counted, Settings("recorded"))
