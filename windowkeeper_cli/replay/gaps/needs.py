"""What does a call need that items before it held, and does its window still have that?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.at_call import AtCall
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.rules.identifiers import Identifier


class Need(NamedTuple):
    """Something used at a call: `source` is the newest item that gave it, `names` what it goes by.

    `holders` are all items, newest first, of which one alone in the window in full is enough; of one that was cut,
    the part that stands is enough where it has one of `names`. Where only the `name_alone` was needed, any text of
    ours that has it is enough, too.
    """

    call: int
    use: str
    used_by: int
    source: int
    holders: tuple[int, ...]
    names: tuple[Identifier, ...] = ()
    name_alone: bool = False


class Needs:
    """Finds the gaps of a kind that only says what its calls need."""

    def __init__(self, kind: str, needs: Mapping[int, Sequence[Need]]) -> None:
        self._kind = kind
        self._needs = needs

    def at_call(self, now: AtCall) -> Iterator[Gap]:
        """Yield a gap for each need of the call that nothing in its window meets."""
        for need in self._needs.get(now.call.number, ()):
            if not self._is_met(need, now):
                yield now.gap(self._kind, need.use, need.used_by, need.source, names=need.names, named_in=need.holders)

    @staticmethod
    def _is_met(need: Need, now: AtCall) -> bool:
        if any(now.gives(at, need.names, need.name_alone) for at in need.holders):
            return True
        return need.name_alone and now.is_named(need.names)
