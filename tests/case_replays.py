"""Does a case's `replay` hold: the named policy applied once to the whole transcript, as one visit at the next call?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tests.case_places import Places
from tests.case_values import camel
from windowkeeper_cli.model.block import Block, ToolCall, ToolResult
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.errors import WindowkeeperError
from windowkeeper_cli.model.item import PERSON
from windowkeeper_cli.model.ledger import VisitLine
from windowkeeper_cli.model.reading import Reading
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.policy import Strategies, load_policy
from windowkeeper_cli.policy.keys import KEYS
from windowkeeper_cli.replay.acceptance.lint import faults_of
from windowkeeper_cli.replay.acceptance.providers import provider_named, sender_of
from windowkeeper_cli.replay.acceptance.windows import sent_items
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.strategies import STRATEGIES
from windowkeeper_cli.tokens import counts

Json = dict[str, Any]
COUNTER = "estimate"
PACKED = frozenset({"anthropic", "claude-code"})
"""Formats in which a tool result travels in a user message."""


NEUTRAL = {
    "trigger_tokens": "trigger",
    "keep_tool_results": "keep",
    "keep_tool_uses": "keep",
    "clear_at_least_tokens": "clear_at_least",
    "budget_tokens": "budget.max",
    "target_tokens": "budget.target",
}
"""Neutral names of keys that are not ours in snake case."""


def ours(policy: Json) -> Json:
    """Return a policy of neutral names as a file of ours: each key in the section of its strategy, else in the first
    section that has it; raises KeyError for a key that no section has."""
    strategy = policy["strategy"]
    own = camel(strategy.replace("-", "_"))
    made: Json = {"strategy": strategy}
    for name, value in policy.items():
        if name != "strategy":
            section, _, key = NEUTRAL.get(name, name).rpartition(".")
            sections = [known.section for known in KEYS if known.name == camel(key) and section in ("", known.section)]
            if not sections:
                raise KeyError(name)
            made.setdefault(own if own in sections else sections[0], {})[camel(key)] = value
    return made


def settings(policy: Json) -> Settings:
    strategies = Strategies(STRATEGIES.names, lambda name: STRATEGIES.module(name).READS)
    return load_policy(json.dumps(ours(policy)).encode(), "policy.json", strategies=strategies).settings


class Replayed:
    """The window after one visit of the whole transcript; a token trigger reads the transcript's own estimate."""

    def __init__(self, transcript: Transcript, policy: Json) -> None:
        self.transcript, self.places = transcript, Places(transcript)
        counted = counts(transcript, COUNTER)
        self.session = Session(transcript, counted, settings(policy))
        call = transcript.next_call
        self.session.run.begin(call)
        self.session.run.reading = Reading(sum(counted.tokens), 1, call.iteration - 1)
        step = self.session.visit(call)
        self.visit: VisitLine | None = step.visit
        self.over = step.meter.over_limit

    def form(self, at: int) -> Form:
        return self.session.fold.form(at)

    def blocks(self, at: int) -> tuple[Block, ...]:
        """Return what of an item stands in the window."""
        return blocks_in_form(self.transcript.blocks(at), *self.session.fold.standing(at))

    def standing(self) -> list[int]:
        return [item.at for item in self.transcript.items if self.form(item.at) is not Form.OUT]

    def results(self) -> list[tuple[int, str]]:
        found = [(at, block) for at in self.standing() for block in self.blocks(at)]
        return [(at, block.id) for at, block in found if isinstance(block, ToolResult)]

    def calls(self) -> list[tuple[int, str]]:
        found = [(at, block) for at in self.standing() for block in self.blocks(at)]
        return [(at, block.id) for at, block in found if isinstance(block, ToolCall)]

    def orphans(self) -> list[str]:
        """Return the results whose call does not stand before them."""
        calls = self.calls()
        return [ident for at, ident in self.results() if not any(c < at and ident == other for c, other in calls)]

    def open_calls(self) -> tuple[list[str], list[str]]:
        """Return the calls without a result in the window: those that lack one for good, and those still waiting."""
        results = self.results()
        open_calls = [(at, i) for at, i in self.calls() if not any(r > at and i == other for r, other in results)]
        last = max((item.at for item in self.transcript.items if item.role != "tool"), default=-1)
        pending = [(at, i) for at, i in open_calls if at == last and (at, i) not in self.transcript.pairs]
        return [i for at, i in open_calls if (at, i) not in pending], [i for _, i in pending]

    def first_role(self) -> str:
        """Return the role, in the format's own terms, of the first message that is not leading system text."""
        texts = [(insert.slot, "user") for insert in self.session.fold.inserted()]
        items = [self.transcript.items[at] for at in self.standing() if at >= self.transcript.envelope]
        role = min([*texts, *((2 * item.at + 1, item.role) for item in items)])[1]
        return "user" if role == "tool" and self.transcript.format in PACKED else role

    def prompts(self) -> int:
        """Return how many messages that a person typed stand in full."""
        items = (self.transcript.items[at] for at in self.standing() if self.form(at) is Form.FULL)
        return sum(item.request and item.authored_by == PERSON for item in items)

    def refused(self) -> bool:
        """Return whether the log's own provider would refuse the window; raises LookupError where nobody knows it."""
        sender = sender_of(self.transcript)
        if sender.provider is None:
            raise LookupError("no provider is known for this format")
        fold = self.session.fold
        sent = sent_items(self.transcript, fold, range(fold.held), packed=sender.packs)
        return bool(faults_of(sent, provider_named(sender.provider), packed=sender.packs))

    def removed(self) -> set[int]:
        """Return how many messages left: as the visit counts results, each for itself, and as the document does."""
        gone = {item.at for item in self.transcript.items if self.form(item.at) is Form.OUT}
        counted = self.visit.facts.get("removedMessageCount") if self.visit else 0
        whole = [path for path in self.places.messages() if set(self._items(path)) and set(self._items(path)) <= gone]
        found = {len(gone), counted} | ({len(whole)} if self.places.messages() else set())
        return {count for count in found if isinstance(count, int)}

    def _items(self, path: str) -> list[int]:
        try:
            return self.places.items(path)
        except LookupError:
            return []


