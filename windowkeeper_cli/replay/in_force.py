"""Which decisions are in force: the last one on each item that is not in full, and each text of ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from windowkeeper_cli.model.ledger import DecisionLine


class InForce:
    """Made from the decision lines of each visit, in order; they are gone through when something is asked."""

    def __init__(self) -> None:
        self._lines: dict[int, DecisionLine] = {}
        self._new: list[Sequence[DecisionLine]] = []

    def note(self, lines: Sequence[DecisionLine]) -> None:
        """Take in the lines of a visit; a recall and a retraction end what was in force."""
        self._new.append(lines)

    def lines(self) -> tuple[DecisionLine, ...]:
        """Return the decisions in force, by the call that made them, then by place."""
        return tuple(sorted(self._up_to_date().values(), key=lambda line: (line.call, place(line))))

    def rule(self, at: int) -> str | None:
        """Return the rule of the decision in force on an item, None where it is in full."""
        line = self._up_to_date().get(2 * at + 1)
        return None if line is None else line.rule

    def _up_to_date(self) -> dict[int, DecisionLine]:
        for line in chain.from_iterable(self._new):
            if line.action == "recall" or line.action == "retract":
                self._lines.pop(place(line), None)
            elif line.moves:
                self._lines[place(line)] = line
        self._new = []
        return self._lines


def place(line: DecisionLine) -> int:
    """Return the slot that a line speaks of."""
    return 2 * line.at + 1 if line.at is not None else (line.slot or 0)
