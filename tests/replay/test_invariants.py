"""Every invariant can fail: a sabotage for each, made by hand, that makes exactly that one report, and no other.

The session is a request and four rounds; the sabotage acts at call 4. Without one all ten hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.generated import by_seed, loaded, settings
from tests.sessions import asks, policy, round_of, session
from windowkeeper_cli.archive import MemoryArchive
from windowkeeper_cli.model.block import Blocks, Text
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.decision import Decision, Form, Insert, Proposal
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import BlockSource
from windowkeeper_cli.replay import checking
from windowkeeper_cli.replay.checking import Checked, check_session
from windowkeeper_cli.replay.invariants import INVARIANTS
from windowkeeper_cli.replay.netting import UngrantedError
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain
from windowkeeper_cli.tokens import counts

ACT = 4
DOCUMENT = session(asks("Check d1"), *[part for number in range(1, 5) for part in round_of(number, 300)])
Script = Callable[[Visit], Iterator[Proposal]]


class Scripted(Plain):
    """Does what a test says at call 4, and says so, or not."""

    name = "scripted"

    def __init__(self, script: Script, *, says: bool = True, always: bool = False, **traits: Any) -> None:
        self._script, self._says, self._always = script, says, always
        for trait, value in traits.items():
            setattr(self, trait, value)

    def plan(self, visit: Visit) -> Plan:
        if visit.call.number != ACT and not self._always:
            return None
        yield from self._script(visit)
        return Facts(("log",)) if self._says else None


def checked(monkeypatch: pytest.MonkeyPatch, make: Callable[..., Session]) -> Checked:
    """Check the session with `make` in place of `Session`."""
    monkeypatch.setattr(checking, "Session", make)
    transcript = loaded(DOCUMENT)
    return check_session(transcript, counts(transcript, "chars:1"), settings(policy(700, 300, trim={"enabled": True})))


def reported(found: Checked) -> list[str]:
    """Return the names of the invariants that report."""
    return [verdict.name for verdict in found.verdicts if verdict.failures]


def scripted(script: Script, **traits: Any) -> Callable[..., Session]:
    """Return a maker of sessions under a scripted strategy."""
    return lambda *parts, **_: Session(*parts, strategy=Scripted(script, **traits))


def moved(visit: Visit, at: int, form: Form, text: str | None, action: str = "clear") -> Decision:
    """Return a move with the right size, asked of the gate."""
    visit.gate.may_move(at)
    tokens = visit.counter.blocks(blocks_in_form(visit.blocks(at), form, text, None))
    return Decision(action, "test", at, form, 0 if form is Form.OUT else tokens, 0, text=text)


def stubbed(visit: Visit, at: int) -> Decision:
    """Return the move of an item into a stub that names it."""
    return moved(visit, at, Form.STUB, f'[recall("{visit.item(at).id}")]', "evict")


def noticed(visit: Visit, slot: int) -> Insert:
    """Return a notice at a slot that names its list."""
    text = '[dropped history: recall("abcdefabcdef")]'
    return Insert(slot, "notice", "abcdefabcdef", text, visit.counter.blocks((Text(text),)), 0, "test")


def nothing(_visit: Visit) -> Iterator[Proposal]:
    yield from ()


def a_stub(visit: Visit) -> Iterator[Proposal]:
    yield stubbed(visit, 2)


def the_request_goes(visit: Visit) -> Iterator[Proposal]:
    yield stubbed(visit, 0)


def a_result_goes_without_its_call(visit: Visit) -> Iterator[Proposal]:
    yield moved(visit, 2, Form.OUT, None, "trim")
    yield noticed(visit, 4)


def a_call_goes_without_its_result(visit: Visit) -> Iterator[Proposal]:
    yield moved(visit, 1, Form.OUT, None, "trim")
    yield noticed(visit, 2)


def a_notice_for_nothing(visit: Visit) -> Iterator[Proposal]:
    yield noticed(visit, 4)


def past_the_gate(visit: Visit) -> Iterator[Proposal]:
    visit.gate._granted.add(2)
    yield stubbed(visit, 2)


def no_notice(visit: Visit) -> Iterator[Proposal]:
    yield moved(visit, 1, Form.OUT, None, "trim")
    yield moved(visit, 2, Form.OUT, None, "trim")


def a_placeholder(visit: Visit) -> Iterator[Proposal]:
    yield moved(visit, 2, Form.CLEARED, "[cleared]")


def a_wrong_size(visit: Visit) -> Iterator[Proposal]:
    right = stubbed(visit, 2)
    yield Decision(right.action, right.rule, right.at, right.form, right.tokens - 1, 0, text=right.text)


def one_more_each_time(visit: Visit) -> Iterator[Proposal]:
    full = [at for at in range(2, visit.view.held, 2) if visit.view.form(at) is Form.FULL]
    if full and visit.call.number >= ACT:
        yield stubbed(visit, full[0])


class Forgetful(MemoryArchive):
    """Loses the second item."""

    def put(self, item: Item, source: BlockSource) -> None:
        if item.at != 1:
            super().put(item, source)


class Careless(MemoryArchive):
    """Gives back other bytes."""

    def blocks(self, item_id: str) -> Blocks | None:
        found = super().blocks(item_id)
        return None if found is None else (*found, Text(" "))


class Silent(Session):
    """Writes a visit but leaves its decisions out of the ledger."""

    def visit(self, call: Call, **more: Any) -> Step:
        step = super().visit(call, **more)
        return Step(step.call, step.visit, step.lines[:-1], step.meter)


class Moody(Scripted):
    """Does something else each time that it is made."""

    made = 0

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        type(self).made += 1

    def plan(self, visit: Visit) -> Plan:
        if visit.call.number == ACT:
            yield stubbed(visit, 2 + 2 * (self.made % 2))
            return Facts(("log",))
        return None


SABOTAGES: dict[str, tuple[str, Callable[..., Session]]] = {
    "the archive loses an item": ("lossless", lambda *parts, **_: Session(*parts, archive=Forgetful())),
    "the archive changes an item": ("lossless", lambda *parts, **_: Session(*parts, archive=Careless())),
    "the current request becomes a stub": ("current-request-intact", scripted(the_request_goes)),
    "a result leaves without its call": ("no-orphans", scripted(a_result_goes_without_its_call)),
    "a call leaves without its result": ("no-orphans", scripted(a_call_goes_without_its_result)),
    "over the limit without a word": ("budget-holds", scripted(nothing, limit=700)),
    "a visit that says nothing": ("no-new-removal", scripted(a_stub, says=False)),
    "a notice where nothing has left": ("order", scripted(a_notice_for_nothing)),
    "a protected item becomes a stub": ("protected-untouched", scripted(past_the_gate, guards=("latest-of-tool",))),
    "a turn leaves without a notice": ("addressable", scripted(no_notice)),
    "a placeholder names no id": ("addressable", scripted(a_placeholder)),
    "a decision is left out": ("ledger-adds-up", lambda *parts, **_: Silent(*parts, strategy=Scripted(a_stub))),
    "a size is wrong": ("ledger-adds-up", scripted(a_wrong_size)),
    "a second visit does more": ("deterministic", scripted(one_more_each_time, always=True)),
    "a second run does something else": ("deterministic", lambda *parts, **_: Session(*parts, strategy=Moody(nothing))),
}


def test_without_sabotage_all_ten_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    for make in (Session, scripted(a_stub), scripted(nothing)):
        found = checked(monkeypatch, make)
        assert reported(found) == []
        assert found.ok
    assert found.visits == 5


def test_every_invariant_is_sabotaged() -> None:
    assert {name for name, _ in SABOTAGES.values()} == set(INVARIANTS.names)
    assert len(INVARIANTS.names) == 10


@pytest.mark.parametrize("sabotage", SABOTAGES)
def test_a_sabotage_makes_its_invariant_report(sabotage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, make = SABOTAGES[sabotage]
    if name == "protected-untouched":
        keeping = settings(policy(700, 300, toolResults={"keepLatestPerTool": 9}))
        found = checked(monkeypatch, lambda transcript, counted, *_, **__: make(transcript, counted, keeping))
    else:
        found = checked(monkeypatch, make)
    assert reported(found) == [name]
    assert not found.ok
    assert next(verdict.failures[0].text for verdict in found.verdicts if verdict.failures)


def test_what_a_strategy_gives_up_is_counted_and_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(monkeypatch, scripted(a_placeholder, gives_up=(8,)))
    assert reported(found) == ["addressable"]
    assert found.ok


UNASKED = {
    "trim": Decision("trim", "test", 1, Form.OUT, 0, 0),
    "evict": Decision("evict", "test", 2, Form.STUB, 5, 0, text="stub"),
    "truncate": Decision("truncate", "test", 2, Form.TRUNCATED, 5, 0, text="m", cut=(0, 1, 2)),
    "clear": Decision("clear", "test", 2, Form.CLEARED, 5, 0, text="cleared"),
    "fold": Decision("fold", "test", 1, Form.OUT, 0, 0),
}


@pytest.mark.parametrize("action", UNASKED)
@pytest.mark.parametrize("asks_first", [False, True])
def test_nothing_moves_without_the_gates_leave(action: str, asks_first: bool) -> None:
    def script(visit: Visit) -> Iterator[Proposal]:
        decision = UNASKED[action]
        if asks_first:
            refusal = visit.gate.may_move(decision.at)
            assert refusal is not None
            assert refusal.reason == "inside-keep-window"
        yield decision

    transcript = loaded(DOCUMENT)
    parts = (transcript, counts(transcript, "chars:1"), settings(policy(700)))
    made = Session(*parts, strategy=Scripted(script, guards=("inside-keep-window",), keep_recent=9))
    with pytest.raises(UngrantedError, match=action):
        list(made.steps())


def test_leave_is_for_one_visit() -> None:
    def script(visit: Visit) -> Iterator[Proposal]:
        if visit.call.number == ACT:
            assert visit.gate.may_move(2) is None
        elif visit.call.number > ACT:
            yield Decision("evict", "test", 2, Form.STUB, 5, 0, text=visit.item(2).id)

    transcript = loaded(DOCUMENT)
    made = Session(
        transcript, counts(transcript, "chars:1"), settings(policy(700)), strategy=Scripted(script, always=True)
    )
    with pytest.raises(UngrantedError):
        list(made.steps())


@pytest.mark.parametrize("start", range(0, 160, 20))
def test_the_reducer_holds_all_ten_on_generated_sessions(start: int) -> None:
    for seed in range(start, start + 20):
        case = by_seed(seed)
        found = check_session(case.transcript, case.counts, case.settings)
        failing = [(verdict.name, failure) for verdict in found.verdicts for failure in verdict.failures]
        assert not failing, seed


def test_a_message_that_begins_like_a_notice_does_not_fail_the_reducer() -> None:
    messages = [
        asks("Go"),
        *round_of(1, 300),
        asks("[dropped history: says a person"),
        *round_of(2, 300),
        *round_of(3, 300),
    ]
    transcript = loaded(session(*messages))
    made = settings(policy(700, 0, trim={"enabled": True}))
    assert reported(check_session(transcript, counts(transcript, "chars:1"), made)) == []
