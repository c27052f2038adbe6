"""How a page fits 80, 100 and 140 columns, a pipe, a colour terminal and a narrow code page (spec/8)."""

from __future__ import annotations

import re

import pytest

from tests.render.sample import Sample
from windowkeeper_cli.render.cells import width_of, wrap
from windowkeeper_cli.render.page import page_lines, render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import NUMBER, WORD, Column, Line, Lines, Sheet, Table

SGR = re.compile(r"\x1b\[[0-9;]*m")


def page(width: int | None = None, *, color: bool = False, encoding: str = "utf-8") -> list[str]:
    """Return the sample's lines."""
    body = b"".join(render(Sample(), Style(color, width, encoding)))
    return body.decode(encoding).split("\n")


@pytest.mark.parametrize("width", [80, 100, 140])
def test_lines_fit_and_ids_and_numbers_are_whole(width: int) -> None:
    lines = page(width)
    assert max(width_of(line) for line in lines) <= width
    row = next(line for line in lines if line.startswith("evict"))
    assert "toolResults.evictAfterTurns  76e09c97975b     4  1,504 -> 45" in row


def test_a_page_too_narrow_for_its_ids_shows_them_whole_all_the_same() -> None:
    assert any("76e09c97975b" in line for line in page(30))


def test_columns_that_do_not_fit_stand_below_beside_the_first_again() -> None:
    numbers = tuple(Column(name, name, NUMBER) for name in ("alpha", "beta", "gamma"))
    table = Table((Column("policy", "policy", WORD), *numbers), (("none", 1, 2, 3), ("long-name", 4, 50_000, 6)))
    lines = ["".join(text for text, _ in line).rstrip() for line in page_lines(Sheet((table,)), Style(False, 24))]
    assert lines == [
        "policy     alpha    beta",
        "none           1       2",
        "long-name      4  50,000",
        "",
        "policy     gamma",
        "none           3",
        "long-name      6",
    ]


def test_a_pipe_has_no_colour_and_does_not_wrap() -> None:
    lines = page()
    assert ("bash " * 20).rstrip() in next(line for line in lines if line.startswith("evict"))
    assert not any("\x1b" in line for line in lines)


def test_numbers_are_right_aligned_and_arrows_stand_under_each_other() -> None:
    header, first, second = (line for line in page() if line[:6] in ("action", "evict ", "keep  "))
    assert first.index("1,504") + len("1,504") == second.index("12 ") + len("12")
    assert first.index(" 4  ") + len(" 4") == header.index("turn") + len("turn")


def test_content_is_never_markup_and_never_an_escape_sequence() -> None:
    for color in (False, True):
        text = SGR.sub("", "\n".join(page(140, color=color)))
        assert "[red]日本語\\x1b[0m" in text
        assert "\x1b" not in text


def test_colour_changes_nothing_but_colour() -> None:
    colored = page(100, color=True)
    assert [SGR.sub("", line) for line in colored] == page(100)
    assert any("\x1b[" in line for line in colored)


def test_a_narrow_code_page_prints_everything() -> None:
    assert "\\u65e5\\u672c\\u8a9e" in "\n".join(page(encoding="ascii"))


def test_the_next_command_is_quoted_for_a_shell() -> None:
    assert "next   show 'it'\\''s' 'x y'" in page()


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a bb ccc", 4, ["a bb", "ccc"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("日本語", 4, ["日本", "語"]),
        ("x abcdefgh", 4, ["x", "abcd", "efgh"]),
        ("", 4, [""]),
    ],
)
def test_wrap_breaks_at_blanks_and_inside_words_only_where_it_must(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


def test_a_phrase_wider_than_the_page_goes_on_under_its_beginning() -> None:
    sheet = Sheet((Lines((Line("tokens", (("limit", 5), ("x " * 40,), ("end",))),)),))
    lines = ["".join(text for text, _ in line).rstrip() for line in page_lines(sheet, Style(False, 40))]
    assert lines == ["tokens  limit 5", *[" " * 8 + ("x " * 16).rstrip()] * 2, " " * 8 + "x x x x x x x x    end"]
