"""What a strategy is: code that visits the window at each call and proposes moves."""

from __future__ import annotations

from typing import Protocol

from windowkeeper_cli.model.settings import Protect
from windowkeeper_cli.rules.visit import Plan, Visit


class Plain:
    """What most strategies say of themselves; a strategy derives from it and names what is different."""

    reads: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    keep_recent: int = 0
    limit: int | None = None
    pin_limit: int = 0
    needs_reading: bool = False
    needs_time: bool = False
    protect: Protect | None = None
    anonymous: bool = False
    settles: bool = True
    gives_up: tuple[int, ...] = ()
    known_faults: tuple[str, ...] = ()


class Strategy(Protocol):
    """One strategy in one session: it may remember what it likes between visits.

    `reads` are the policy sections that can change what it does; `guards` the refusal reasons that it runs under;
    `keep_recent` the newest turns that its keep window holds; `gives_up` the numbers of the invariants that its
    definition does not hold; `known_faults` the named faults that the definition it reproduces commits.
    """

    @property
    def name(self) -> str:
        """Return the strategy's registered name."""
        ...

    @property
    def reads(self) -> tuple[str, ...]:
        """Return policy sections, camelCase as in the file."""
        ...

    @property
    def guards(self) -> tuple[str, ...]:
        """Return names of guards."""
        ...

    @property
    def keep_recent(self) -> int:
        """Return a number of turns."""
        ...

    @property
    def limit(self) -> int | None:
        """Return the tokens that the window should not pass, None where the strategy counts none."""
        ...

    @property
    def pin_limit(self) -> int:
        """Return how many turns evidence pins may hold; 0: the strategy has none."""
        ...

    @property
    def needs_reading(self) -> bool:
        """Return whether the strategy acts on the figures of the last call."""
        ...

    @property
    def needs_time(self) -> bool:
        """Return whether the strategy's records carry times."""
        ...

    @property
    def protect(self) -> Protect | None:
        """Return what the strategy protects whatever the policy says, None where the policy decides."""
        ...

    @property
    def anonymous(self) -> bool:
        """Return whether the texts that it leaves name no id, by the definition it reproduces."""
        ...

    @property
    def settles(self) -> bool:
        """Return whether a second visit of an unchanged transcript changes nothing."""
        ...

    @property
    def gives_up(self) -> tuple[int, ...]:
        """Return numbers of invariants."""
        ...

    @property
    def known_faults(self) -> tuple[str, ...]:
        """Return names of faults, as `check` gives them."""
        ...

    def plan(self, visit: Visit) -> Plan:
        """Propose moves one by one, and return what the visit says of itself, None where it did not engage."""
        ...
