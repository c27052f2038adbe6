"""Constraints that leave: small sessions worked out by hand (spec/7, `constraint`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.generated import loaded, settings
from tests.sessions import asks, calls, gives, policy, round_of, session, sliding
from windowkeeper_cli.model.block import Text
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.gaps.constraint import Constraint, constraints_of, pattern_of
from windowkeeper_cli.replay.gaps.finding import gaps_of
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.orders import orders
from windowkeeper_cli.tokens import counts

ORDER = "Never push to main."


def found(messages: list[Any], how: dict[str, Any]) -> tuple[Gap, ...]:
    """Return the constraint gaps of a session under a policy."""
    return of(loaded(session(*messages)), how)


def of(transcript: Transcript, how: dict[str, Any]) -> tuple[Gap, ...]:
    """Return the constraint gaps of a transcript under a policy."""
    return gaps_of(transcript, counts(transcript, "chars:1"), settings(how), kinds=("constraint",))


def compacted(messages: list[Any], at: int, call: int, summary: str) -> Transcript:
    """Return a session that the harness compacted before the item at `at`."""
    event = Event("compaction", at, call, "log:1", summary=(Text(summary),))
    return replace(loaded(session(*messages)), events=(event,))


def test_an_order_that_leaves_is_one_gap_at_that_call() -> None:
    # Call 2 is sent with two requests and one round: three turns, of which two are kept.
    gaps = found([asks(ORDER), asks("Go on"), *round_of(1, 9), *round_of(2, 9), *round_of(3, 9)], sliding(2))
    assert [(gap.kind, gap.use, gap.used_by, gap.source) for gap in gaps] == [("constraint", ORDER, None, 0)]
    assert gaps[0].call == gaps[0].left_call == 2
    assert (gaps[0].distance, gaps[0].rule) == (0, "slidingWindow.keepRecentTurns")


def test_the_current_request_s_own_order_has_not_left() -> None:
    assert found([asks(ORDER), *round_of(1, 9), *round_of(2, 9), *round_of(3, 9)], sliding(2)) == ()


@pytest.mark.parametrize("copy", [ORDER, "ok. never push  to **main**!", f"So:\n- {ORDER}\n- Go on"])
def test_a_copy_that_stands_keeps_the_order(copy: str) -> None:
    assert found([asks(ORDER), asks(copy), *round_of(1, 9), *round_of(2, 9), *round_of(3, 9)], sliding(2)) == ()


def test_the_last_copy_to_leave_is_the_gap() -> None:
    # With three turns kept: call 2 has turns 0 to 3 and drops the first copy, call 3 the second.
    messages = [asks(ORDER), asks(ORDER), asks("Go on"), *round_of(1, 9), *round_of(2, 9), *round_of(3, 9)]
    assert [(gap.call, gap.source) for gap in found(messages, sliding(3))] == [(3, 1)]


def test_two_orders_of_one_message_are_two_gaps() -> None:
    messages = [asks(f"{ORDER} Is it so? Always ask first."), asks("Go on"), *round_of(1, 9), *round_of(2, 9)]
    gaps = found([*messages, *round_of(3, 9)], sliding(2))
    assert [gap.use for gap in gaps] == [ORDER, "Always ask first."]


def test_only_persons_and_the_system_order() -> None:
    spoken = {"role": "assistant", "content": ORDER}
    messages: list[Any] = [
        asks("Start"),
        asks(ORDER, injected=True),
        spoken,
        asks("Go on"),
        calls(1),
        gives(1, ORDER),
        *round_of(2, 9),
        *round_of(3, 9),
    ]
    transcript = loaded(session(*messages))
    assert constraints_of(transcript) == ()
    assert of(transcript, sliding(1)) == ()


def test_the_system_prompt_orders_and_never_leaves() -> None:
    system = {"role": "system", "content": f"You audit. {ORDER}"}
    messages: list[Any] = [system, asks("Start"), asks("Go on"), *round_of(1, 9), *round_of(2, 9), *round_of(3, 9)]
    transcript = loaded(session(*messages))
    assert constraints_of(transcript) == (Constraint(0, ORDER, ("never", "push", "to", "main"), "Never push to main"),)
    assert of(transcript, sliding(1)) == ()


def test_a_system_message_in_the_middle_can_leave() -> None:
    # No policy may take it out; a true request may lack it.
    messages: list[Any] = [asks("Start"), {"role": "system", "content": ORDER}, *round_of(1, 9), *round_of(2, 9)]
    transcript = replace(loaded(session(*messages)), events=(Event("window", 4, 2, "log:1", left=(1,)),))
    assert [(gap.source, gap.call) for gap in of(transcript, {"strategy": "recorded"})] == [(1, 2)]


@pytest.mark.parametrize(
    ("summary", "gaps"),
    [
        ('All user messages: "never push to `main`".', 0),
        ("They said: Never push to\nmain - and more", 0),
        ("The user does not want a push to main.", 1),
        ("Never push to mainland", 1),
        ("", 1),
    ],
)
def test_a_summary_that_repeats_the_order_keeps_it(summary: str, gaps: int) -> None:
    messages = [asks(ORDER), *round_of(1, 9), asks("Go on"), *round_of(2, 9)]
    transcript = compacted(messages, 3, 2, summary)
    assert len(of(transcript, {"strategy": "recorded"})) == gaps


def test_an_order_that_comes_back_and_leaves_again_is_a_gap_each_time() -> None:
    once = replace(
        loaded(
            session(asks(ORDER), asks("a"), *round_of(1, 9), asks("b"), *round_of(2, 9), asks("c"), *round_of(3, 9))
        ),
        events=(
            Event("window", 2, 1, "log:1", left=(0,)),
            Event("window", 5, 2, "log:2", back=(0,)),
            Event("window", 8, 3, "log:3", left=(0,)),
        ),
    )
    assert [(gap.call, gap.left_call) for gap in of(once, {"strategy": "recorded"})] == [(1, 1), (3, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "Never use a+b (or [c] | {d})* in C:\\x^$?.",
        "always keep\nthe line, which is long enough to be cut, and then goes on and on until its end",
        'Do not add `Co-Authored-By` or "any" footer.',
        f"never {'x' * 200}",
        "- must be off,\n\tby  default",
        "never print \x1b[31m or \u202e here",
        "never do \U000e0041 it",
        2 * ("\u202e" * 40 + " ") + "x must stop",
    ],
)
def test_the_pattern_keeps_the_message_that_holds_the_order(text: str) -> None:
    message = f"Hello.\n{text}\nBye."
    patterns = [pattern_of(order) for order in orders(message)]
    assert len(patterns) == 1
    assert re.search(patterns[0], message)
    assert len(patterns[0]) < 100
    messages = [asks(message), asks("Go on"), *round_of(1, 90), *round_of(2, 90), *round_of(3, 90)]
    tight = policy(250, 100, trim={"enabled": True})
    kept = policy(250, 100, trim={"enabled": True}, protect={"patterns": patterns})
    assert len(found(messages, tight)) == 1
    assert found(messages, kept) == ()