# ---- one function a key: (the window after, the expected value) -> what is wrong


def must_keep(after: Replayed, expected: list[Any]) -> Iterator[str]:
    for place in expected:
        for at in after.places.items(place):
            if after.form(at) is not Form.FULL:
                yield f"{place} is {after.form(at).name.lower()}"


def must_leave_together(after: Replayed, expected: list[list[Any]]) -> Iterator[str]:
    for group in expected:
        out = {place: [after.form(at) is Form.OUT for at in after.places.items(place)] for place in group}
        if len({one for forms in out.values() for one in forms}) > 1:
            yield f"left: {[place for place, forms in out.items() if any(forms)]} of {group}"


def refusals_include(after: Replayed, expected: list[Json]) -> Iterator[str]:
    for one in expected:
        reasons = one["reason"] if isinstance(one["reason"], list) else [one["reason"]]
        items = [after.transcript.items[at] for at in after.places.items(one["at"])]
        refusals = after.visit.refusals if after.visit else ()
        here = [r for r in refusals for i in items if (r.turn == i.turn if r.scope == "turn" else r.at == i.at)]
        if not any(refusal.reason in reasons for refusal in here):
            yield f"{one['at']} did not stay for {' or '.join(reasons)}, but {[r.reason for r in here] or 'unasked'}"


def byte_identical(after: Replayed, expected: list[Any]) -> Iterator[str]:
    for place in expected:
        for placed in after.places.of(place):
            there = after.blocks(placed.at)
            mine = after.transcript.blocks(placed.at)[placed.part]
            if placed.part >= len(there) or there[placed.part] != mine:
                yield f"{place} is not as it was"


def over_budget(after: Replayed, expected: bool) -> Iterator[str]:
    said = bool(after.visit and after.visit.facts.get("overBudget")) or after.over
    yield from differs(said, expected)


def differs(found: Any, expected: Any) -> Iterator[str]:
    if found != expected:
        yield f"expected {expected!r}, found {found!r}"


def removed_messages(after: Replayed, expected: int) -> Iterator[str]:
    if expected not in after.removed():
        yield f"expected {expected}, found {sorted(after.removed())}"


KEYS_OF_REPLAY: dict[str, Callable[[Replayed, Any], Iterator[str]]] = {
    "must_keep": must_keep,
    "must_leave_together": must_leave_together,
    "refusals_include": refusals_include,
    "refusals_include_any": refusals_include,
    "byte_identical": byte_identical,
    "removed_messages": removed_messages,
    "over_budget": over_budget,
    "first_role_after": lambda after, expected: differs(after.first_role(), expected),
    "orphan_results_after": lambda after, expected: differs(after.orphans(), expected),
    "unanswered_calls_after": lambda after, expected: differs(after.open_calls()[0], expected),
    "pending_calls_after": lambda after, expected: differs(after.open_calls()[1], expected),
    "prompts_after": lambda after, expected: differs(after.prompts(), expected),
    "user_turns_after": lambda after, expected: differs(after.prompts(), expected),
    "provider_would_reject_after": lambda after, expected: differs(after.refused(), expected),
    "turns_after": lambda after, expected: differs(after.session.fold.turn_count, expected),
    "tool_pairs_after": lambda after, expected: differs(len(after.results()) - len(after.orphans()), expected),
}


def replay_failures(transcript: Transcript, expected: Json) -> Iterator[str]:
    """Yield what does not hold after the policy of one entry of `replay`; a key that is not known fails by its name."""
    try:
        after = Replayed(transcript, expected["policy"])
    except (KeyError, WindowkeeperError) as error:
        yield f"policy: {error!r}"
        return
    for key, value in expected.items():
        if key == "policy":
            continue
        if key not in KEYS_OF_REPLAY:
            yield f"{key}: a key that this runner does not know"
            continue
        try:
            yield from (f"{key}: {problem}" for problem in KEYS_OF_REPLAY[key](after, value))
        except LookupError as error:
            yield f"{key}: {error}"
