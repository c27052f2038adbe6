"""Evidence gaps: what was used after every source of it had left, one row for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.replay.addresses import LOST, MENTIONED, RECALLABLE
from windowkeeper_cli.replay.gaps import GAP_KINDS
from windowkeeper_cli.replay.gaps.audit import Audit, audits_of
from windowkeeper_cli.replay.gaps.finding import GapWatch, usual_kinds
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.spans import unreadable
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.report.assumed import Assumed
from windowkeeper_cli.report.envelope import Assumption, envelope
from windowkeeper_cli.report.explain_visits import last_deciding, session_of
from windowkeeper_cli.report.gaps_constraints import pattern_of
from windowkeeper_cli.report.gaps_summaries import summary_shape
from windowkeeper_cli.report.reference import reference
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Cell, Column, Sheet, Table, cell_of
from windowkeeper_cli.report.subject import RECORDED, Subject

Values = dict[str, object]


@dataclass(frozen=True, slots=True)
class GapsReport:
    """The report `gaps` up to one call; `kinds` are those that were looked for, `left` counts items that left.

    `audits` are those of the harness's own summaries; of `unreadable` more the log shows none.
    """

    subject: Subject
    call: int
    gaps: tuple[Gap, ...]
    kinds: tuple[str, ...]
    left: int
    assumed: tuple[Assumption, ...] = ()
    all_rows: bool = False
    audits: tuple[Audit, ...] = ()
    unreadable: int = 0

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "gaps"

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.gaps_page import sheet

        return sheet(self)

    def document(self) -> Values:
        """Return the JSON document."""
        body: Values = {
            "gaps": [gap_shape(self.subject, gap) for gap in self.gaps],
            "byKind": {kind: sum(gap.kind == kind for gap in self.gaps) for kind in self.kinds},
            "totals": self.totals(),
            "summaries": [summary_shape(self.subject, audit) for audit in self.audits],
        }
        return envelope(self.name, self.subject, body, self.assumed)

    def totals(self) -> dict[str, int]:
        """Return the gaps, the calls that have one, their sources with the tokens of these, exact ones, addresses."""
        sources = {gap.source for gap in self.gaps if gap.source is not None}
        return {
            "gaps": len(self.gaps),
            "calls": len({gap.call for gap in self.gaps}),
            "sources": len(sources),
            "tokensNeeded": sum(self.subject.tokens(at) for at in sources),
            "exact": sum(gap.exact is True for gap in self.gaps),
            **{word: sum(gap.address == word for gap in self.gaps) for word in (RECALLABLE, MENTIONED, LOST)},
        }

    def table(self) -> Table:
        """Return every gap with all that is known of the items that it names, for a file."""
        return Table(COLUMNS, tuple(self._row(gap) for gap in self.gaps))

    def lines(self) -> Iterator[bytes]:
        """Return one JSON line for each gap."""
        return (line_bytes(gap_shape(self.subject, gap)) for gap in self.gaps)

    def _row(self, gap: Gap) -> tuple[Cell, ...]:
        facts: Values = {}
        for key, value in gap_shape(self.subject, gap).items():
            if isinstance(value, dict):
                facts.update((f"{key}.{inner}", part) for inner, part in value.items())
            else:
                facts[key] = value
        return tuple(cell_of(facts[column.key]) for column in COLUMNS)


_REFERENCE = (("at", NUMBER), ("item", WORD), ("tool", WORD), ("brief", TEXT), ("tokens", NUMBER))
COLUMNS = (
    Column("call", "call", NUMBER),
    Column("time", "time", WORD),
    Column("kind", "kind", WORD),
    Column("exact", "exact", WORD),
    Column("use", "use", TEXT),
    *(Column(f"{name}.{key}", f"{name}.{key}", kind) for name in ("usedBy", "source") for key, kind in _REFERENCE),
    Column("leftCall", "left", NUMBER),
    Column("rule", "rule", WORD),
    Column("distance", "distance", NUMBER),
    Column("address", "address", WORD),
    Column("pattern", "pattern", TEXT),
)


def gaps(subject: Subject, number: int | None, kinds: Sequence[str] = (), *, all_rows: bool = False) -> GapsReport:
    """Return the gaps up to call `number`; None means the last call that decided something, no `kinds` the usual ones.

    Raises UsageError for an unknown kind, and where no call decided anything and `number` is None.
    """
    for kind in kinds:
        GAP_KINDS.module(kind)
    wanted = tuple(name for name in GAP_KINDS.names if name in (kinds or usual_kinds()))
    if number is None:
        number = last_deciding(subject)
    session, index = session_of(subject), Index(subject.transcript, subject.counts)
    watch, assumed = GapWatch(session, index, wanted), Assumed()
    left: set[int] = set()
    for step in watch.watch(session.steps(number)):
        assumed.take(step)
        left.update(_left(step))
    audits: tuple[Audit, ...] = ()
    hidden = 0
    if subject.mode == RECORDED and not kinds:
        found = audits_of(subject.transcript, subject.counts, index)
        audits = tuple(audit for audit in found if audit.event.call <= number)
        hidden = unreadable(subject.transcript)
    return GapsReport(
        subject,
        number,
        tuple(watch.gaps),
        wanted,
        len(left),
        assumed.of(session),
        all_rows,
        audits,
        hidden,
    )


def gap_shape(subject: Subject, gap: Gap) -> Values:
    """Return a gap as the document has it."""
    calls = subject.transcript.calls
    return {
        "call": gap.call,
        "time": calls[gap.call - 1].time if gap.call <= len(calls) else None,
        "kind": gap.kind,
        "exact": gap.exact,
        "use": gap.use,
        "usedBy": reference(subject, gap.used_by),
        "source": reference(subject, gap.source),
        "leftCall": gap.left_call,
        "rule": gap.rule,
        "distance": gap.distance,
        "address": gap.address,
        "pattern": pattern_of(subject, gap),
    }


def _left(step: Step) -> Iterator[int]:
    return (line.at for line in step.lines if line.at is not None and line.moves and line.form_before > line.form_after)
