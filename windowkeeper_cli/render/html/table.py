"""How does a table stand in a page? Whole where it is short; a long one in a box of its own, in parts drawn as seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.render.cells import width_of
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.html.page import Page
from windowkeeper_cli.render.html.text import cell, safe
from windowkeeper_cli.render.words import text_of
from windowkeeper_cli.report.sheet import CHANGE, DETAIL, ID, NUMBER, SHARE, TEXT, Cell, Change, Column, Table

PART = 100
"""Rows of one part of a long table."""
LONG = 60
FILTERED_FROM = 12
MOST_CHOICES = 40
"""Different values of a column that one may choose among."""
WIDEST, LEAST_DETAIL, PAD = 28, 44, 2
"""Characters of a column that shrinks, of the last column at least, and around each."""
NUMBERS = (NUMBER, SHARE, CHANGE)
CLASS = {NUMBER: "n", SHARE: "n", CHANGE: "n", ID: "i", DETAIL: "d", TEXT: "t"}
LOOKS = (
    (NUMBERS, "text-align:right;font-variant-numeric:tabular-nums"),
    ((TEXT,), "white-space:normal;overflow-wrap:break-word"),
    ((DETAIL,), "white-space:normal;overflow-wrap:anywhere"),
)


def table(block: Table, page: Page) -> Iterator[str]:
    """Yield a table as markup."""
    number = page.number()
    rows = [_row(block, row, page) for row in block.rows]
    choices = choosable([column.kind for column in block.columns], block.rows)
    heads = "".join(head(column, place in choices) for place, column in enumerate(block.columns))
    found = f" data-steps={block.steps}" if block.steps is not None else ""
    filtered = " data-filter" if len(rows) >= FILTERED_FROM else ""
    yield f"<section class=table id=table-{number}{found}{filtered}>"
    if block.title:
        yield f"<h2>{safe(block.title)}</h2>"
    page.rule(looks(f"#table-{number}", block.columns))
    if len(rows) < LONG:
        yield box(block.title, [f"<table><thead><tr>{heads}<tbody>{''.join(rows)}</table>"], long=False)
    else:
        page.rule(widths(f"#table-{number}", block.columns, [wide(block.columns, block.rows)]))
        yield box(block.title, parts(heads, len(block.columns), rows), long=True)
    yield "</section>\n"


def box(title: str, inner: Sequence[str], *, long: bool) -> str:
    """Return what holds a table: it scrolls by itself where the table is wider, or longer."""
    name = safe(title or "table")
    kind = "box long" if long else "box"
    return f'<div class="{kind}" role=region tabindex=0 aria-label="{name}">{"".join(inner)}</div>'


def parts(heads: str, columns: int, rows: Sequence[str], marks: Sequence[str] = ()) -> list[str]:
    """Return a long table: its head, and its rows in parts that each know their columns; `marks` are classes of rows.

    A part all of whose rows have one class has it too, and takes no room where such rows are not shown.
    """
    group = f"<colgroup>{'<col>' * columns}</colgroup>"
    found = [f"<table class=head aria-hidden=true>{group}<thead><tr>{heads}</table>"]
    for first in range(0, len(rows), PART):
        same = set(marks[first : first + PART])
        kind = f' class="part {same.pop()}"' if len(same) == 1 and same != {""} else " class=part"
        body = "".join(rows[first : first + PART])
        found.append(f"<div{kind}><table>{group}<thead class=unseen><tr>{heads}<tbody>{body}</table></div>")
    return found


def head(column: Column, choice: bool = False) -> str:
    """Return the head of a column; `choice` says that a reader may choose among its values."""
    kind = CLASS.get(column.kind, "")
    return f"<th scope=col{f' class={kind}' if kind else ''}{' data-choice' if choice else ''}>{safe(column.title)}"


def data_cell(column: Column, value: Cell) -> str:
    """Return a cell under a column, empty where there is nothing to say; its look is a matter of its place."""
    if value is None:
        return "<td>"
    if column.kind == CHANGE and isinstance(value, Change) and value.after is None:
        value = value.before
    return f"<td>{cell(value)}"


def _row(block: Table, row: tuple[Cell, ...], page: Page) -> str:
    cells = [data_cell(column, value) for column, value in zip(block.columns, row, strict=True)]
    step = None if block.steps is None else row[block.steps]
    if not isinstance(step, int) or block.steps is None:
        return f"<tr>{''.join(cells)}"
    name = f"step-{step}"
    anchor = page.anchor(name)
    if anchor:
        cells[block.steps] = f"<td><a href=#{name}>{step:,}</a>"
    return f"<tr{anchor}>{''.join(cells)}"


def choosable(kinds: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> set[int]:
    """Return the columns of words whose values are few enough to choose among."""
    found: set[int] = set()
    for place, kind in enumerate(kinds):
        if kind in NUMBERS or kind in (ID, DETAIL):
            continue
        values = {text_of(row[place]) for row in rows}
        if 1 < len(values) <= min(MOST_CHOICES, len(rows) - 1):
            found.add(place)
    return found


def wide(columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]) -> list[int]:
    """Return the characters that each column needs, its head's included."""
    found = [width_of(escape(column.title)) + 2 for column in columns]
    for row in rows:
        for place, value in enumerate(row):
            if value is not None and columns[place].kind != DETAIL:
                found[place] = max(found[place], width_of(escape(text_of(value))))
    return found


def looks(where: str, columns: Sequence[Column]) -> str:
    """Return the rules that say how a table's cells look by their columns: numbers to the right, words may wrap."""
    rules: list[str] = []
    for kinds, style in LOOKS:
        places = [place for place, column in enumerate(columns, 1) if column.kind in kinds]
        if places:
            rules.append(f"{','.join(f'{where} td:nth-child({place})' for place in places)}{{{style}}}")
    return "".join(rules)


def widths(where: str, columns: Sequence[Column], needed: Sequence[Sequence[int]]) -> str:
    """Return the rules that give a long table's columns their widths; ids and numbers are never cut."""
    rules: list[str] = []
    total = 0
    for place, column in enumerate(columns):
        if column.kind == DETAIL:
            total += LEAST_DETAIL
            continue
        most = max(each[place] for each in needed)
        size = PAD + (min(most, WIDEST) if column.kind == TEXT else most)
        total += size
        rules.append(f"{where} col:nth-child({place + 1}){{width:{size}ch}}")
    return f"{where} .long table{{min-width:{total}ch}}{''.join(rules)}"
