"""How do frames look? One row each, as it stands at the step to look at first; its moves are data for the script."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.html.packing import packed, places
from windowkeeper_cli.render.html.page import Page
from windowkeeper_cli.render.html.table import box, choosable, data_cell, head, looks, parts, wide, widths
from windowkeeper_cli.render.html.text import name_of, safe
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Cell, Column
from windowkeeper_cli.report.story import Framed, Frames, Lane

ABSENT, GONE, STANDS = "absent", "gone", ""
"""Classes of rows: not come yet, no longer part of the frame, part of it."""


class Standing(NamedTuple):
    """How a row stands in a lane: None for a row that has not come; `since` and `why` are of its last move."""

    state: int | None
    size: int
    since: int | None = None
    why: str = ""


def frames(block: Frames, page: Page) -> Iterator[str]:
    """Yield frames as markup."""
    number = page.number()
    lanes = [standing_at(block, lane) for lane in block.lanes]
    columns = _columns(block)
    cells = [_cells(block, place, [lane[place] for lane in lanes]) for place in range(len(block.rows))]
    kinds = [_kind(block, [lane[place].state for lane in lanes]) for place in range(len(block.rows))]
    choices = choosable([column.kind for column in columns], cells)
    first = len(block.columns)
    choices |= {first} if len(block.lanes) == 1 else set(range(first, first + len(block.lanes)))
    heads = "".join(head(column, place in choices) for place, column in enumerate(columns))
    rows = [_row(columns, *each, page) for each in zip(block.rows, cells, kinds, strict=True)]
    page.frames.append(_data(block))
    page.rule(looks(f"#frames-{number}", columns))
    page.rule(widths(f"#frames-{number}", columns, [wide(columns, cells), _room(block, columns)]))
    gone = kinds.count(GONE)
    words = f"data-items={name_of(block.items)} data-units={name_of(block.units)}"
    yield f"<section class=frames id=frames-{number} data-filter {words}>"
    yield f"<h2>{safe(block.title)}</h2><p class=at>at {safe(block.word)} <b class=step>{block.at:,}</b>: "
    yield f"<span class=sums>{safe(sums(block, lanes))}</span></p>"
    yield f"<input type=checkbox id=gone-{number} class=showgone>"
    yield f" <label for=gone-{number}>show what has left (<b class=gone-count>{gone:,}</b>)</label>"
    yield box(block.title, parts(heads, len(columns), rows, kinds), long=True)
    yield "</section>\n"


def standing_at(block: Frames, lane: Lane) -> list[Standing]:
    """Return how each row stands in a lane at the step to look at first."""
    found = [
        Standing(0, row.size) if row.came is not None and row.came <= block.at else Standing(None, 0)
        for row in block.rows
    ]
    for move in lane.moves:
        if move.step > block.at:
            break
        found[move.row] = Standing(move.state, move.size, move.step, move.why)
    return found


def sums(block: Frames, lanes: Sequence[Sequence[Standing]]) -> str:
    """Return how many rows stand in each lane, and their size together."""
    told: list[str] = []
    for lane, rows in zip(block.lanes, lanes, strict=True):
        standing = [row.size for row in rows if row.state is not None and block.states[row.state].stands]
        under = f"{lane.title}: " if len(block.lanes) > 1 else ""
        told.append(f"{under}{len(standing):,} {block.items}, {sum(standing):,} {block.units}")
    return "; ".join(told)


def _columns(block: Frames) -> tuple[Column, ...]:
    if len(block.lanes) == 1:
        own: tuple[Column, ...] = (
            Column("state", "stands", WORD),
            Column("size", f"{block.units} now", NUMBER),
            Column("since", "since", NUMBER),
            Column("why", "by", TEXT),
        )
    else:
        own = tuple(Column(f"state{place}", lane.title, WORD) for place, lane in enumerate(block.lanes))
    return (*block.columns, *own)


def _cells(block: Frames, place: int, lanes: Sequence[Standing]) -> tuple[Cell, ...]:
    row = block.rows[place]
    own: tuple[Cell, ...]
    if len(lanes) == 1:
        one = lanes[0]
        state = None if one.state is None else block.states[one.state].name
        own = (state, None if one.state is None else one.size, one.since, one.why or None)
    else:
        own = tuple(_state_words(block, one) for one in lanes)
    return (*row.cells, *own)


def _state_words(block: Frames, one: Standing) -> str | None:
    if one.state is None:
        return None
    state = block.states[one.state]
    return f"{state.name} {one.size:,}" if state.stands and one.state else state.name


def _kind(block: Frames, states: Sequence[int | None]) -> str:
    come = [state for state in states if state is not None]
    if not come:
        return ABSENT
    return STANDS if any(block.states[state].stands for state in come) else GONE


def _row(columns: Sequence[Column], row: Framed, cells: tuple[Cell, ...], kind: str, page: Page) -> str:
    named = page.anchor(name_of(row.anchor))
    inner = "".join(data_cell(column, value) for column, value in zip(columns, cells, strict=True))
    return f"<tr{named}{f' class={kind}' if kind else ''}>{inner}"


def _room(block: Frames, columns: Sequence[Column]) -> list[int]:
    """Return the characters that the columns of lanes may need at any step."""
    first = len(block.columns)
    found = [0] * len(columns)
    names = max(len(state.name) for state in block.states)
    largest = max((len(f"{row.size:,}") for row in block.rows), default=1)
    if len(block.lanes) == 1:
        reasons = max((len(move.why) for move in block.lanes[0].moves), default=0)
        found[first : first + 4] = [names, largest, len(f"{block.steps:,}"), reasons]
    else:
        found[first:] = [names + 1 + largest] * len(block.lanes)
    return found


def _data(block: Frames) -> object:
    lanes = []
    for lane in block.lanes:
        reasons, by = places(move.why for move in lane.moves)
        moves = lane.moves
        columns = ([one.step for one in moves], [one.row for one in moves], [one.state for one in moves])
        packs = [packed(column) for column in (*columns, [one.size for one in moves], by)]
        lanes.append({"title": escape(lane.title), "moves": packs, "why": [escape(reason) for reason in reasons]})
    return {
        "came": packed(0 if row.came is None else row.came for row in block.rows),
        "sizes": packed(row.size for row in block.rows),
        "states": [[escape(state.name), int(state.stands)] for state in block.states],
        "lanes": lanes,
    }
