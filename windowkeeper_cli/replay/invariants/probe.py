"""What an invariant may look at after a visit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.rebuild import Rebuilt
from windowkeeper_cli.replay.session import Session


@dataclass(frozen=True, slots=True)
class Failure:
    """An invariant that does not hold at a call: the positions concerned, and what is wrong in words.

    `fault` names a known fault of the reference strategies, where it is one.
    """

    call: int
    items: tuple[int, ...]
    text: str
    fault: str | None = None


@dataclass(slots=True)
class Probe:
    """A session right after one of its visits.

    `rebuilt` is the window made from the ledger lines alone. `new` are the positions appended at this visit.
    `is_last` is true at the last visit of the session. `over_said` tells whether the ledger has named what holds
    the present stretch of calls over the limit, `wedged` how many visits in a row could only refuse the one summary.
    """

    session: Session
    call: Call
    step: Step
    new: range
    rebuilt: Rebuilt = field(default_factory=Rebuilt)
    is_last: bool = False
    over_said: bool = False
    wedged: int = 0

    def failure(self, items: tuple[int, ...], text: str, fault: str | None = None) -> Failure:
        """Return a failure at this call."""
        return Failure(self.call.number, items, text, fault)


class Invariant(Protocol):
    """A module of this folder."""

    NUMBER: int
    TEXT: RuleText

    @staticmethod
    def failures(probe: Probe) -> Iterator[Failure]:
        """Yield what does not hold after the visit."""
        ...
