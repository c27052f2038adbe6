"""What did a target not hold, or hold in another way? Counted by name; nothing leaves unnamed."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.model.value import NamedTuple


class Loss(NamedTuple):
    """One kind of thing that is not in what was written, or is there in another way, and how many there are."""

    name: str
    times: int

    @property
    def sentence(self) -> str:
        """Return the loss as a line of a warning."""
        return f"{self.name}: {self.times:,}"


class Losses:
    """Counts losses by name, in the order in which they were first met."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, name: str, times: int = 1) -> None:
        """Count something; nothing happens for 0."""
        if times:
            self._counts[name] = self._counts.get(name, 0) + times

    def all(self) -> tuple[Loss, ...]:
        """Return what was counted so far."""
        return tuple(Loss(name, times) for name, times in self._counts.items())


class Written(NamedTuple):
    """A body as plain dicts and lists, and what it does not hold."""

    body: dict[str, Any]
    losses: tuple[Loss, ...]
