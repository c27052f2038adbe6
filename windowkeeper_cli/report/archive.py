"""The reports `archive verify` and `archive list`: whether an archive is what was written, and what is in it."""

from __future__ import annotations

from windowkeeper_cli.archive.damage import Damage
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.brief import first_line
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.plan import Plan
from windowkeeper_cli.model.readable import readable
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.report.archive_contents import (
    Facts,
    damage_document,
    damage_notes,
    damage_table,
    facts_of,
    foot_of,
    head_of,
    items_of,
    lists_of,
    visits_document,
)
from windowkeeper_cli.report.envelope import bare_envelope
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    ID,
    NUMBER,
    WORD,
    Block,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Sheet,
    Table,
)


@dataclass(frozen=True, slots=True)
class Verified:
    """The report `archive verify`: every record was read; `damage` is all that is not what was written."""

    facts: Facts
    damage: tuple[Damage, ...]

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "archive-verify"

    @property
    def ok(self) -> bool:
        """Return whether everything is what was written."""
        return not any(one.is_fault for one in self.damage)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        body: dict[str, object] = {
            "archive": self.facts.document(),
            "ok": self.ok,
            "damage": damage_document(self.damage),
        }
        return bare_envelope(self.name, body)

    def table(self) -> Table:
        """Return a row for each damage."""
        return damage_table(self.damage)

    def lines(self) -> None:
        """Return None: it has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page."""
        bad = sum(one.is_fault for one in self.damage)
        parts: tuple[Part, ...] = ((Marked(f"{bad:,} damaged", BAD),), ("all else is served",))
        if self.ok:
            parts = ((Marked("every record is what was written", GOOD),),)
        head = Lines((self.facts.line(), Line("ok" if self.ok else "FAIL", parts)))
        blocks = (head, self.table()) if self.damage else (head,)
        return Sheet(blocks, next=(Command(("windowkeeper", "archive", "list", self.facts.path)),))


class Held(NamedTuple):
    """An item as a list shows it; `bytes` are those of its text in UTF-8."""

    at: int
    id: str
    role: str
    tool: str | None
    turn: int
    time: str | None
    error: bool
    bytes: int
    brief: str


@dataclass(frozen=True, slots=True)
class Listed:
    """The report `archive list`: what is in an archive, and which of it is damaged."""

    facts: Facts
    items: tuple[Held, ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    plan: Plan
    damage: tuple[Damage, ...]

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "archive-list"

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        body: dict[str, object] = {
            "archive": self.facts.document(),
            "items": [item._asdict() for item in self.items],
            "lists": [{"id": list_id, "items": list(ids)} for list_id, ids in self.lists],
            "visits": visits_document(self.plan),
            "damage": damage_document(self.damage),
        }
        return bare_envelope(self.name, body, notes=damage_notes(self.damage))

    def table(self) -> Table:
        """Return a row for each item, then one for each list."""
        columns = (
            Column("id", "id", ID),
            Column("kind", "kind", WORD),
            Column("turn", "turn", NUMBER),
            Column("bytes", "bytes", NUMBER),
            Column("what", "what", DETAIL),
        )
        items = [(item.id, item.tool or item.role, item.turn, item.bytes, item.brief) for item in self.items]
        lists = [(list_id, "list", None, None, f"{len(ids):,} items that left") for list_id, ids in self.lists]
        return Table(columns, (*items, *lists))

    def lines(self) -> None:
        """Return None: it has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page."""
        blocks: tuple[Block, ...] = (head_of(self.facts, self.damage), self.table(), *foot_of(self.damage))
        some = next((list_id for list_id, _ in self.lists), next((item.id for item in self.items), None))
        command = ("windowkeeper", "recall", some, "--archive", self.facts.path) if some else None
        return Sheet(blocks, next=() if command is None else (Command(command),))


def verified(archive: Lasting) -> Verified:
    """Return the report `archive verify`; every record is read."""
    return Verified(facts_of(archive), tuple(archive.verify()))


def listed(archive: Lasting) -> Listed:
    """Return the report `archive list`; every record is read."""
    items, broken = items_of(archive, archive.ids(), _held)
    lists, lost = lists_of(archive, archive.lists())
    return Listed(facts_of(archive), items, lists, archive.plan, (*archive.damage, *broken, *lost))


def _held(item: Item, blocks: Blocks) -> Held:
    text = readable(blocks)
    size = len(text.encode("utf-8", "surrogatepass"))
    brief = first_line(text)
    return Held(item.at, item.id, item.role, item.tool_name, item.turn, item.timestamp, item.is_error, size, brief)
