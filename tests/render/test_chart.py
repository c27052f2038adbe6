"""How a chart of values looks: bars, bound, marks, few and many values, a narrow code page."""

from __future__ import annotations

import pytest

from windowkeeper_cli.render.chart import ROWS, chart_lines
from windowkeeper_cli.render.page import page_lines
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import BAD, DIM, PLAIN, Chart, Sheet


def drawn(chart: Chart, width: int | None = 60, encoding: str = "utf-8") -> list[str]:
    """Return a chart's lines as text."""
    return ["".join(text for text, _ in line).rstrip() for line in chart_lines(chart, Style(False, width, encoding))]


def test_a_bar_is_as_high_as_its_share_of_the_top() -> None:
    # 8 rows: 80 fills all, 40 the lower half, 5 half a row, 0 none; each value takes four columns.
    lines = drawn(Chart((80, 40, 5, 0)))
    assert lines[0] == "80 │████"
    assert lines[3] == "   │████"
    assert lines[4] == "   │████████"
    assert lines[7] == "   │████████▄▄▄▄"
    assert lines[8] == " 0 └────────────────"
    assert lines[9] == "    1              4"
    assert len(lines) == ROWS + 2


def test_the_bound_is_a_line_through_the_empty_cells_of_its_row() -> None:
    lines = drawn(Chart((10, 80), bound=60))
    assert lines[2] == "60 │────████"
    assert lines[0] == "80 │    ████"


def test_the_bound_gives_the_top_where_no_value_reaches_it() -> None:
    assert drawn(Chart((10, 20), bound=80))[0] == "80 │────────"


def test_what_is_over_the_bound_has_a_tone_and_the_rest_has_none() -> None:
    row = next(chart_lines(Chart((80, 70), bound=75), Style(False, 60)))
    assert row[1] == ("████", BAD)
    lowest = list(chart_lines(Chart((80, 70), bound=75), Style(False, 60)))[7]
    assert [tone for _, tone in lowest] == [DIM, BAD, PLAIN]


def test_marks_stand_below_the_first_column_of_their_value() -> None:
    lines = drawn(Chart((10, 20, 30), marks=(2,)))
    assert lines[9] == "        ^"
    assert not any("^" in line for line in drawn(Chart((10, 20, 30))))


@pytest.mark.parametrize("width", [40, 80, 100, 140])
@pytest.mark.parametrize("count", [1, 2, 39, 80, 1_000, 4_001])
def test_a_chart_fits_the_page(width: int, count: int) -> None:
    values = tuple(range(1, count + 1))
    lines = drawn(Chart(values, count // 2 or 1, (1, count)), width)
    assert max(len(line) for line in lines) <= width
    assert lines[-1].split()[0] == "1"
    assert lines[-2].count("^") in (1, 2)


def test_of_many_values_the_highest_is_shown() -> None:
    values = [1] * 1_000
    values[777] = 80
    lines = drawn(Chart(tuple(values)), 60)
    assert lines[0].count("█") == 1


def test_a_code_page_without_blocks_has_plain_marks() -> None:
    lines = drawn(Chart((80, 40, 5, 0), bound=60), 60, "ascii")
    assert all(line.isascii() for line in lines)
    assert lines[0] == "80 |####"
    assert lines[2] == "60 |####------------"
    assert lines[8] == " 0 +----------------"


def test_a_page_without_a_width_bounds_its_charts() -> None:
    assert max(len(line) for line in drawn(Chart(tuple(range(9_000))), None)) <= 120


def test_no_values_are_no_chart_and_zeros_are_an_empty_one() -> None:
    assert drawn(Chart(())) == []
    assert "█" not in "".join(drawn(Chart((0, 0))))


def test_a_page_shows_a_charts_title_above_it() -> None:
    lines = list(page_lines(Sheet((Chart((1, 2), title="tokens by call"),)), Style(False, 60)))
    assert lines[0][0][0] == "tokens by call"
    assert len(lines) == 1 + ROWS + 2
