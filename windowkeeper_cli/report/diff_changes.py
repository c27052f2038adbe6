"""How do two sides' figures look beside each other, better and worse said in words?"""

from __future__ import annotations

from windowkeeper_cli.report.diff import DiffReport
from windowkeeper_cli.report.diff_figures import Figure
from windowkeeper_cli.report.sheet import BAD, GOOD, NUMBER, WORD, Cell, Column, Line, Marked, Part, Prose, Share, Table

SHARES = ("cacheReuse",)
MONEY = "money"
COLUMNS = (
    Column("figure", "figure", WORD),
    Column("a", "A", NUMBER),
    Column("b", "B", NUMBER),
    Column("change", "change", NUMBER),
    Column("share", "%", NUMBER),
    Column("better", "B is", WORD),
)


def figures_block(report: DiffReport) -> Table | Prose:
    """Return the figures that differ, and those that one side alone has; a sentence where there are none."""
    rows = tuple(
        _row(figure) for figure in report.figures() if figure.change or (figure.a is None) != (figure.b is None)
    )
    if not rows:
        return Prose("No figure differs.")
    many = len(report.replay.sessions)
    over = f" over {many:,} sessions" if many > 1 else " over the whole session"
    return Table(COLUMNS, rows, f"figures that differ ({len(rows):,}){over}")


def unchanged_line(report: DiffReport) -> Line | None:
    """Return the figures that are the same on both sides, None where there are none."""
    alike = [figure for figure in report.figures() if figure.a is not None and figure.change == 0]
    parts: list[Part] = [(figure.figure, figure_words(figure, figure.a)) for figure in alike if figure.a]
    zeros = ", ".join(figure.figure for figure in alike if not figure.a)
    return Line("the same", (*parts, *(((f"0 in both: {zeros}",),) if zeros else ()))) if alike else None


def figure_words(figure: Figure, value: float | None) -> Cell:
    """Return one side's value as a page shows it."""
    if value is None:
        return None
    if figure.figure in SHARES:
        return Share(value)
    if figure.figure == MONEY:
        return f"{value:,.4f}"
    return round(value)


def change_words(figure: Figure) -> Cell:
    """Return a change as a page shows it, with its sign; that of a share in points of a hundred."""
    if figure.change is None:
        return None
    if figure.figure in SHARES:
        return f"{figure.change * 100:+.1f} points"
    return f"{figure.change:+,.4f}" if figure.figure == MONEY else f"{round(figure.change):+,}"


def share_words(figure: Figure) -> Cell:
    """Return a change as a share of A's value, empty where that is none or nothing."""
    if figure.change is None or not figure.a or figure.figure in SHARES:
        return ""
    share = figure.change / figure.a * 100
    return f"{share:+,.0f}%" if abs(share) >= 1 else f"{share:+.1f}%"


def judged(figure: Figure) -> Cell:
    """Return whether B is better or worse, empty where neither can be said."""
    if figure.better is None:
        return ""
    return Marked("better", GOOD) if figure.better else Marked("worse", BAD)


def _row(figure: Figure) -> tuple[Cell, ...]:
    values = [figure_words(figure, value) for value in (figure.a, figure.b)]
    return (figure.figure, *values, change_words(figure), share_words(figure), judged(figure))
