"""The gate: who may leave, in which order the guards are asked, and what each keeps; by hand from spec/4 and spec/5."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.generated import loaded, settings
from tests.sessions import Line, asks, calls, gives, policy, round_of, session
from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.guards.gate import Gate, guards_named
from windowkeeper_cli.model.decision import Refusal, Removable
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens.chars import count


def gate_of(transcript: Transcript, made: Line) -> Gate:
    """Return the gate of the last visit of a session in which nothing moves."""
    run = Session(transcript, count(transcript, "1"), settings(made))
    assert not [line for step in run.steps() for line in step.lines if line.moves]
    return run.gate


def gate(*messages: Any, top: Line | None = None, **sections: Line) -> Gate:
    """Return the gate at the next call, with one recent turn and all the room there is."""
    return gate_of(loaded(session(*messages, **(top or {}))), policy(10**6, 0, **sections))


def verdicts(found: Gate) -> list[str | tuple[int, ...]]:
    """Return the reason of each refusal and the turns of each permission, oldest first."""
    return [verdict.reason if isinstance(verdict, Refusal) else verdict.turns for verdict in found.verdicts()]


ROUNDS = [part for number in range(1, 4) for part in round_of(number, 9)]
REQUEST = "current-request"
RECENT = "inside-keep-window"


def test_the_envelope_is_no_turn_and_system_text_elsewhere_refuses() -> None:
    system = {"role": "system", "content": "Mind."}
    found = gate(system, system, asks("Go"), *ROUNDS[:2], system, *ROUNDS[2:])
    assert verdicts(found) == [REQUEST, (1,), "system-envelope", (3,), RECENT]
    assert found.may_move(0) is not None


def test_a_permission_names_the_items_and_their_tokens() -> None:
    first = next(verdict for verdict in gate(asks("Go"), *ROUNDS).verdicts() if isinstance(verdict, Removable))
    assert first == Removable((1,), (1, 2), 15 + 9)


def test_a_refusal_names_turn_first_item_and_tokens() -> None:
    first = next(gate(asks("Go"), *ROUNDS).verdicts())
    assert first == Refusal("current-request", 0, 0, 2, scope="turn")
    found = gate(asks("Go"), *ROUNDS).may_move(6)
    assert found == Refusal("inside-keep-window", 3, 6, 9, scope="item")


@pytest.mark.parametrize(
    ("turns", "expected"), [(0, [(1,), (2,), (3,)]), (2, [(1,), RECENT, RECENT]), (9, [RECENT] * 3)]
)
def test_the_newest_turns(turns: int, expected: list[str | tuple[int, ...]]) -> None:
    assert verdicts(gate(asks("Go"), *ROUNDS, protect={"recentTurns": turns}))[1:] == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (0, [(0,), (1,), REQUEST]),
        (1, [(0,), (1,), REQUEST]),
        (2, [(0,), "recent-request", REQUEST]),
        (3, ["recent-request"] * 2 + [REQUEST]),
    ],
)
def test_the_requests_of_the_latest_user_turns(turns: int, expected: list[str]) -> None:
    found = gate(asks("a"), asks("b"), asks("c"), *ROUNDS, protect={"latestUserTurns": turns})
    assert verdicts(found)[:3] == expected


def test_a_message_that_no_person_wrote_is_no_request() -> None:
    assert verdicts(gate(asks("a"), asks("b", injected=True), *ROUNDS))[:2] == [REQUEST, (1,)]


FLAGS: tuple[tuple[Line, Line, str], ...] = (
    ({"pinned": True}, {}, "pinned"),
    ({"task": True}, {"task": True}, "protected-task"),
    ({"tags": ["x", "decision"]}, {}, "protected-tag"),
    ({"content": "never push"}, {"patterns": ["^never"]}, "protected-pattern"),
)


@pytest.mark.parametrize(("flags", "protect", "reason"), FLAGS)
def test_what_an_author_flagged(flags: Line, protect: Line, reason: str) -> None:
    first = asks("a") | flags
    found = gate(first, asks("b"), *ROUNDS, protect=protect)
    assert verdicts(found)[0] == reason
    cut = found.may_cut(0)
    assert cut is not None
    assert cut.reason == reason


@pytest.mark.parametrize(
    ("flags", "protect"),
    [
        ({"pinned": True}, {"pinned": False}),
        ({"task": True}, {"task": False}),
        ({"tags": ["x", "decisions"]}, {}),
        ({"tags": ["decision"]}, {"tags": []}),
        ({"content": "Never push"}, {"patterns": ["never"]}),
        ({"content": "never push", "injected": True}, {"patterns": ["never"]}),
    ],
)
def test_what_is_not_flagged_for_this_policy(flags: Line, protect: Line) -> None:
    assert verdicts(gate(asks("a") | flags, asks("b"), *ROUNDS, protect=protect))[0] == (0,)


def test_the_first_request_is_the_task_where_none_is_flagged() -> None:
    assert verdicts(gate(asks("a"), asks("b"), *ROUNDS, protect={"task": True}))[0] == "protected-task"
    flagged = gate(asks("a"), asks("b", task=True), asks("c"), *ROUNDS, protect={"task": True})
    assert verdicts(flagged)[:2] == [(0,), "protected-task"]


@pytest.mark.parametrize(
    ("keep", "turns", "held"), [(True, False, True), (True, 2, True), (True, 1, False), (False, 30, False)]
)
def test_errors_stay_for_some_turns(keep: bool, turns: int | bool, held: bool) -> None:
    # The error is in turn 1, the newest turn is 3: its age is 2.
    messages = [asks("Go"), calls(1), gives(1, "no", isError=True), *ROUNDS[2:]]
    found = gate(*messages, toolResults={"keepErrors": keep, "keepErrorsTurns": turns})
    assert verdicts(found)[1] == ("keep-error" if held else (1,))
    assert found.may_cut(2) is None


@pytest.mark.parametrize(
    ("count_", "expected"),
    [(0, [(1,), (2,), (3,)]), (1, [(1,), "latest-of-tool", (3,)]), (2, ["latest-of-tool"] * 2 + [(3,)])],
)
def test_the_latest_results_of_each_tool(count_: int, expected: list[str]) -> None:
    messages = [
        asks("Go"),
        *round_of(1, 9, "a"),
        *round_of(2, 9, "a"),
        calls(3, "b"),
        gives(3, toolName=""),
        *round_of(4, 9),
    ]
    messages[5]["toolCalls"] = []
    found = gate(*messages, toolResults={"keepLatestPerTool": count_})
    assert verdicts(found)[1:4] == expected


def test_an_excluded_tool_is_not_even_cut() -> None:
    found = gate(asks("Go"), *round_of(1, 9, "plan"), *ROUNDS[2:], toolResults={"excludeTools": ["plan"]})
    assert verdicts(found)[1] == "excluded-tool"
    assert found.may_cut(2) is not None


@pytest.mark.parametrize(("check_in", "reason"), [(False, "paused-tool"), (True, "pending-check-in")])
@pytest.mark.parametrize("ident", ["c2", "c9", ""])
def test_a_paused_run_keeps_the_turn_it_waits_for(check_in: bool, reason: str, ident: str) -> None:
    found = gate(asks("Go"), *ROUNDS, top={"paused": {"toolCallId": ident, "checkIn": check_in}})
    assert verdicts(found)[1:3] == [(1,), reason if ident == "c2" else (2,)]
    assert found.may_move(4) is None, "one item of it may still be moved out"


def test_a_pause_holds_at_the_next_call_only() -> None:
    transcript = loaded(session(asks("Go"), *ROUNDS, paused={"toolCallId": "c1"}))
    run = Session(transcript, count(transcript, "1"), settings(policy(10**6)))
    list(run.steps(3))
    assert verdicts(run.gate)[1] == (1,)


def test_turns_bound_by_a_late_result_leave_together_or_not_at_all() -> None:
    late = [asks("Go"), calls(1), calls(2), gives(2, "x"), gives(1, "y")]
    assert verdicts(gate(*late, *ROUNDS[4:])) == [REQUEST, (1, 2), RECENT]
    assert verdicts(gate(*late, *ROUNDS[4:], protect={"recentTurns": 2})) == [REQUEST, "split-pair", RECENT, RECENT]
    pinned = [*late[:3], late[3] | {"pinned": True}, late[4]]
    assert verdicts(gate(*pinned, *ROUNDS[4:])) == [REQUEST, "split-pair", "pinned", RECENT]


def test_three_turns_in_a_chain_are_one() -> None:
    # Turn 1 is answered in turn 2, turn 2 in turn 3.
    chain = [asks("Go"), calls(1), calls(2), gives(1, "x"), calls(3), gives(3, "z"), gives(2, "y"), *round_of(4, 5)]
    assert verdicts(gate(*chain)) == [REQUEST, (1, 2, 3), RECENT]


def test_the_first_reason_in_the_one_order_is_named() -> None:
    both = asks("never", pinned=True, tags=["decision"], task=True)
    found = gate(both, *ROUNDS, protect={"task": True, "patterns": ["never"], "recentTurns": 9})
    assert verdicts(found)[0] == "current-request"
    order = ("inside-keep-window", "recent-request", "pinned", "protected-task", "protected-tag", "protected-pattern")
    for dropped in range(1, len(order)):
        protect: Line = {"patterns": ["never"], "latestUserTurns": 2, "recentTurns": 9, "task": True}
        off: dict[str, Line] = {
            "inside-keep-window": {"recentTurns": 0}, "recent-request": {"latestUserTurns": 1},
            "pinned": {"pinned": False}, "protected-task": {"task": False}, "protected-tag": {"tags": []},
        }  # fmt: skip
        for name in order[:dropped]:
            protect |= off[name]
        assert verdicts(gate(both, asks("b"), *ROUNDS, protect=protect))[0] == order[dropped]


def test_guards_are_asked_in_the_registered_order() -> None:
    named = guards_named(tuple(reversed(GUARDS.names)))
    assert tuple(guard.text.name for guard in named) == GUARDS.names
    assert [guard.text.name for guard in guards_named(("pinned", "current-request"))] == ["current-request", "pinned"]


def test_leave_is_remembered_and_only_for_what_was_let_go() -> None:
    found = gate(asks("Go"), *ROUNDS)
    assert found.may_move(2) is None
    assert found.may_move(6) is not None
    assert (found.granted(2), found.granted(6), found.granted(4)) == (True, False, False)
    before = found.asked
    list(found.verdicts())
    assert found.asked > before
    assert found.granted(4)


@pytest.mark.parametrize("protect", [{}, {"latestUserTurns": 2}])
def test_what_spells_a_command_out_is_protected_like_it(protect: Line) -> None:
    transcript = loaded(
        session(asks("/review"), asks("Review the diff.", injected=True), *([asks("b")] if protect else []), *ROUNDS)
    )
    items = (transcript.items[0], transcript.items[1]._replace(expands=0), *transcript.items[2:])
    found = gate_of(replace(transcript, items=items), policy(10**6, protect=protect))
    assert verdicts(found)[:2] == ["recent-request" if protect else REQUEST] * 2


def test_whether_a_reason_still_keeps_is_told_without_another_plan() -> None:
    found = gate(asks("Go"), *ROUNDS[:4], asks("Now this"), *ROUNDS[4:])
    asked = [("current-request", 0, True), ("current-request", 5, True), ("current-request", 5, False)]
    assert [found.still_keeps(reason, at, whole_turn=turn) for reason, at, turn in asked] == [False, True, True]
    assert found.still_keeps("inside-keep-window", 7, whole_turn=False) is True
    assert found.still_keeps("inside-keep-window", 2, whole_turn=True) is False
    # A pin is a matter of the plan that admits it, and an outcome of a strategy is no guard's.
    assert found.still_keeps("last-tool-result", 2, whole_turn=True) is None
    assert found.still_keeps("replacement-not-smaller", 2, whole_turn=True) is None
    assert not found.granted(2)
