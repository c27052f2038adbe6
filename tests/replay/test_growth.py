"""Growth is flat: elementary operations a call do not rise with the length of a session (spec/10, 3).

Counted are slots changed and items appended, verdicts and questions of the gate, and positions that stages walk.
A machine's noise moves none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pytest

from tests.generated import loaded, settings
from tests.sessions import Line, asks, calls, gives, session
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.counter import Counter, CounterLabel, Counts
from windowkeeper_cli.model.example import Message
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies.windowkeeper import Windowkeeper
from windowkeeper_cli.tokens.chars import count

MOST = 40
SHAPE: Line = {"budget": {"max": 20_000, "reserve": 0, "target": None}, "toolResults": {"maxTokensEach": 1_300}}
"""The default policy at a small limit, its cap scaled with it."""
SIZES = (40, 220, 90, 1_200, 400, 60, 2_500, 300, 150, 700)


def steady(number: int) -> list[Message]:
    """Return a session of that many calls: reads of all sizes, 5% errors, a request every 30 calls."""
    made: list[Message] = []
    for call in range(number):
        if call % 30 == 0:
            made.append(asks(f"Now look at src/mod{call % 7}/file{call % 11}.ts and go on"))
        tool = ("read_file", "bash", "grep")[call % 3]
        made.append(calls(call, tool, path=f"src/mod{call % 7}/file{call % 11}.ts", n=call))
        text = f"{call}: line of a file\n" * (SIZES[call % len(SIZES)] // 5)
        made.append(gives(call, text, isError=call % 20 == 7))
    return made


@dataclass
class Counting:
    """A counter that counts how often it is asked."""

    inner: Counter
    asked: int = 0

    @property
    def label(self) -> CounterLabel:
        return self.inner.label

    def text(self, text: str) -> int:
        self.asked += 1
        return self.inner.text(text)

    def blocks(self, blocks: Blocks) -> int:
        self.asked += 1
        return self.inner.blocks(blocks)


def operations(number: int, policy: Line) -> dict[str, float]:
    """Return what one session of that many calls took, a call."""
    transcript = loaded(session(*steady(number)))
    plain = count(transcript, "4")
    counting = Counting(plain.counter)
    run = Session(transcript, Counts(plain.tokens, counting), settings(policy))
    steps = list(run.steps())
    walked = cast(Windowkeeper, run.strategy).walked
    assert sum(step.meter.replanned for step in steps) > number / 100, "a session under pressure"
    total = {"steps": run.fold.steps, "asked": run.asked, "walked": walked, "counted": counting.asked}
    return {name: value / len(steps) for name, value in total.items()}


@pytest.mark.parametrize(
    "policy",
    [SHAPE, {**SHAPE, "protect": {"recentTurns": 2}, "expire": {"tools": {"grep": 3}}}],
    ids=["default", "expiring"],
)
def test_operations_a_call_are_few_and_the_same_at_twice_the_length(policy: Line) -> None:
    short, long = operations(400, policy), operations(800, policy)
    for found in (short, long):
        assert found["steps"] + found["asked"] + found["walked"] <= MOST
    for name in short:
        assert long[name] == pytest.approx(short[name], rel=0.1), name
