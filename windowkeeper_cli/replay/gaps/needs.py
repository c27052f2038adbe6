"""What does a call need that items before it held, and does its window still have that?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.rules.identifiers import Identifier


class Need(NamedTuple):
    """Something used at a call: `source` is the newest item that gave it.

    `holders` are all items, newest first, of which one alone in the window in full is enough; of one that was cut,
    the part that stands is enough where it has `name`. `said` are messages of the model that name it.
    """

    call: int
    use: str
    used_by: int
    source: int
    holders: tuple[int, ...]
    name: Identifier | None = None
    said: tuple[int, ...] = ()


class Needs:
    """Finds the gaps of a kind that only says what its calls need."""

    def __init__(self, kind: str, needs: Mapping[int, Sequence[Need]]) -> None:
        self._kind = kind
        self._needs = needs

    def at_call(self, now: AtCall) -> Iterator[Gap]:
        """Yield a gap for each need of the call that nothing in its window meets."""
        for need in self._needs.get(now.call.number, ()):
            if not any(now.gives(at, need.name) for at in need.holders):
                yield now.gap(self._kind, need.use, need.used_by, need.source, name=need.name, named_in=need.said)
