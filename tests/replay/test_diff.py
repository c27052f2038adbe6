"""Where two policies part and which items differ: by hand, and against windows rebuilt and compared at every call."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests import generated, generated_strategies
from tests.golden import cases, parts
from tests.naive_diff import Naive
from tests.sessions import Line, asks, policy, ran, round_of
from windowkeeper_cli.formats import load
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay import diff
from windowkeeper_cli.replay.diff import Apart, Held, difference_of, last_moving, parting_of, with_gaps
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts
from windowkeeper_cli.tokens.chars import count

LOGS = Path(__file__).resolve().parents[3] / "shared" / "sessions" / "claude-code"
SMALL = sorted(path for path in LOGS.glob("*.jsonl") if path.stat().st_size < 700_000) if LOGS.is_dir() else []
SEEDS, CHUNK = 40, 20
NONE: Line = {"strategy": "none"}


def steps(transcript: Transcript, counted: Counts, settings: Settings) -> list[Step]:
    """Return the steps of a session run to its end."""
    return list(Session(transcript, counted, settings).steps())


def rows(items: Sequence[Apart]) -> list[tuple[Any, ...]]:
    """Return items as the naive diff has them."""
    return [(one.at, one.in_a, one.since, one.until, tuple(one.a), tuple(one.b)) for one in items]


def agree(transcript: Transcript, counted: Counts, a: list[Step], b: list[Step], calls: Sequence[int]) -> int:
    """Hold a comparison to the naive one at some calls, and return how many rows were compared."""
    naive, compared = Naive(transcript, counted.tokens, a, b), 0
    parted = parting_of(a, b)
    assert (None if parted is None else parted.call) == naive.parted()
    for call in calls:
        found = difference_of(a, b, counted.tokens, call, ever=True)
        assert found.parts == parted
        assert rows(found.items) == naive.items(call), call
        now = difference_of(a, b, counted.tokens, call)
        assert rows(now.items) == [row for row in naive.items(call) if row[3] is None], call
        assert now.otherwise == naive.otherwise(call)
        compared += len(found.items)
    return compared


def rounds() -> tuple[list[Step], list[Step], Sequence[int]]:
    """Return the steps under `none` and under a policy that evicts, and the tokens, of four rounds of 400 characters.

    A request takes 2 tokens, a call 15, a result 400. Windows of `none` are 2, 417, 832, 1,247 and 1,662. The limit is
    1,000: at call 4 the result at 2 is 2 turns old, and at call 5 that at 4 is; results over 1 turn old become stubs.
    """
    messages = [asks("Go"), *(part for number in range(1, 5) for part in round_of(number, 400))]
    made = ran(messages, policy(1_000, 100, toolResults={"evictAfterTurns": 1}))
    return ran(messages, NONE).steps, made.steps, made.session.counts.tokens


def test_one_side_evicts_and_the_other_does_not() -> None:
    plain, made, tokens = rounds()
    found = difference_of(plain, made, tokens)
    assert found.parts is not None
    assert (found.parts.call, found.parts.slot, found.parts.in_a) == (4, 5, None)
    assert found.parts.in_b is found.parts.b.lines[0]
    assert [(one.at, one.in_a, one.since, one.until) for one in found.items] == [(2, True, 4, None), (4, True, 5, None)]
    for one in found.items:
        assert one.a == Held(Form.FULL, 400, None)
        assert (one.b.form, one.b.rule) == (Form.STUB, "toolResults.evictAfterTurns")
        assert 0 < one.b.tokens < 400
    assert found.otherwise == 0
    turned = difference_of(made, plain, tokens)
    assert [(one.at, one.in_a, one.a, one.b) for one in turned.items] == [
        (one.at, False, one.b, one.a) for one in found.items
    ]


def test_before_the_windows_part_nothing_differs_and_where_they_part_is_still_said() -> None:
    plain, made, tokens = rounds()
    early = difference_of(plain, made, tokens, 3)
    assert early.parts is not None and early.parts.call == 4
    assert (early.items, early.otherwise) == ((), 0)
    assert [one.at for one in difference_of(plain, made, tokens, 4).items] == [2]


def test_the_same_policy_never_parts() -> None:
    _, made, tokens = rounds()
    assert difference_of(made, made, tokens, ever=True) == (None, (), 0)
    assert parting_of(made, made) is None


def test_the_last_moving_call_is_of_either_side() -> None:
    plain, made, _ = rounds()
    assert last_moving(plain[:4], made[:4]) == last_moving(made[:4], plain[:4]) == 4
    assert last_moving(plain, made) == 5
    assert last_moving(plain[:2], plain[:2]) == 2


def apart(since: int, until: int | None = None, *, in_a: bool = True) -> Apart:
    return Apart(7, in_a, since, until, Held(Form.FULL, 9, None), Held(Form.OUT, 0, "rule"))


def gap(call: int, left: int | None, source: int | None = 7) -> Gap:
    return Gap(call, "re-read", "a.py", 9, source, left, "rule", None if left is None else call - left, "lost")


@pytest.mark.parametrize(
    ("one", "gaps", "expected"),
    [
        (apart(4), [gap(6, 4), gap(8, 4)], 6),  # the first that followed
        (apart(4), [gap(6, 4, source=8), gap(6, 4, source=None)], None),  # of another item, of none
        (apart(4, 6), [gap(6, 4)], None),  # the difference had ended by then
        (apart(4, 7), [gap(6, 4)], 6),
        (apart(4), [gap(9, 8)], None),  # it came back, and left again later
        (apart(4), [gap(3, 2), gap(6, 2)], 6),  # it had left before; since 4 the other side has it
        (apart(4), [gap(5, None)], 5),
    ],
)
def test_the_gap_that_followed_is_of_the_side_that_lacks_the_item(one: Apart, gaps: list[Gap], expected: Any) -> None:
    (found,) = with_gaps([one], [], gaps)
    assert (found.gap.call if found.gap else None) == expected
    (none,) = with_gaps([one], gaps, [])
    assert none.gap is None
    (turned,) = with_gaps([one._replace(in_a=False)], gaps, [])
    assert (turned.gap.call if turned.gap else None) == expected


@pytest.mark.parametrize("chunk", range(0, SEEDS, CHUNK))
def test_drawn_sessions_agree_with_the_naive_diff(chunk: int) -> None:
    compared = 0
    for seed in range(chunk, chunk + CHUNK):
        r = random.Random(f"diff {seed}")
        names = ["none", *generated_strategies.DRAWN]
        transcript = generated.loaded(generated_strategies.dressed(generated.session(r), r))
        counted = replace(count(transcript, r.choice(("1", "4"))), explicit=True)
        policies = [generated.policy_of(r), generated.policy_of(r)]
        for name in r.sample(names, 2):
            policies.append({"strategy": name} if name == "none" else generated_strategies.policy_of(name, r))
        sides = [steps(transcript, counted, generated.settings(one)) for one in policies]
        last = len(sides[0])
        for one in range(4):
            a, b = sides[one], sides[(one + 1 + r.randrange(3)) % 4]
            compared += agree(transcript, counted, a, b, sorted({1, (last + 1) // 2, last}))
    assert compared > 50


def test_fixtures_agree_with_the_naive_diff() -> None:
    for case in cases():
        transcript, counted, settings, _ = parts(case)
        made = steps(transcript, counted, settings)
        for other in (NONE, {"strategy": "sliding-window", "slidingWindow": {"keepRecentTurns": 4}}):
            plain = steps(transcript, counted, generated.settings(other))
            agree(transcript, counted, plain, made, range(1, len(made) + 1))


@pytest.mark.skipif(not SMALL, reason="the shared logs are not there")
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_real_logs_agree_with_the_naive_diff(path: Path) -> None:
    transcript = load(str(path))
    if len(transcript.calls) > 45:
        pytest.skip("the naive diff takes long over it; run by hand it agrees")
    counted = counts(transcript, "estimate")
    sides = [
        steps(transcript, counted, generated.settings(one))
        for one in (
            {"strategy": "recorded"},
            {"budget": {"max": 20_000, "reserve": 0}},
            {"strategy": "clear-tool-results", "clearToolResults": {"trigger": 15_000}},
        )
    ]
    last = len(sides[0])
    for a, b in ((0, 1), (1, 2), (2, 0)):
        agree(transcript, counted, sides[a], sides[b], sorted({max(1, last // 2), last}))


def test_only_what_visits_moved_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison costs what was decided: two questions a touched slot, whatever the windows hold (spec/10, 3)."""
    messages = [asks("Go"), *(part for number in range(1, 200) for part in round_of(number, 100))]
    a = ran(messages, policy(3_000, 1_000, toolResults={"evictAfterTurns": 1}))
    b = ran(messages, policy(2_000, 1_000, trim={"enabled": True}))
    asked, shown = [0], diff._shown

    def counting(line: Any) -> object:
        asked[0] += 1
        return shown(line)

    monkeypatch.setattr(diff, "_shown", counting)
    difference_of(a.steps, b.steps, a.session.counts.tokens, a.steps[-1].call, ever=True)
    moves = sum(line.moves for one in (a, b) for step in one.steps for line in step.lines)
    assert 0 < asked[0] <= 2 * moves
