"""What was asked to leave and refused: by reason, row by row, and the visits that removed nothing."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.guards.removal import INSIDE
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.replay.refusals import HOLDS, LEFT, RELEASED, EmptyVisit, RefusalRow, Refusals, Wedge
from windowkeeper_cli.report.assumed import Assumed
from windowkeeper_cli.report.envelope import Assumption, envelope
from windowkeeper_cli.report.explain_visits import last_deciding, session_of
from windowkeeper_cli.report.reference import reference
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Column, Sheet, Table, cell_of
from windowkeeper_cli.report.subject import Subject

ENDINGS = (HOLDS, RELEASED, LEFT)


class ByReason(NamedTuple):
    """The rows of one reason: `tokens` is what they held when last refused, each item counted once."""

    reason: str
    rows: int
    visits: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The report `refusals` at one call; `peak` is the largest window up to it, in tokens.

    `guards` are the reasons that the strategy runs under, `limit` its own, if it has one.
    """

    subject: Subject
    call: int
    rows: tuple[RefusalRow, ...]
    by_reason: tuple[ByReason, ...]
    empty: tuple[EmptyVisit, ...]
    stand_downs: tuple[int, ...]
    wedges: tuple[Wedge, ...]
    engaged: int
    refusing: int
    peak: int
    limit: int | None
    guards: tuple[str, ...]
    assumed: tuple[Assumption, ...] = ()
    all_rows: bool = False

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "refusals"

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.refusals_page import sheet

        return sheet(self)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        body: dict[str, object] = {
            "rows": [_row(self.subject, row) for row in self.rows],
            "byReason": [group._asdict() for group in self.by_reason],
            "emptyVisits": [
                {
                    "call": visit.call,
                    "trigger": visit.trigger,
                    "tokens": visit.tokens,
                    "limit": visit.limit,
                    "reasons": dict(visit.reasons),
                }
                for visit in self.empty
            ],
            "standDowns": list(self.stand_downs),
            "wedges": [
                {"reason": wedge.reason, "fromCall": wedge.first, "toCall": wedge.last} for wedge in self.wedges
            ],
        }
        return envelope(self.name, self.subject, body, self.assumed)

    def table(self) -> Table:
        """Return every row with all that is known of its item, for a file."""
        rows = tuple(tuple(cell_of(_row(self.subject, row)[column.key]) for column in COLUMNS) for row in self.rows)
        return Table(COLUMNS, rows)

    def lines(self) -> None:
        """Return None: `refusals` has no JSON lines."""
        return


COLUMNS = (
    Column("reason", "reason", WORD),
    Column("scope", "scope", WORD),
    Column("at", "at", NUMBER),
    Column("item", "item", WORD),
    Column("turn", "turn", NUMBER),
    Column("what", "what", WORD),
    Column("tool", "tool", WORD),
    Column("brief", "brief", TEXT),
    Column("tokens", "tokens", NUMBER),
    Column("class", "class", WORD),
    Column("firstCall", "first", NUMBER),
    Column("lastCall", "last", NUMBER),
    Column("visits", "visits", NUMBER),
    Column("ended", "ended", WORD),
)


def refused(subject: Subject, number: int | None, *, all_rows: bool = False) -> Refused:
    """Return what refused to leave up to call `number`; None means the last call that decided something.

    Raises UsageError where no call decided anything and `number` is None.
    """
    if number is None:
        number = last_deciding(subject)
    session = session_of(subject)
    found, assumed, peak = Refusals(), Assumed(), 0
    for step in session.steps(number):
        found.add(step)
        assumed.take(step)
        peak = max(peak, step.meter.window)
    rows = tuple(found.finish(session))
    return Refused(
        subject,
        number,
        rows,
        tuple(_by_reason(rows, found)),
        tuple(found.empty),
        tuple(found.stand_downs),
        tuple(found.wedges),
        engaged=found.engaged,
        refusing=found.refusing,
        peak=peak,
        limit=session.strategy.limit,
        guards=tuple(session.strategy.guards),
        assumed=assumed.of(session),
        all_rows=all_rows,
    )


def _by_reason(rows: tuple[RefusalRow, ...], found: Refusals) -> list[ByReason]:
    """Return sums by reason, that of most tokens first, the keep window's last, which is refused as a matter of course.

    An item inside a refused turn counts with the turn.
    """
    groups: dict[str, list[RefusalRow]] = {}
    for row in rows:
        groups.setdefault(row.reason, []).append(row)
    sums = [ByReason(name, len(group), found.by_reason[name], held_tokens(group)) for name, group in groups.items()]
    return sorted(sums, key=lambda one: (one.reason == INSIDE, -one.tokens, one.reason))


def held_tokens(rows: Sequence[RefusalRow]) -> int:
    """Return the tokens that the rows of one reason held; an item inside a turn among them counts with the turn."""
    turns = {row.turn for row in rows if row.scope == "turn" and row.turn >= 0}
    return sum(row.tokens for row in rows if row.scope == "turn" or row.turn not in turns)


def _row(subject: Subject, row: RefusalRow) -> dict[str, object]:
    """Return one row; a text of ours has no place and no class, only an id."""
    ours = row.turn < 0
    own: dict[str, object] = {"item": row.ours, "brief": row.stands} if ours else {"turn": row.turn}
    return {
        "reason": row.reason,
        "scope": row.scope,
        **reference(subject, None if ours else row.at),
        **own,
        "tokens": row.tokens,
        "firstCall": row.first_call,
        "lastCall": row.last_call,
        "visits": row.visits,
        "ended": row.ended,
    }
