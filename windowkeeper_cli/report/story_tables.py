"""Which decisions were made, and which evidence gaps followed? The tables of a story, at every call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.report.explain_rows import CALL, COLUMNS, decision_row, decision_rows
from windowkeeper_cli.report.heading import several
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.sheet import DETAIL, ID, NUMBER, TEXT, WORD, Cell, Column, Link, Table
from windowkeeper_cli.report.story_track import Track
from windowkeeper_cli.report.story_window import anchor
from windowkeeper_cli.report.subject import Subject

ITEM = next(place for place, column in enumerate(COLUMNS) if column.kind == ID)
GAPS = (
    Column("call", "call", NUMBER),
    Column("kind", "kind", WORD),
    Column("exact", "exact", WORD),
    Column("item", "source", ID),
    Column("leftCall", "left at", NUMBER),
    Column("rule", "rule", TEXT),
    Column("distance", "calls after", NUMBER),
    Column("address", "address", WORD),
    Column("detail", "use; source", DETAIL),
)


def tables(subject: Subject, tracks: Sequence[Track]) -> Iterator[Table]:
    """Yield the decisions of each track, then its gaps; of several tracks, many decisions of one kind as one row."""
    for track in tracks:
        under = f" under {track.title}" if len(tracks) > 1 else ""
        lines = tuple(track.lines())
        if lines:
            title = f"{_count(len(lines), 'decision')}{under}, at every call"
            yield _all_decisions(subject, track, title) if len(tracks) == 1 else _folded(subject, track, title)
        if track.gaps:
            yield _gaps(subject, track, f"{_count(len(track.gaps), 'evidence gap')}{under}")


def _count(count: int, word: str) -> str:
    return f"{count:,} {several(count, word)[1]}"


def _all_decisions(subject: Subject, track: Track, title: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for line in track.lines():
        cells = (line.call, *decision_row(subject, line))
        item = line.item if line.at is None else Link(line.item, anchor(line.at))
        rows.append((*cells[: ITEM + 1], item, *cells[ITEM + 2 :]))
    return Table((CALL, *COLUMNS), tuple(rows), title, steps=0)


def _folded(subject: Subject, track: Track, title: str) -> Table:
    found = decision_rows(subject, tuple(track.lines()), with_call=True, all_rows=False, title=title)
    return found._replace(steps=0)


def _gaps(subject: Subject, track: Track, title: str) -> Table:
    items = subject.transcript.items
    rows: list[tuple[Cell, ...]] = []
    for gap in track.gaps:
        source = gap.source
        exact = None if gap.exact is None else "exact" if gap.exact else "likely"
        link = None if source is None else Link(items[source].id, anchor(source))
        told = gap.use if source is None else f"{gap.use}; {about(subject, source)}"
        rows.append((gap.call, gap.kind, exact, link, gap.left_call, gap.rule, gap.distance, gap.address, told))
    return Table(GAPS, tuple(rows), title, steps=0)
