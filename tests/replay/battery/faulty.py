"""Strategies with one fault each, on purpose: what each breaks is in its `breaks`."""

from __future__ import annotations

from typing import Any, ClassVar

from windowkeeper_cli.model.block import Blocks, Text, units_in
from windowkeeper_cli.model.decision import Decision, Form, Insert, TakeOut
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.rules.visit import Facts, Plan, Visit
from windowkeeper_cli.strategies.strategy import Plain

DONE = Facts(("mine",))


class Faulty(Plain):
    """What they share: no guards, no limit, and a sound way to put an item aside."""

    name = "faulty"
    breaks: ClassVar[str] = ""
    counter: ClassVar[str | None] = None

    def __init__(self, _settings: Settings) -> None:
        self.calls = 0

    def aside(self, visit: Visit, at: int, *, names: bool = True, more: int = 0) -> Decision:
        """Return the decision that puts an item aside, `more` tokens off, with a text that names its id or none."""
        assert visit.gate.may_move(at) is None
        text = f'[aside; recall("{visit.item(at).id}")]' if names else "[aside]"
        left = blocks_in_form(visit.blocks(at), Form.STUB, text, None)
        tokens = visit.counter.blocks(left) + more
        return Decision("evict", self.name, at, Form.STUB, tokens, units_in(left), text=text)

    def whole(self, visit: Visit, at: int) -> Decision:
        """Return the decision that brings an item back."""
        blocks = visit.blocks(at)
        return Decision("recall", self.name, at, Form.FULL, visit.counter.blocks(blocks), units_in(blocks))

    def results(self, visit: Visit) -> list[int]:
        """Return the results that are new at this visit."""
        return [at for at in visit.new if visit.item(at).is_result]

    def plan(self, visit: Visit) -> Plan:
        """Put every new result aside, which is sound."""
        for at in self.results(visit):
            yield self.aside(visit, at)
        return DONE


class Sound(Faulty):
    """Breaks nothing."""


class Forges(Faulty):
    """Changes a text of the transcript where the archive reads it, its letters the same."""

    breaks = "lossless"
    counter = "chars:1"

    def plan(self, visit: Visit) -> Plan:
        """Write over the source's blocks."""
        source: Any = getattr(visit.blocks, "__self__")  # noqa: B009
        held: list[Blocks] = list(source._blocks)
        for at in visit.new:
            held[at] = tuple(Text(block.text[::-1]) if isinstance(block, Text) else block for block in held[at])
        source._blocks = tuple(held)
        return None
        yield


class Impatient(Faulty):
    """Puts the request aside that is worked on."""

    breaks = "current-request-intact"

    def plan(self, visit: Visit) -> Plan:
        """Put the current request aside, once."""
        if visit.anchor >= 0 and visit.view.form(visit.anchor) is Form.FULL:
            yield self.aside(visit, visit.anchor)
        return DONE


class Orphans(Faulty):
    """Takes results out and leaves their calls."""

    breaks = "no-orphans"
    anonymous = True

    def plan(self, visit: Visit) -> Plan:
        """Take new results out."""
        for at in self.results(visit):
            assert visit.gate.may_move(at) is None
            yield TakeOut("trim", self.name, (at,))
        return DONE


class Silent(Faulty):
    """Has a limit, and does not say what holds a window over it."""

    breaks = "budget-holds"
    limit = 10

    def plan(self, _visit: Visit) -> Plan:
        """Do nothing."""
        return None
        yield


class Unsaid(Faulty):
    """Moves what was sent before, and says that it did not engage."""

    breaks = "no-new-removal"

    def plan(self, visit: Visit) -> Plan:
        """Put the results of the calls before aside."""
        for at in range(visit.new.start if visit.new else 0):
            if visit.item(at).is_result and visit.view.form(at) is Form.FULL:
                yield self.aside(visit, at)
        return None


class Speaks(Faulty):
    """Puts a text of its own where nothing has left."""

    breaks = "order"

    def plan(self, visit: Visit) -> Plan:
        """Insert a notice before the first item, once."""
        if not self.calls and visit.view.held:
            blocks = (Text("hear me"),)
            ident = item_id(payload("user", blocks))
            yield Insert(0, "notice", ident, "hear me", visit.counter.blocks(blocks), units_in(blocks), self.name)
        self.calls += 1
        return DONE


