"""The picture of a timeline: outlines by hand, and no peak lost where steps share a column."""

from __future__ import annotations

from tests.render.html.told import TIMELINE, read, written
from windowkeeper_cli.render.html.timeline import (
    COLUMNS,
    HEIGHT,
    WIDTH,
    across,
    columns_of,
    highest,
    stacked,
    ticks,
    unit_of,
)
from windowkeeper_cli.report.story import Bound, Layer


def test_layers_stand_on_each_other() -> None:
    """Four steps of 270 units each; the top is 25, so that 5 is 100 of 500 high: y runs from 500 down to 0."""
    picked = columns_of(TIMELINE)
    assert (picked, highest(TIMELINE), unit_of(picked), HEIGHT) == ([0, 1, 2, 3], 25, WIDTH // 4, 500)
    low, middle, high = stacked(TIMELINE.layers, picked, 25)
    assert low == "M0 500V400h1080V500h-1080z"
    assert middle == "M0 400V400h270V200h270V0h270V400h270V400h-1080z"
    assert high == "M0 400V400h270V200h270V0h270V260h270V400h-270V0h-270V200h-270V400h-270z"


def test_a_line_is_broken_where_it_has_no_value() -> None:
    assert across(TIMELINE.bounds[0], [0, 1, 2, 3], 25) == "M0 100h1080"
    assert across(Bound("b", (None, 5, None, 10)), [0, 1, 2, 3], 25) == "M270 400h270M810 300h270"
    assert across(Bound("b", (5, 10, None, None)), [0, 1, 2, 3], 25) == "M0 400h270V300h270"


def test_no_peak_is_lost_where_steps_share_a_column() -> None:
    many = 5 * COLUMNS
    values = tuple(1_000 if step == 7 else step % 5 for step in range(many))
    timeline = TIMELINE._replace(layers=(Layer("a", 0, 0, values),), bounds=(), marks=(), labels=("x",) * many)
    picked = columns_of(timeline)
    assert len(picked) == COLUMNS and picked[1] == 7
    assert all(values[step] == 4 for step in picked[2:]) and picked == sorted(picked)


def test_layers_of_one_hue_differ_by_texture_and_all_is_named() -> None:
    page = written(TIMELINE)
    shown = "".join(read(page).shown)
    assert 'fill="url(#p1-1-1)"' in page and 'fill="url(#p1-4-4)"' in page and "class=h0" in page
    for words in ("a 5", "b 0", "c 7", "limit 20", "target 9", "together 12", "moved 3", "the next"):
        assert words in shown


def test_first_and_last_step_are_named() -> None:
    assert ticks(1) == [1] and ticks(4_001) == [1, 1_000, 2_000, 3_000, 4_001] and ticks(0) == []
