"""How a report looks as Markdown for a pull request: GitHub's tables, lists, and code for all that could be markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.render.words import text_of
from windowkeeper_cli.report.sheet import (
    BAD,
    CHANGE,
    DETAIL,
    NUMBER,
    SHARE,
    STRONG,
    TEXT,
    Block,
    Cell,
    Change,
    Chart,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Prose,
    Report,
    Sheet,
    Table,
)

LONGEST = 300
"""Characters of a cell of `TEXT` or `DETAIL`; a longer one is cut and ends with an ellipsis."""
FOLDED_FROM = 25
"""Rows from which a table is folded away under its title."""
CHART_WIDTH = 100
_PLAIN = re.compile("[A-Za-z0-9\u00a1-\U0010ffff.,;:()'\"%/+=>?-]+")
_READ_AS_MORE = re.compile(r"://|:.*:|www\.|[a-z]-[0-9]|%[a-z0-9\"]|[0-9a-f]{7}", re.ASCII | re.IGNORECASE)
"""What GitHub or GitLab makes a link, a picture or a reference of, even without a mark: addresses, `:names:`, `X-1`."""
_BEGINS_PLAIN = re.compile("[A-Za-z(\u00a1-\U0010ffff]")
_TICKS = re.compile("`+")
_SENTENCE = re.compile("(.*[^,.;:])([,.;:]+)", re.DOTALL)
"""Words, and the points behind them that are a sentence's own."""


def render(report: Report, style: Style) -> Iterator[bytes]:  # noqa: ARG001
    """Yield the report's page as GitHub Flavored Markdown in UTF-8, a chunk a block."""
    yield f"### windowkeeper {report.name}\n".encode()
    for block in blocks(report.sheet()):
        yield f"\n{block}".encode()


def blocks(sheet: Sheet) -> Iterator[str]:
    """Yield a sheet's blocks, each with its LF, in order."""
    for block in sheet.blocks:
        yield _block(block)
    if sheet.footer:
        yield _labelled(sheet.footer)
    if sheet.next:
        yield _fenced("\n".join(escape(text_of(command)) for command in sheet.next), "sh")


def inline(text: str, *, in_table: bool = False) -> str:
    """Return a text so that it reads as itself: words that could mean more to a reader of Markdown become code."""
    words = escape(text).split(" ")
    runs = [(plain, " ".join(run)) for plain, run in groupby(words, _is_plain)]
    return " ".join(run if plain else _pointed(run, in_table=in_table) for plain, run in runs)


def _pointed(text: str, *, in_table: bool) -> str:
    match = _SENTENCE.fullmatch(text)
    words, points = match.groups() if match else (text, "")
    return _code(words, in_table=in_table) + points


def _is_plain(word: str) -> bool:
    return not word or (_PLAIN.fullmatch(word) is not None and _READ_AS_MORE.search(word) is None)


def _code(text: str, *, in_table: bool) -> str:
    """Return a text as code; a bar ends a cell even there, and is written with a backslash that readers take off."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1 if longest else 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    safe = text.replace("|", "\\|") if in_table else text
    return f"{fence}{pad}{safe}{pad}{fence}"


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    title = f"**{inline(block.title)}**\n\n" if block.title else ""
    if isinstance(block, Lines):
        return title + _labelled(block.lines)
    if isinstance(block, Chart):
        return title + _fenced(_chart(block))
    return title + _sentences(block)


def _table(table: Table) -> str:
    """Return a table; a long one is folded away, its title and number of rows stay."""
    head = " | ".join(inline(column.title, in_table=True) for column in table.columns)
    rule = " | ".join("---:" if column.kind in (NUMBER, SHARE, CHANGE) else "---" for column in table.columns)
    rows = [
        " | ".join(_cell(column, cell) for column, cell in zip(table.columns, row, strict=True)) for row in table.rows
    ]
    body = "".join(f"| {row} |\n" for row in (head, rule, *rows))
    if len(rows) < FOLDED_FROM:
        return (f"**{inline(table.title)}**\n\n" if table.title else "") + body
    summary = table.title or f"{len(rows):,} rows"
    return f"<details><summary>{_in_html(summary)}</summary>\n\n{body}\n</details>\n"


def _in_html(text: str) -> str:
    """Return a text for inside a line of HTML; it stays code where it is more than plain words."""
    words = groupby(escape(text).split(" "), _is_plain)
    return " ".join(" ".join(run) if plain else f"<code>{_entities(' '.join(run))}</code>" for plain, run in words)


def _entities(text: str) -> str:
    """Return a text with every mark of ASCII as a numeric reference, so that neither HTML nor Markdown reads it."""
    return "".join(
        char if (char.isascii() and char.isalnum()) or char == " " or ord(char) > 0x7F else f"&#{ord(char)};"
        for char in text
    )


def _cell(column: Column, cell: Cell) -> str:
    if column.kind == CHANGE and isinstance(cell, Change):
        parts = [cell.before] if cell.after is None else [cell.before, cell.after]
        return " -> ".join("" if part is None else text_of(part) for part in parts).strip()
    if cell is None and column.kind in (TEXT, DETAIL, CHANGE):
        return ""
    return _phrase(cell, in_table=True, cut=column.kind in (TEXT, DETAIL))


def _phrase(cell: Cell, *, in_table: bool = False, cut: bool = False) -> str:
    text = text_of(cell)
    if cut and len(text) > LONGEST:
        text = text[: LONGEST - 1] + "…"
    if isinstance(cell, Command):
        return _code(escape(text), in_table=in_table)
    shown = inline(text, in_table=in_table)
    strong = isinstance(cell, Marked) and cell.tone in (STRONG, BAD) and shown.strip() == shown != ""
    return f"**{shown}**" if strong else shown


def _labelled(lines: tuple[Line, ...]) -> str:
    """Return labelled lines as a list."""
    return "".join(_labelled_line(line) for line in lines)


def _labelled_line(line: Line) -> str:
    label = f"{inline(line.label)}: " if line.label else ""
    phrases = [" ".join(_phrase(cell) for cell in part) for part in line.parts]
    return f"- {_begin(label + ' · '.join(phrases))}\n"


def _sentences(block: Prose) -> str:
    if block.as_is:
        return _fenced("\n".join(escape(line) for line in block.text.split("\n")))
    return "".join(f"{_begin(inline(line.strip(' ')))}\n" for line in block.text.split("\n"))


def _begin(text: str) -> str:
    """Return a line of ours that begins no list, heading or quote; one that could has its first word as code."""
    text = text.lstrip(" ")
    if not text or text[0] in "`*" or _BEGINS_PLAIN.match(text):
        return text
    first, blank, rest = text.partition(" ")
    return _code(first, in_table=False) + blank + rest


def _fenced(text: str, language: str = "") -> str:
    """Return lines as they are, between fences longer than any in them; `text` is escaped."""
    fence = "`" * max(3, *(len(run) + 1 for run in _TICKS.findall(text)), 0)
    return f"{fence}{language}\n{text}\n{fence}\n"


def _chart(chart: Chart) -> str:
    from windowkeeper_cli.render.chart import chart_lines

    lines = chart_lines(chart, Style(False, CHART_WIDTH))
    return "\n".join("".join(text for text, _ in line).rstrip(" ") for line in lines)