class Forces(Faulty):
    """Moves what its guards keep, by a leave that it gives itself."""

    breaks = "protected-untouched"
    guards = ("keep-error",)

    def plan(self, visit: Visit) -> Plan:
        """Put results aside that are errors."""
        for at in self.results(visit):
            if visit.gate.may_move(at) is not None:
                visit.gate._granted.add(at)
                text = f'[aside; recall("{visit.item(at).id}")]'
                left = blocks_in_form(visit.blocks(at), Form.STUB, text, None)
                yield Decision("evict", self.name, at, Form.STUB, visit.counter.blocks(left), units_in(left), text=text)
        return DONE


class Nameless(Faulty):
    """Leaves texts that name no id."""

    breaks = "addressable"

    def plan(self, visit: Visit) -> Plan:
        """Put new results aside without their ids."""
        for at in self.results(visit):
            yield self.aside(visit, at, names=False)
        return DONE


class Miscounts(Faulty):
    """Says one token too many of what it leaves."""

    breaks = "ledger-adds-up"

    def plan(self, visit: Visit) -> Plan:
        """Put new results aside, counted wrong."""
        for at in self.results(visit):
            yield self.aside(visit, at, more=1)
        return DONE


class Restless(Faulty):
    """Puts the first result aside and brings it back, in turn."""

    breaks = "deterministic"

    def plan(self, visit: Visit) -> Plan:
        """Move the first result."""
        self.calls += 1
        first = next((at for at in range(visit.view.held) if visit.item(at).is_result), None)
        if first is not None:
            is_full = visit.view.form(first) is Form.FULL
            yield self.aside(visit, first) if is_full else self.whole(visit, first)
        return DONE


class Raises(Faulty):
    """Fails at the first result with an error."""

    breaks = "raises"

    def plan(self, visit: Visit) -> Plan:
        """Look a result up that is not there."""
        for at in self.results(visit):
            dict[str, int]()[visit.item(at).id]
        return None
        yield


class Leaves(Faulty):
    """Ends the process."""

    breaks = "raises"

    def plan(self, visit: Visit) -> Plan:
        """Exit."""
        if self.results(visit):
            raise SystemExit(0)
        return None
        yield


class Loops(Faulty):
    """Waits for a window that never gets smaller, and would pass over every error of its own."""

    breaks = "never-ends"

    def plan(self, visit: Visit) -> Plan:
        """Loop without a proposal."""
        while visit.view.held:
            try:
                self.calls += 1
            except Exception:
                continue
        return None
        yield


class Repeats(Faulty):
    """Proposes the same thing for ever."""

    breaks = "never-ends"

    def plan(self, visit: Visit) -> Plan:
        """Loop with proposals."""
        while self.results(visit):
            yield self.aside(visit, self.results(visit)[0])
        return None


class Unasked(Faulty):
    """Moves results without asking the gate."""

    breaks = "ungranted"

    def plan(self, visit: Visit) -> Plan:
        """Put results aside unasked."""
        for at in self.results(visit):
            yield Decision("evict", self.name, at, Form.STUB, 1, 1, text="[aside]")
        return DONE


class Sizeless(Faulty):
    """Inserts a text without a size."""

    breaks = "unusable-proposal"

    def plan(self, visit: Visit) -> Plan:
        """Insert a notice of None tokens."""
        if visit.view.held:
            yield Insert(0, "notice", "0" * 12, "x", None, 1, self.name)  # type: ignore[arg-type]
        return DONE


class Mute(Faulty):
    """Returns something that is no facts."""

    breaks = "unusable-proposal"

    def plan(self, visit: Visit) -> Plan:
        """Return a text."""
        if visit.view.held:
            return "done"  # type: ignore[return-value]
        return None
        yield


FAULTY = (
    Forges, Impatient, Orphans, Silent, Unsaid, Speaks, Forces, Nameless, Miscounts, Restless, Raises, Leaves, Loops,
    Repeats, Unasked, Sizeless, Mute,
)  # fmt: skip
