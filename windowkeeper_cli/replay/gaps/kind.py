"""What is a kind of evidence gap given, and what does it answer?

A kind is one module of this folder and one line in `GAP_KINDS`: a `TEXT`, whether it is `ASKED` for by name alone,
and `finder`, which is called once for each policy and session. What does not depend on a policy (the uses of each
call, the sources that they had) stands in the `Index`, which all policies of one transcript share; what does is in
the `AtCall`, made after each visit.

Most kinds only say which needs a call has: `Needs` looks at the sources and makes the gaps. A kind without needs,
such as a constraint that leaves, looks at `AtCall.lines`, which holds what that visit moved: for each line that takes
an item out of full form and whose item holds a constraint, it answers `now.gap(...)` with that item as `source`. It
finds the items that hold constraints once, in `finder`, from `index.transcript`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index


class Finder(Protocol):
    """Finds the gaps of one kind, under one policy, call by call."""

    def at_call(self, now: AtCall) -> Iterable[Gap]:
        """Return the gaps of a call, right after its visit; `now` is valid until the next one."""
        ...


class Kind(Protocol):
    """A module of this folder; `ASKED` kinds are looked for only where they are named."""

    TEXT: RuleText
    ASKED: bool

    @staticmethod
    def finder(index: Index) -> Finder:
        """Return what finds this kind under one policy."""
        ...
