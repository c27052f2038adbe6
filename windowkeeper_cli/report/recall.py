"""What an id stands for: one item with its content, or a notice or summary with all that it stands for."""

from __future__ import annotations

from windowkeeper_cli.archive.reading import FORMAT
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.replay.behind import Stood
from windowkeeper_cli.report.envelope import envelope
from windowkeeper_cli.report.heading import STDIN, call_part, footer_lines, format_name, session_line, several
from windowkeeper_cli.report.recalled import content, raw_bytes
from windowkeeper_cli.report.reference import about, reference
from windowkeeper_cli.report.sheet import (
    ID,
    NUMBER,
    TEXT,
    Block,
    Column,
    Command,
    Line,
    Lines,
    Part,
    Prose,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import Subject

ITEM, LIST = "item", "list"
"""What an id stands for besides the texts of ours: one item, or what an archive has listed under it."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """The report `recall`: the items at `ats`; `stood` is the text of ours that stands for them, None for an item.

    `raw` asks for the bytes of each item's own record too.
    """

    subject: Subject
    ats: tuple[int, ...]
    stood: Stood | None = None
    raw: bool = False

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "recall"

    @property
    def id(self) -> str:
        """Return the whole id."""
        return self.subject.transcript.items[self.ats[0]].id if self.stood is None else self.stood.item

    def document(self) -> dict[str, object]:
        """Return the JSON document; a record's bytes that are no UTF-8 are replaced in it."""
        stood = self.stood
        body: dict[str, object] = {
            "id": self.id,
            "stands": ITEM if stood is None else stood.stands,
            "call": None if stood is None or stood.stands == LIST else stood.last,
            "text": None if stood is None or stood.stands == LIST else stood.text,
            "items": [self._item(at) for at in self.ats],
        }
        return envelope(self.name, self.subject, body)

    def table(self) -> Table:
        """Return a row for each item, without its content."""
        rows = []
        for at in self.ats:
            item = self.subject.transcript.items[at]
            rows.append((item.id, item.turn, self.subject.tokens(at), about(self.subject, at)))
        columns = (
            Column("item", "item", ID),
            Column("turn", "turn", NUMBER),
            Column("tokens", "tokens", NUMBER),
            Column("what", "what", TEXT),
        )
        return Table(columns, tuple(rows))

    def lines(self) -> None:
        """Return None: content has no lines of its own."""
        return

    def sheet(self) -> Sheet:
        """Return the page: an item with its content; of a text of ours what it says, and which items it stands for."""
        subject, stood = self.subject, self.stood
        size: Part = (sum(map(subject.tokens, self.ats)), "tokens", f"({subject.counts.counter.label.sentence})")
        blocks: tuple[Block, ...]
        if stood is None:
            facts: tuple[Part, ...] = ((subject.path,), (format_name(subject.transcript),))
            head = Lines((Line("session", facts), Line("item", ((self.id,), size))))
            blocks = (head, self.table(), Prose(content(subject.transcript, self.ats[0]), "content", as_is=True))
        else:
            what: tuple[Part, ...] = ((stood.stands, self.id), ("stands for", *several(len(self.ats), "item")), size)
            if stood.stands == LIST:
                return Sheet((Lines((Line(FORMAT, ((subject.path,),)), Line("recalled", what))), self.table()))
            head = Lines((session_line(subject, call_part(subject, stood.last)), Line("recalled", what)))
            blocks = (head, Prose(stood.text, f"what the {stood.stands} says", as_is=True), self.table())
        return Sheet(blocks, () if stood is None else footer_lines(subject), self._next())

    def _next(self) -> tuple[Command, ...]:
        """Return the command that tells an item's life, or that gives all that a text of ours stands for."""
        subject = self.subject
        if subject.name == STDIN or subject.transcript.format == FORMAT:
            return ()
        if self.stood is None:
            return (Command(("windowkeeper", "trace", subject.name, self.id, *subject.words)),)
        return (Command(("windowkeeper", "recall", self.id, subject.name, *subject.words, *subject.policy.words)),)

    def _item(self, at: int) -> dict[str, object]:
        item = self.subject.transcript.items[at]
        record = raw_bytes(self.subject.transcript, (at,)).decode("utf-8", "replace") if self.raw else None
        return {
            **reference(self.subject, at),
            "role": item.role,
            "error": item.is_error if item.is_result else None,
            "content": content(self.subject.transcript, at),
            "record": record,
        }
