"""A picture shows what the table prints, cell by cell, in any font, and loads nothing (spec/8: `svg`)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.sample import Sample
from tests.render.svg_reader import lines, pieces
from windowkeeper_cli.render import page
from windowkeeper_cli.render.cells import width_of
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.render.svg import CSS, WIDTH, render
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    ID,
    TEXT,
    Chart,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Prose,
    Sheet,
    Table,
)

EMPTY = Sheet(())
TEXTS = st.text(st.sampled_from("ab  /<&\"'日本❤\ufe0f\u0301👩\u200d█▄…\x1b\u202e\ufffe\ud800"), max_size=90)


@dataclass(frozen=True, slots=True)
class Made(Sample):
    """A report that is one sheet."""

    made: Sheet = EMPTY

    def sheet(self) -> Sheet:
        """Return it."""
        return self.made


def picture(report: Sample, width: int | None = None) -> bytes:
    """Return a report's picture."""
    return b"".join(render(report, Style(False, width)))


def printed(report: Sample, width: int) -> list[str]:
    """Return what the table prints, without the empty lines at its end."""
    return b"".join(page.render(report, Style(False, width))).decode().rstrip("\n").split("\n")


def blackened(lines: list[str]) -> str:
    """Return what lines show, without the blanks."""
    return "".join(lines).replace(" ", "")


@pytest.mark.parametrize("width", [60, 100, 140])
def test_it_shows_what_the_table_prints(width: int) -> None:
    assert lines(picture(Sample(), width)) == printed(Sample(), width)


@given(TEXTS, TEXTS, st.integers(40, 120))
def test_it_shows_any_text_where_the_table_has_it(first: str, second: str, width: int) -> None:
    columns = (Column("item", "item", ID), Column("name", "name", TEXT), Column("why", "why", DETAIL))
    table = Table(columns, (("x", first, Marked(second, BAD)), ("y", second, first)), title=first)
    report = Made(made=Sheet((Lines((Line("of", ((first, 7), (second,))),)), table, Prose(second))))
    want = [line.rstrip(" ") for line in printed(report, width)]
    shown = lines(picture(report, width))
    if all(width_of(line) <= width for line in want):
        assert shown == want[: len(shown)] and not any(want[len(shown) :])
    else:
        assert blackened(shown) == blackened(want)


def test_a_command_too_wide_for_the_page_goes_on_below_itself() -> None:
    report = Made(made=Sheet((), next=(Command(("run", *["word"] * 12)),)))
    shown = lines(picture(report, 40))
    assert shown == ["", "next   run word word word word word word", "       word word word word word word"]
    assert blackened(shown) == blackened(printed(report, 40))


@pytest.mark.parametrize("bound", [None, 60])
def test_bars_are_drawn_as_high_as_the_table_has_them(bound: int | None) -> None:
    report = Made(made=Sheet((Chart((3, 10, 55, 80, 0, 7), bound, (2,), "tokens"),)))
    shown = lines(picture(report, 80))
    assert shown == [line.rstrip(" ") for line in printed(report, 80)]
    assert any("█" in line for line in shown)
    over = [piece for piece in pieces(picture(report, 80)) if piece.tone == BAD]
    assert bool(over) is (bound is not None)


def test_each_text_is_held_to_the_cells_that_it_takes() -> None:
    found = pieces(picture(Sample(), 140))
    assert all(piece.cells == width_of(piece.text) for piece in found)
    assert next(piece for piece in found if piece.text == "日本語").cells == 6


@pytest.mark.parametrize(("width", "cells"), [(None, WIDTH), (140, 140), (20, None)])
def test_it_is_one_picture_as_wide_as_its_page_or_its_widest_line(width: int | None, cells: int | None) -> None:
    root = ET.fromstring(picture(Sample(), width))
    widest = max(width_of(line) for line in printed(Sample(), 20))
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and widest > 20
    assert int(root.attrib["width"]) == (cells or widest) * 8 + 2 * 16


def test_it_loads_nothing_runs_nothing_and_has_no_names_that_could_meet_those_of_a_page() -> None:
    root = ET.fromstring(picture(Sample()))
    assert {element.tag.partition("}")[2] for element in root.iter()} == {"svg", "title", "style", "rect", "text"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name.startswith("on") or name == "id" or "href" in name}
    assert not re.search(r"url\(|@import|@font-face|https?:", CSS)
    rules = re.findall(r"^ *([^@{}\n]+) \{", CSS, re.M)
    assert rules and all(part.strip().startswith("svg.wk") for rule in rules for part in rule.split(","))


def luminance(color: str) -> float:
    """Return a colour's relative luminance (WCAG 2.2)."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_tone_can_be_read_on_light_and_on_dark_ground() -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    light, dark = CSS.split("@media", 1)
    for theme in (light, dark):
        colors = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", theme))
        assert {"ground", "text", "quiet", "good", "warn", "bad", "bar"} <= set(colors)
        ground = luminance(colors["ground"])
        for name in ("text", "quiet", "good", "warn", "bad", "bar"):
            high, low = sorted((ground, luminance(colors[name])), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 4.5, name
