"""Sheets: what a report shows, as raw values with column kinds; no colour, no width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from windowkeeper_cli.model.value import NamedTuple

ID = "id"
WORD = "word"
NUMBER = "number"
SHARE = "share"
CHANGE = "change"
TEXT = "text"
DETAIL = "detail"
NEVER_SHRINK = frozenset({ID, WORD, NUMBER, SHARE, CHANGE})
"""Kinds of columns: all but `TEXT` and `DETAIL` identify a row, or count, and never shrink."""

GOOD, WARN, BAD, DIM, STRONG, PLAIN = "good", "warn", "bad", "dim", "strong", ""


class Change(NamedTuple):
    """A figure before and after; a table shows `a -> b`, a CSV file two columns."""

    before: int | None
    after: int | None


class Share(NamedTuple):
    """A part of a whole, 0 to 1."""

    value: float


class Marked(NamedTuple):
    """A text with a tone; the text alone says all, the tone only helps the eye."""

    text: str
    tone: str


class Command(NamedTuple):
    """A command to type next, word by word; how a word is quoted is the renderer's."""

    words: tuple[str, ...]


class Link(NamedTuple):
    """A text that leads to an anchor of the same page, where the page has anchors."""

    text: str
    to: str


Cell = str | int | float | Change | Share | Marked | Command | Link | None
Part = tuple[Cell, ...]
"""Cells that belong together and are read as one phrase: `("limit", 5500)`."""


def cell_of(value: object) -> Cell:
    """Return a value of a document as a cell of a file: true and false as JSON has them, None for what is no cell."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str | int | float) else None


class Column(NamedTuple):
    """One column: `key` names it in a file (two names, before and after, for a `CHANGE`), `title` in a table."""

    key: str
    title: str
    kind: str = TEXT
    key_after: str = ""


class Table(NamedTuple):
    """Rows of cells under columns; at most one column is a `DETAIL`, the last.

    `steps` is the place of the column whose numbers are steps of the page's timelines and frames, if one is.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    steps: int | None = None


class Line(NamedTuple):
    """A label, and phrases beside it."""

    label: str
    parts: tuple[Part, ...]


class Lines(NamedTuple):
    """Labelled lines that belong together."""

    lines: tuple[Line, ...]
    title: str = ""


class Prose(NamedTuple):
    """Sentences, wrapped where the page has a width; kept line by line where `as_is`."""

    text: str
    title: str = ""
    as_is: bool = False


class Chart(NamedTuple):
    """Values in order, drawn as bars over their numbers from 1; `bound` is a line across, `marks` stand below.

    `marks` are numbers of values.
    """

    values: tuple[int, ...]
    bound: int | None = None
    marks: tuple[int, ...] = ()
    title: str = ""


Block = Table | Lines | Prose | Chart


class Sheet(NamedTuple):
    """A page from top to bottom; `footer` stands under all blocks, `next` last."""

    blocks: tuple[Block, ...]
    footer: tuple[Line, ...] = ()
    next: tuple[Command, ...] = ()


class Report(Protocol):
    """A result that can be shown; each method makes only what its format needs."""

    @property
    def name(self) -> str:
        """Return the report's name, that of its command."""
        ...

    def sheet(self) -> Sheet:
        """Return the page for people."""
        ...

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        ...

    def table(self) -> Table | None:
        """Return every row, none folded, or None where the report has no rows."""
        ...

    def lines(self) -> Iterator[bytes] | None:
        """Return JSON lines, each with its LF, or None where the report has none."""
        ...
