"""What was in the window at a call, what had left, and by which decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from windowkeeper_cli.model.call import Call
from windowkeeper_cli.model.decision import Form, Insert
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.envelope import Assumption
from windowkeeper_cli.report.sheet import Sheet, Table
from windowkeeper_cli.report.subject import Subject

if TYPE_CHECKING:
    from windowkeeper_cli.report.story import Story

Ledger = Callable[[Iterable[Step], Iterable[DecisionLine]], Iterator[bytes]]
"""Makes the JSON lines of some steps, after those of decisions that were in force."""


class WindowCounts(NamedTuple):
    """How many items stand in the window in each form, how many texts of ours, and its tokens."""

    full: int
    truncated: int
    stub: int
    cleared: int
    out: int
    inserted: int
    tokens: int


class Visited(NamedTuple):
    """One call: what was decided at it, what stands after it (oldest first), and the window then.

    `over` is the line that said last what holds the window over the limit, where it is over.
    """

    call: Call
    is_next: bool
    step: Step
    standing: tuple[DecisionLine, ...]
    window: WindowCounts
    inserted: tuple[Insert, ...]
    over: DecisionLine | None = None

    @property
    def in_force(self) -> tuple[DecisionLine, ...]:
        """Return the standing decisions of earlier visits."""
        return tuple(line for line in self.standing if line.call != self.call.number)


class Tally:
    """Counts the forms of a window from its steps, never by walking it."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        self._calls = calls
        self._held = 0
        self._forms = dict.fromkeys(Form, 0)

    def take(self, step: Step) -> None:
        """Count what came and moved at `step`; steps must come in order."""
        held = self._calls[step.call - 1].at
        self._forms[Form.FULL] += held - self._held
        self._held = held
        for line in step.lines:
            if line.at is not None:
                self._forms[line.form_before] -= 1
                self._forms[line.form_after] += 1

    def counts(self, inserted: int, tokens: int) -> WindowCounts:
        """Return the counts as they stand after the last step taken."""
        forms = self._forms
        return WindowCounts(
            full=forms[Form.FULL],
            truncated=forms[Form.TRUNCATED],
            stub=forms[Form.STUB],
            cleared=forms[Form.CLEARED],
            out=forms[Form.OUT],
            inserted=inserted,
            tokens=tokens,
        )


class Explanation(NamedTuple):
    """The report `explain`: one call (`visits` has one entry), or with `every` all visits that engaged.

    `last_decided` is the last call up to this one at which something was decided. `ledger` gives the JSON lines.
    `assumed` is what the run took for granted.
    """

    subject: Subject
    visits: tuple[Visited, ...]
    ledger: Ledger
    every: bool = False
    only_new: bool = False
    all_rows: bool = False
    cold: bool = False
    last_decided: int | None = None
    assumed: tuple[Assumption, ...] = ()

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "explain"

    def shown_standing(self, visited: Visited) -> tuple[DecisionLine, ...]:
        """Return the decisions of earlier visits that this report lists for a call."""
        return () if self.every or self.only_new else visited.in_force

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.explain_page import sheet

        return sheet(self)

    def story(self) -> Story:
        """Return the page with every call on it; a cold start has none but its own, and so only its page."""
        from windowkeeper_cli.report.story_blocks import own_story, plain_story

        at = self.visits[-1].call.number if self.visits else self.subject.transcript.next_call.number
        return plain_story(self.sheet()) if self.cold else own_story(self.sheet(), self.subject, at)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        from windowkeeper_cli.report.explain_document import document

        return document(self)

    def table(self) -> Table:
        """Return one row for each decision."""
        from windowkeeper_cli.report.explain_rows import decision_table

        return decision_table(self)

    def lines(self) -> Iterator[bytes]:
        """Return the ledger: of every visit, or of this call with what was in force."""
        standing = [line for visited in self.visits for line in self.shown_standing(visited)]
        return self.ledger([visited.step for visited in self.visits], standing)
