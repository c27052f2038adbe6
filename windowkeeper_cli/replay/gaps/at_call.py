"""What of the window at one call does a kind of gap need to know: forms, departures, addresses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.decision import FULL, OUT, TRUNCATED
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.addresses import LOST, MENTIONED
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.naming import Naming
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.rules.identifiers import Identifier
from windowkeeper_cli.rules.sought import holds


class Left(NamedTuple):
    """When an item stopped being in full, by which rule."""

    call: int
    rule: str


class AtCall:
    """A session right after the visit of one call; grows by the lines of each visit, and never walks the window."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.call: Call
        self.lines: tuple[DecisionLine, ...] = ()
        self._left: dict[int, Left] = {}
        self._named = Naming(session)

    def take(self, call: Call, lines: tuple[DecisionLine, ...]) -> None:
        """Note what the visit of a call moved."""
        self.call, self.lines = call, lines
        self._named.take(lines)
        for line in lines:
            if line.at is None or not line.moves:
                continue
            if line.form_after is FULL:
                self._left.pop(line.at, None)
            else:
                self._left.setdefault(line.at, Left(line.call, line.rule))

    def in_full(self, at: int) -> bool:
        """Return whether the item at `at` is in the window in full."""
        fold = self.session.fold
        return at < fold.held and fold.form(at) is FULL

    def is_cut(self, at: int) -> bool:
        """Return whether the item at `at` is in the window without its middle."""
        return self.session.fold.form(at) is TRUNCATED

    def gives(self, at: int, names: Sequence[Identifier], name_alone: bool = False) -> bool:
        """Return whether an item is in the window in full, or cut with one of `names` in the part that stands.

        Where the name alone is needed, what stands for the item may have it, too.
        """
        form = self.session.fold.form(at)
        if form is FULL:
            return at < self.session.fold.held
        if form is not TRUNCATED and (form is OUT or not name_alone):
            return False
        return any(holds(name, text) for text in self.texts(at) for name in names)

    def is_named(self, names: Sequence[Identifier]) -> bool:
        """Return whether a text of ours that stands between the items has one of `names`."""
        return self._named.in_a_text(names)

    def texts(self, at: int) -> Sequence[str]:
        """Return the texts of an item as they stand in the window, or whole where it is out of it."""
        form, text, cut = self.session.fold.standing(at)
        blocks = self.session.transcript.blocks(at)
        return texts_of(blocks if form is OUT else blocks_in_form(blocks, form, text, cut))

    def left(self, at: int) -> Left | None:
        """Return when an item stopped being in full, None where it is in full or has not come."""
        return self._left.get(at)

    def gap(
        self,
        kind: str,
        use: str,
        used_by: int | None,
        source: int | None,
        *,
        exact: bool | None = None,
        names: Sequence[Identifier] = (),
        named_in: Iterable[int] = (),
    ) -> Gap:
        """Return a gap at this call; `named_in` are items that name what was used, other than its source.

        `names` are what was used, as texts of ours would have it.
        """
        left = None if source is None else self._left.get(source)
        address = LOST if source is None else self._named.address(source)
        if address == LOST and source is not None:
            said = any(self.gives(at, names, name_alone=True) for at in named_in) or self.is_named(names)
            address = MENTIONED if said else LOST
        return Gap(
            self.call.number,
            kind,
            use,
            used_by,
            source,
            None if left is None else left.call,
            None if left is None else left.rule,
            None if left is None else self.call.number - left.call,
            address,
            exact,
        )
