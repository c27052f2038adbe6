"""Sessions run for tests: a document and a policy in our own formats, and what the ledger then holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import tests.generated as generated
from windowkeeper_cli.model.example import Message, asks, calls, gives, session
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.tokens import counts

Line = dict[str, Any]


class Ran(NamedTuple):
    """A session after its last call, and its steps."""

    session: Session
    steps: list[Step]

    @property
    def lines(self) -> list[Line]:
        """Return every decision line, in order."""
        return [line.as_dict() for step in self.steps for line in step.lines]

    @property
    def visits(self) -> list[Line]:
        """Return every visit line, in order."""
        return [step.visit.as_dict() for step in self.steps if step.visit is not None]

    def said(self, *keys: str) -> list[tuple[Any, ...]]:
        """Return those keys of every decision line."""
        return [tuple(line.get(key) for key in keys) for line in self.lines]

    def moves(self) -> list[tuple[Any, ...]]:
        """Return (call, action, position or slot) of every decision line."""
        return [(line["call"], line["action"], line.get("at", line.get("slot"))) for line in self.lines]

    def refusals(self) -> list[tuple[str, str, int]]:
        """Return (reason, scope, position) of every refusal."""
        return [(ref["reason"], ref["scope"], ref["at"]) for visit in self.visits for ref in visit["refusals"]]


def ran(messages: Iterable[Any] | Line, policy: Line, counter: str = "chars:1") -> Ran:
    """Return the session of these messages (or of a whole document) under a policy, run to its end."""
    document = messages if isinstance(messages, dict) else session(*messages)
    transcript = generated.loaded(document)
    made = Session(transcript, counts(transcript, counter), generated.settings(policy))
    return Ran(made, list(made.steps()))


def round_of(number: int, size: int, tool: str = "read_log", **flags: object) -> tuple[Message, Message]:
    """Return a call and its result of `size` characters."""
    return calls(number, tool), gives(number, "x" * size, **flags)


def policy(limit: int, target: int = 0, **sections: Line) -> Line:
    """Return a policy with that limit and target, nothing kept but one recent turn, and one stage at a time.

    Evicting starts at 99 turns, cutting at a million tokens; trimming and cutting recent results are off.
    """
    made: Line = {
        "budget": {"max": limit, "reserve": 0, "target": target, "backoff": 0},
        "protect": {"recentTurns": 1},
        "toolResults": {
            "keepLatestPerTool": 0, "evictAfterTurns": 99, "maxTokensEach": 1_000_000, "truncateRecent": False,
        },
        "trim": {"enabled": False},
    }  # fmt: skip
    for name, section in sections.items():
        made[name] = {**made.get(name, {}), **section}
    return made


def sliding(keep: int = 3, pins: int | bool = False) -> Line:
    """Return the policy of a sliding window of `keep` turns, without pins unless `pins` gives a number of them."""
    return {
        "strategy": "sliding-window",
        "slidingWindow": {"keepRecentTurns": keep},
        "pins": {"keepLastToolResults": pins},
    }


def shows(text: RuleText) -> bool:
    """Return whether a rule's own example runs and shows what it says."""
    example = text.example
    assert example is not None
    found = ran(example.transcript, example.policy, "estimate")
    word, at = example.expect
    if not word:
        return not found.lines and not found.visits
    if example.refused:
        return any((ref["reason"], ref["at"]) == (word, at) for visit in found.visits for ref in visit["refusals"])
    return any((line["action"], line.get("at")) == (word, at) for line in found.lines)


__all__ = ["Line", "Ran", "asks", "calls", "gives", "policy", "ran", "round_of", "session", "shows"]
