"""The report `archive export`: items of an archive with all their content, as rows or as one document."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.archive.damage import Damage
from windowkeeper_cli.archive.lasting import Lasting
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.payload import payload
from windowkeeper_cli.model.plan import Plan
from windowkeeper_cli.model.readable import readable
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.report.archive_contents import (
    Facts,
    damage_notes,
    facts_of,
    foot_of,
    head_of,
    items_of,
    lists_of,
)
from windowkeeper_cli.report.archived import find_archived
from windowkeeper_cli.report.envelope import bare_envelope
from windowkeeper_cli.report.sheet import DETAIL, ID, NUMBER, TEXT, WORD, Block, Column, Prose, Sheet, Table


class Whole(NamedTuple):
    """An item with all its content; `payload` is the JSON whose SHA-256 begins with its id."""

    id: str
    role: str
    tool: str | None
    call: str | None
    turn: int
    time: str | None
    error: bool
    pinned: bool
    tags: tuple[str, ...]
    content: str
    payload: str


@dataclass(frozen=True, slots=True)
class Exported:
    """The report `archive export`; items and lists are those asked for, the plan is there where all were."""

    facts: Facts
    items: tuple[Whole, ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    plan: Plan
    damage: tuple[Damage, ...]

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "archive-export"

    def document(self) -> dict[str, object]:
        """Return the JSON document; what cannot be UTF-8 is U+FFFD in it."""
        body: dict[str, object] = {
            "archive": self.facts.document(),
            "items": [{**item._asdict(), "tags": list(item.tags)} for item in self.items],
            "lists": [{"id": list_id, "items": list(ids)} for list_id, ids in self.lists],
            "visits": [
                {"call": planned.call.number, "lines": [dict(line) for line in planned.lines]} for planned in self.plan
            ],
        }
        return bare_envelope(self.name, body, notes=damage_notes(self.damage))

    def table(self) -> Table:
        """Return a row for each item."""
        columns = (
            Column("id", "id", ID),
            Column("role", "role", WORD),
            Column("tool", "tool", TEXT),
            Column("turn", "turn", NUMBER),
            Column("time", "time", TEXT),
            Column("content", "content", DETAIL),
        )
        rows = tuple((item.id, item.role, item.tool, item.turn, item.time, item.content) for item in self.items)
        return Table(columns, rows)

    def lines(self) -> None:
        """Return None: it has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page: every content under a line that names it."""
        contents: tuple[Block, ...] = tuple(
            Prose(item.content, f"{item.id} ({item.tool or item.role}, turn {item.turn})", as_is=True)
            for item in self.items
        )
        return Sheet((head_of(self.facts, self.damage), *contents, *foot_of(self.damage)))


def exported(archive: Lasting, wanted: Sequence[str]) -> Exported:
    """Return the items and lists with the ids in `wanted`, of a list its items too; everything where none is given.

    Raises UsageError for an id that nothing has.
    """
    ids, lists = dict.fromkeys(archive.ids()), dict.fromkeys(archive.lists())
    if wanted:
        ids, lists = {}, {}
        for one in wanted:
            list_id, found = find_archived(archive, one.lower())
            ids.update(dict.fromkeys(found))
            lists.update({} if list_id is None else {list_id: None})
    items, broken = items_of(archive, ids, _whole)
    listed, lost = lists_of(archive, lists)
    plan = () if wanted else archive.plan
    return Exported(facts_of(archive), items, listed, plan, (*archive.damage, *broken, *lost))


def _whole(item: Item, blocks: Blocks) -> Whole:
    return Whole(
        item.id,
        item.role,
        item.tool_name,
        item.tool_call_id,
        item.turn,
        item.timestamp,
        item.is_error,
        item.pinned,
        item.tags,
        readable(blocks),
        payload(item.role, blocks).decode("utf-8", "surrogatepass"),
    )
