"""Which sessions change most from A to B?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from windowkeeper_cli.report.diff import DiffReport
from windowkeeper_cli.report.diff_changes import judged, share_words
from windowkeeper_cli.report.diff_figures import Figure
from windowkeeper_cli.report.figures import GAPS
from windowkeeper_cli.report.replay import SessionReplay
from windowkeeper_cli.report.replay_worst import LARGE, WORST, cost_words, title_of
from windowkeeper_cli.report.sheet import CHANGE, NUMBER, TEXT, WORD, Cell, Change, Column, Table

COST = "costWeighted"


def most_changed(report: DiffReport) -> list[SessionReplay]:
    """Return the sessions that change most: in gaps, then items lost, then cost; none where there is only one."""
    if report.one is not None or len(report.replay.sessions) < 2:
        return []
    parted = [one for one, call in zip(report.replay.sessions, report.parted, strict=True) if call is not None]
    found = {one.path: _named(report, one) for one in parted}

    def size(one: SessionReplay) -> tuple[int, float, float, str]:
        figures = found[one.path]
        gaps = _gaps(figures)
        change = 0 if gaps is None or gaps.before is None or gaps.after is None else abs(gaps.after - gaps.before)
        return -change, -abs(figures["itemsLost"].change or 0), -abs(figures[COST].change or 0), one.path

    return sorted(parted, key=size)[:WORST]


def most_changed_table(report: DiffReport, sessions: Sequence[SessionReplay]) -> Table:
    """Return the table of these sessions."""
    named = [_named(report, one) for one in sessions]
    with_gaps = any(_gaps(figures) is not None for figures in named)
    millions = max(max(figures[COST].a or 0, figures[COST].b or 0) for figures in named) >= LARGE
    rows: list[tuple[Cell, ...]] = []
    for one, figures in zip(sessions, named, strict=True):
        cost, lost = figures[COST], figures["itemsLost"]
        row: list[Cell] = [title_of(one), one.calls, report.parted[report.replay.sessions.index(one)]]
        if with_gaps:
            row.append(_gaps(figures))
        row += [Change(round(lost.a or 0), round(lost.b or 0))]
        row += [cost_words(cost.a or 0, millions), cost_words(cost.b or 0, millions), share_words(cost), judged(cost)]
        rows.append(tuple(row))
    columns = [
        Column("session", "session", TEXT),
        Column("calls", "calls", NUMBER),
        Column("parts", "parts at", NUMBER),
    ]
    if with_gaps:
        columns.append(Column("gapsA", "gaps", CHANGE, "gapsB"))
    columns += [
        Column("lostA", "lost", CHANGE, "lostB"),
        Column("costA", "cost in A", NUMBER),
        Column("costB", "in B", NUMBER),
        Column("change", "%", NUMBER),
        Column("better", "cost is", WORD),
    ]
    title = "sessions that change most (the commands below open them, in this order)"
    return Table(tuple(columns), tuple(rows), title)


def _named(report: DiffReport, one: SessionReplay) -> Mapping[str, Figure]:
    return {figure.figure: figure for figure in report.figures((one,))}


def _gaps(figures: Mapping[str, Figure]) -> Change | None:
    """Return the gaps of both sides, of all kinds together, None where they were not looked for."""
    gaps = figures[GAPS]
    return None if gaps.a is None or gaps.b is None else Change(round(gaps.a), round(gaps.b))
