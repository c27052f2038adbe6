"""A story made by hand, and a reader of pages, for the tests of HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from tests.render.sample import Sample
from windowkeeper_cli.render.html import render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import DETAIL, ID, NUMBER, WORD, Cell, Column, Command, Line, Lines, Link, Table
from windowkeeper_cli.report.story import (
    Bound,
    Framed,
    Frames,
    Lane,
    Layer,
    Marks,
    Move,
    State,
    Story,
    Timeline,
)

STATES = (State("full"), State("cut"), State("out", stands=False))
COLUMNS = (Column("at", "at", NUMBER), Column("item", "item", ID), Column("role", "role", WORD))
TIMELINE = Timeline(
    (Layer("a", 0, 0, (5, 5, 5, 5)), Layer("b", 1, 1, (0, 10, 20, 0)), Layer("c", 4, 4, (0, 0, 0, 7))),
    (Bound("limit", (20, 20, 20, 20)), Bound("target", (None, None, 8, 9))),
    (Marks("moved", ((3, ""), (4, "twice"), (4, "thrice"))),),
    ("one", "two", "three", "the next"),
    4,
    "by step",
)
ROWS = (
    Framed((0, "aaaaaaaaaaaa", "user", "first"), 1, 5, "at-0"),
    Framed((1, "bbbbbbbbbbbb", "tool", "second"), 2, 10, "at-1"),
    Framed((None, "cccccccccccc", "text", "ours"), None, 7, "text-1"),
    Framed((2, "dddddddddddd", "tool", "third"), 3, 10, "at-2"),
)
MOVES = (
    Move(3, 1, 1, 4, "cut.rule"),
    Move(4, 1, 2, 0, "out.rule"),
    Move(4, 2, 0, 7, "note"),
    Move(4, 3, 2, 0, "out.rule"),
)
FRAMES = Frames((*COLUMNS, Column("d", "what", DETAIL)), ROWS, STATES, (Lane("one", MOVES),), 4, 4, "frames")
BOTH = FRAMES._replace(lanes=(Lane("A", MOVES), Lane("B", MOVES[:1])))


@dataclass(frozen=True, slots=True)
class Told(Sample):
    """A report with a story of some blocks."""

    blocks: tuple[object, ...] = ()

    def story(self) -> Story:
        """Return the story."""
        return Story(self.blocks, next=(Command(("show", "it's")),))  # type: ignore[arg-type]


def written(*blocks: object) -> str:
    """Return blocks as a page."""
    return b"".join(render(Told(blocks=blocks), Style())).decode()


def long_table(count: int) -> Table:
    """Return a table of many rows, two for each step."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (number // 2 + 1, "evict" if number % 3 else "trim", Link("f" * 12, "at-0"), f"row {number}")
        for number in range(count)
    )
    columns = (Column("call", "call", NUMBER), Column("action", "action", WORD), Column("item", "item", ID))
    return Table((*columns, Column("d", "detail", DETAIL)), rows, "many", steps=0)


def line(text: str) -> Lines:
    """Return one labelled line."""
    return Lines((Line("label", ((text,),)),))


@dataclass
class Reader(HTMLParser):
    """Reads a page: its tags with their attributes, its text by element, and all that is shown."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    inside: dict[str, list[str]] = field(default_factory=dict)
    cells: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._raw = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag; cells of rows are kept by row."""
        self.tags.append((tag, dict(attrs)))
        self._raw = tag if tag in ("script", "style") else ""
        if tag == "tr":
            self.cells.append([])
        elif tag in ("td", "th") and self.cells:
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Note the end of an element whose text is no text, and of a table's last row."""
        self._raw = ""
        if tag == "table":
            self.cells.append([])

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        if self._raw:
            self.inside.setdefault(self._raw, []).append(data)
            return
        self.shown.append(data)
        if self.cells and self.cells[-1]:
            self.cells[-1][-1] += data

    def of(self, tag: str) -> Iterator[dict[str, str | None]]:
        """Yield the attributes of a tag's elements."""
        return (attributes for name, attributes in self.tags if name == tag)


def read(page: str) -> Reader:
    """Return what a reader makes of a page."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader
