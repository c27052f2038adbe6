"""The pages and documents of `policy`: the built-ins, an effective policy value by value, a file that is in order."""

from __future__ import annotations

import json
from collections.abc import Sequence

from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.policy import Loaded
from windowkeeper_cli.policy.effective import FloorRow, ValueRow, floor_rows, value_rows
from windowkeeper_cli.policy.preset import BuiltInRow
from windowkeeper_cli.report.envelope import bare_envelope
from windowkeeper_cli.report.sheet import (
    DETAIL,
    ID,
    STRONG,
    TEXT,
    WORD,
    Cell,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import NamedPolicy

NOT_SET = "not set"


@dataclass(frozen=True, slots=True)
class PolicyList:
    """The report `policy list`: one row a built-in policy."""

    rows: tuple[BuiltInRow, ...]

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "policy-list"

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        rows = [
            {"name": row.name, "strategy": row.strategy, "from": row.source, "certainty": row.certainty or None}
            for row in self.rows
        ]
        return bare_envelope(self.name, {"policies": rows})

    def table(self) -> Table:
        """Return one row for each built-in policy."""
        columns = (
            Column("name", "name", WORD),
            Column("strategy", "strategy", WORD),
            Column("certainty", "certainty", WORD),
            Column("from", "from", DETAIL),
        )
        return Table(columns, tuple((row.name, row.strategy, row.certainty, row.source) for row in self.rows))

    def lines(self) -> None:
        """Return None: `policy list` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page."""
        return Sheet((self.table(),), next=(Command(("windowkeeper", "policy", "show", "-p", self.rows[-1].name)),))


@dataclass(frozen=True, slots=True)
class PolicyShow:
    """The report `policy show`: every effective value; `reads` are the sections that its strategy reads."""

    loaded: Loaded
    named: NamedPolicy
    reads: Sequence[str]

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "policy-show"

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        body: dict[str, object] = {
            "limit": self.loaded.settings.budget.limit,
            "reads": list(self.reads),
            "values": [
                {
                    "key": row.key,
                    "value": row.value,
                    "from": row.origin,
                    "line": row.line,
                    "read": row.read,
                    "text": row.text,
                }
                for row in self._values()
            ],
            "floor": [{"what": row.what, "why": row.why} for row in self._floor()],
            "source": self.loaded.source or None,
            "certainty": self.loaded.certainty or None,
        }
        return bare_envelope(self.name, body, policy=self.named)

    def table(self) -> Table:
        """Return one row for each value."""
        columns = (*_COLUMNS, Column("read", "read", WORD), Column("text", "what", TEXT))
        rows = tuple((*self._cells(row), "yes" if row.read else "no", row.text) for row in self._values())
        return Table(columns, rows)

    def lines(self) -> None:
        """Return None: `policy show` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page: what the strategy reads, what it does not, and the floor."""
        strategy = self.loaded.settings.strategy
        tables = [
            Table(_COLUMNS, tuple(self._cells(row) for row in self._values() if row.read is read), title)
            for read, title in ((True, ""), (False, f"not read by {strategy}: no window of it changes by these"))
        ]
        floor = Table(_FLOOR, tuple((row.what, row.why) for row in self._floor()), "what no window goes without")
        footer: tuple[Line, ...] = ()
        if self.loaded.source:
            footer = (Line("figures", ((self.loaded.source,), (f"({self.loaded.certainty})",))),)
        command = Command(("windowkeeper", "policy", "init", "-o", "policy.toml"))
        return Sheet((Lines((self._line(),)), *tables, floor), footer, (command,))

    def _line(self) -> Line:
        settings = self.loaded.settings
        parts: list[Part] = [(Marked(self.named.name, STRONG),), ("strategy", settings.strategy), (self.loaded.id,)]
        if "budget" in self.reads:
            budget = settings.budget
            parts.append(("limit", budget.limit, "= max", budget.max, "- reserve", budget.reserve))
        return Line("policy", tuple(parts))

    def _values(self) -> tuple[ValueRow, ...]:
        return value_rows(self.loaded, self.reads)

    def _floor(self) -> tuple[FloorRow, ...]:
        return floor_rows(self.loaded, self.reads)

    def _cells(self, row: ValueRow) -> tuple[Cell, ...]:
        origin = row.origin
        if row.line is not None:
            origin = f"{self.loaded.name}:{row.line}"
        return (row.key, _value(row.value), origin)


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    """The report `policy check` on a file in which nothing is wrong; `given` keys are not defaults."""

    path: str
    named: NamedPolicy
    given: int

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "policy-check"

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        return bare_envelope(self.name, {"path": self.path, "ok": True, "given": self.given}, policy=self.named)

    def table(self) -> Table:
        """Return the one row."""
        columns = (
            Column("path", "file", TEXT),
            Column("strategy", "strategy", WORD),
            Column("id", "id", ID),
            Column("given", "keys given", WORD),
        )
        return Table(columns, ((self.path, self.named.settings.strategy, self.named.id, str(self.given)),))

    def lines(self) -> None:
        """Return None: `policy check` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page."""
        keys = f"{self.given} key{'s' if self.given != 1 else ''} given"
        parts: tuple[Part, ...] = (
            (self.path,),
            ("strategy", self.named.settings.strategy),
            (self.named.id,),
            (keys,),
        )
        path = self.path if any(mark in self.path for mark in "/\\.") else f"./{self.path}"
        return Sheet((Lines((Line("ok", parts),)),), next=(Command(("windowkeeper", "policy", "show", "-p", path)),))


_COLUMNS = (Column("key", "key", WORD), Column("value", "value", TEXT), Column("from", "from", TEXT))
_FLOOR = (Column("what", "what", TEXT), Column("why", "why", DETAIL))


def _value(value: object) -> str:
    """Return a value in a cell: a text and a number as they are, the rest as a policy file writes it."""
    if value is None:
        return NOT_SET
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return json.dumps(value, ensure_ascii=False)
