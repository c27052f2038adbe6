"""The naive diff: both windows rebuilt at every call from the ledger's lines as they stand in a file, and compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from windowkeeper_cli.model.decision import FORM_AFTER, Form
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.transcript import Transcript

Line = dict[str, Any]
Held = tuple[Form, int, str | None]


class Side(NamedTuple):
    """A window as a list of (slot, what stands there), and how each item is held."""

    window: list[tuple[int, Any]]
    held: dict[int, Held]


def rebuilt(tokens: Sequence[int], lines: Sequence[Line], held: int) -> Side:
    """Return the window over the first `held` items after all these lines."""
    last: dict[int, Line] = {}
    for line in lines:
        if "slot" in line or FORM_AFTER[line["action"]] is not None:
            last[line["slot"] if "slot" in line else 2 * line["at"] + 1] = line
    window: list[tuple[int, Any]] = []
    items: dict[int, Held] = {}
    for at in range(held):
        ours, moved = last.get(2 * at), last.get(2 * at + 1)
        if ours and ours["action"] == "insert":
            window.append((2 * at, (ours["stands"], ours["item"], ours["text"])))
        form = FORM_AFTER[moved["action"]] if moved else Form.FULL
        assert form is not None
        items[at] = (form, moved["tokensAfter"], moved["rule"]) if moved else (form, tokens[at], None)
        if form is not Form.OUT:
            shown = (form, moved.get("text"), moved.get("cut")) if moved and form is not Form.FULL else None
            window.append((2 * at + 1, shown))
    return Side(window, items)


class Naive:
    """Two runs compared call by call."""

    def __init__(self, transcript: Transcript, tokens: Sequence[int], a: Sequence[Step], b: Sequence[Step]) -> None:
        self.sides: list[tuple[Side, Side]] = []
        for number, call in enumerate(transcript.all_calls(), 1):
            self.sides.append(
                tuple(  # type: ignore[arg-type]
                    rebuilt(tokens, [x.as_dict() for s in steps[:number] for x in s.lines], call.at) for steps in (a, b)
                )
            )

    def parted(self) -> int | None:
        """Return the first call whose windows are no equal lists."""
        return next((k for k, (a, b) in enumerate(self.sides, 1) if a.window != b.window), None)

    def apart(self, call: int) -> dict[int, bool]:
        """Return the items that one side has in full and the other not at a call, with whether that side is A."""
        a, b = self.sides[call - 1]
        full = {at: (a.held[at][0] is Form.FULL, b.held[at][0] is Form.FULL) for at in a.held}
        return {at: in_a for at, (in_a, in_b) in full.items() if in_a != in_b}

    def items(self, upto: int) -> list[tuple[Any, ...]]:
        """Return every stretch of calls up to one: item, whether A has it, since, until, and how both last held it."""
        found: list[tuple[Any, ...]] = []
        apart = [self.apart(call) for call in range(1, upto + 1)]
        for at in self.sides[upto - 1][0].held:
            runs: list[list[Any]] = []
            for call in range(1, upto + 1):
                in_a = apart[call - 1].get(at)
                if runs and runs[-1][1] is in_a:
                    runs[-1][3] = call
                else:
                    runs.append([at, in_a, call, call])
            for _, in_a, since, last in runs:
                if in_a is not None:
                    a, b = (side.held[at] for side in self.sides[last - 1])
                    found.append((at, in_a, since, None if last == upto else last + 1, a, b))
        return sorted(found, key=lambda row: (row[0], row[2]))

    def otherwise(self, call: int) -> int:
        """Return how many items neither side has in full at a call, and stand differently."""
        a, b = (dict(side.window) for side in self.sides[call - 1])
        apart = self.apart(call)
        gone = "gone"
        held = self.sides[call - 1][0].held
        return sum(1 for at in held if at not in apart and a.get(2 * at + 1, gone) != b.get(2 * at + 1, gone))
