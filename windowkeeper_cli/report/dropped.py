"""Which observations left the window: one row for each departure, with totals by tool and by class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.replay.addresses import LOST, MENTIONED, RECALLABLE
from windowkeeper_cli.replay.dropped import Dropped, dropped_of
from windowkeeper_cli.replay.gaps.finding import GapWatch
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.report.assumed import Assumed
from windowkeeper_cli.report.envelope import Assumption, envelope
from windowkeeper_cli.report.explain_document import FORM_NAMES
from windowkeeper_cli.report.explain_visits import last_deciding, session_of
from windowkeeper_cli.report.followed import GAP_COLUMNS, followed, gap_cells
from windowkeeper_cli.report.reference import reference
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Column, Sheet, Table, cell_of
from windowkeeper_cli.report.subject import Subject

if TYPE_CHECKING:
    from windowkeeper_cli.report.story import Story

CLASSES = ("pin", "state", "evict", "compact")
ADDRESSES = (RECALLABLE, MENTIONED, LOST)


class Sums(NamedTuple):
    """Tool results up to the call: how many there were, how many left at least once, and what became of these.

    `tokens_left` is the whole size of those that left; `needed` of them had a gap that followed, of `tokens_needed`;
    `back` of them are in full again.
    """

    results: int
    left: int
    tokens_left: int
    recallable: int
    mentioned: int
    lost: int
    needed: int
    tokens_needed: int
    back: int


@dataclass(frozen=True, slots=True)
class DroppedReport:
    """The report `dropped` at one call; `peak` is the largest window up to it, in tokens.

    `results` are the positions of the tool results that had come by then, `limit` is the strategy's own, if any.
    `gaps` holds the first gap after each departure, by position and call of leaving.
    """

    subject: Subject
    call: int
    rows: tuple[Dropped, ...]
    results: tuple[int, ...]
    engaged: int
    peak: int
    limit: int | None
    gaps: Mapping[tuple[int, int], Gap]
    assumed: tuple[Assumption, ...] = ()
    all_rows: bool = False

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "dropped"

    def gap(self, row: Dropped) -> Gap | None:
        """Return the gap that followed a departure, None where none did."""
        return self.gaps.get((row.at, row.left))

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.dropped_page import sheet

        return sheet(self)

    def story(self) -> Story:
        """Return the page with every call on it, and every departure."""
        from windowkeeper_cli.report.story_blocks import own_story

        return own_story(replace(self, all_rows=True).sheet(), self.subject, self.call)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        body: dict[str, object] = {
            "observations": [observation(self.subject, row, self.gap(row)) for row in self.rows],
            "byTool": [{"tool": tool or None, **_shape(sums)} for tool, sums in self.by_tool()],
            "byClass": [{"class": kind, **_shape(sums)} for kind, sums in self.by_class()],
            "totals": {**_shape(self.totals()), "back": self.totals().back, "departures": len(self.rows)},
        }
        return envelope(self.name, self.subject, body, self.assumed)

    def table(self) -> Table:
        """Return every departure with all that is known of its item, for a file."""
        rows = []
        for row in self.rows:
            gap = self.gap(row)
            facts = {**observation(self.subject, row, gap), **gap_cells(gap)}
            rows.append(tuple(cell_of(facts[column.key]) for column in COLUMNS))
        return Table(COLUMNS, tuple(rows))

    def lines(self) -> Iterator[bytes]:
        """Return one JSON line for each departure."""
        return (line_bytes(observation(self.subject, row, self.gap(row))) for row in self.rows)

    def totals(self) -> Sums:
        """Return the sums over all tool results."""
        return self._sums(self.results)

    def by_tool(self) -> list[tuple[str, Sums]]:
        """Return the sums of each tool, that of most tokens left first; a result without a name has the tool ``."""
        found = self._grouped(lambda item: item.tool_name or "")
        return sorted(found, key=lambda pair: (-pair[1].tokens_left, -pair[1].results, pair[0]))

    def by_class(self) -> list[tuple[str, Sums]]:
        """Return the sums of each class that a result has here."""
        found = dict(self._grouped(lambda item: item.retention))
        return [(kind, found[kind]) for kind in CLASSES if kind in found]

    def _grouped(self, name: Callable[[Item], str]) -> list[tuple[str, Sums]]:
        groups: dict[str, list[int]] = {}
        for at in self.results:
            groups.setdefault(name(self.subject.transcript.items[at]), []).append(at)
        return [(key, self._sums(group)) for key, group in groups.items()]

    def _sums(self, results: Sequence[int]) -> Sums:
        last = {row.at: row for row in self.rows}
        left = [last[at] for at in results if at in last]
        chosen = {row.at for row in left}
        count = dict.fromkeys(ADDRESSES, 0)
        for row in left:
            if row.address is not None:
                count[row.address] += 1
        back = sum(row.form is Form.FULL for row in left)
        needed = {row.at: row.tokens for row in self.rows if row.at in chosen and self.gap(row) is not None}
        return Sums(
            len(results),
            len(left),
            sum(row.tokens for row in left),
            count[RECALLABLE],
            count[MENTIONED],
            count[LOST],
            len(needed),
            sum(needed.values()),
            back,
        )


COLUMNS = (
    Column("at", "at", NUMBER),
    Column("item", "item", WORD),
    Column("turn", "turn", NUMBER),
    Column("tool", "tool", WORD),
    Column("brief", "brief", TEXT),
    Column("tokens", "tokens", NUMBER),
    Column("class", "class", WORD),
    Column("cameCall", "came", NUMBER),
    Column("leftCall", "left", NUMBER),
    Column("action", "action", WORD),
    Column("rule", "rule", WORD),
    Column("form", "form now", WORD),
    Column("address", "address", WORD),
    Column("backCall", "back", NUMBER),
    Column("error", "error", WORD),
    *GAP_COLUMNS,
)


def dropped(subject: Subject, number: int | None, *, all_rows: bool = False) -> DroppedReport:
    """Return which tool results had left by call `number`; None means the last call that decided something.

    Raises UsageError where no call decided anything and `number` is None.
    """
    if number is None:
        number = last_deciding(subject)
    session = session_of(subject)
    seen, assumed, watch = [0, 0], Assumed(), GapWatch(session)

    def watched() -> Iterator[Step]:
        for step in session.steps(number):
            assumed.take(step)
            seen[:] = max(seen[0], step.meter.window), seen[1] + (step.visit is not None)
            watch.take(step)
            yield step

    rows = dropped_of(session, watched())
    items = subject.transcript.items[: session.fold.held]
    return DroppedReport(
        subject,
        number,
        tuple(rows),
        tuple(item.at for item in items if item.is_result),
        engaged=seen[1],
        peak=seen[0],
        limit=session.strategy.limit,
        gaps=_by_departure(watch.gaps),
        assumed=assumed.of(session),
        all_rows=all_rows,
    )


def observation(subject: Subject, row: Dropped, gap: Gap | None) -> dict[str, object]:
    """Return one departure, with the evidence gap that followed it."""
    return {
        **reference(subject, row.at),
        "cameCall": row.came,
        "leftCall": row.left,
        "action": row.action,
        "rule": row.rule,
        "form": FORM_NAMES[row.form],
        "address": row.address,
        "backCall": row.back,
        "error": subject.transcript.items[row.at].is_error,
        "gap": followed(gap),
    }


def _by_departure(gaps: Sequence[Gap]) -> dict[tuple[int, int], Gap]:
    found: dict[tuple[int, int], Gap] = {}
    for gap in gaps:
        if gap.source is not None and gap.left_call is not None:
            found.setdefault((gap.source, gap.left_call), gap)
    return found


def _shape(sums: Sums) -> dict[str, object]:
    """Return sums under the keys of the document."""
    return {
        "results": sums.results,
        "left": sums.left,
        "tokensLeft": sums.tokens_left,
        "recallable": sums.recallable,
        "mentioned": sums.mentioned,
        "lost": sums.lost,
        "needed": sums.needed,
        "tokensNeeded": sums.tokens_needed,
    }
