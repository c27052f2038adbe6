"""Which decisions are in force: the last one on each item that is not in full, and each text of ours."""

from __future__ import annotations

from windowkeeper_cli.model.ledger import DecisionLine


class InForce:
    """Made from the decision lines of each visit that move something, in order."""

    def __init__(self) -> None:
        self._lines: dict[int, DecisionLine] = {}

    def note(self, line: DecisionLine) -> None:
        """Take in a line that moves something; a recall and a retraction end what was in force."""
        at, action = line.at, line.action
        slot = 2 * at + 1 if at is not None else line.slot or 0
        if action == "recall" or action == "retract":
            self._lines.pop(slot, None)
        else:
            self._lines[slot] = line

    def lines(self) -> tuple[DecisionLine, ...]:
        """Return the decisions in force, by the call that made them, then by place."""
        return tuple(sorted(self._lines.values(), key=lambda line: (line.call, place(line))))

    def rule(self, at: int) -> str | None:
        """Return the rule of the decision in force on an item, None where it is in full."""
        line = self._lines.get(2 * at + 1)
        return None if line is None else line.rule


def place(line: DecisionLine) -> int:
    """Return the slot that a line speaks of."""
    return 2 * line.at + 1 if line.at is not None else (line.slot or 0)
