"""Markdown for a pull request: what a reader of it makes of a report is the report's own text, and nothing else.

The reader is markdown-it, which rich brings along; what GitHub makes of text outside code is in its documentation
of mentions, references and autolinks (GitHub Flavored Markdown 0.29, "Autolinked references and URLs").
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.md_reader import Reader, read
from tests.render.sample import Sample
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.md import FOLDED_FROM, LONGEST, inline, render
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    TEXT,
    Cell,
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

NASTY = (
    "@octocat", "#12", "GH-12", ":JIRA-7", "octo/repo#3", "https://x.dev/a", "www.x.dev", "a@b.dev", ":tada:", "`a`",
    "<b>x</b>", "<!-- x -->", "[a](b)", "![a](b)", "**a**", "_a_", "a_b_c", "~~a~~", "``", "```", "a|b", "\\|", "\\",
    "a\\", "|", "$x$", "$`x`$", "&amp;", "&#64;x", "- a", "+ a", "1. a", "1) a", "# a", "> a", "===", "---", "*",
    "| - | - |", "    a", "\ta", "a\nb", "\x1b[0m", "\u202e", "* a", "0f1e2d3c", "[x]: y", "漢字", "é", "👩‍👩‍👧",
    "a  b", " ", "", "^1", "!7", '%"m"',
)  # fmt: skip
"""Texts that some reader of Markdown makes more of."""
LINKED = re.compile(r"[@#|`<\[\]*_~\\$&]|://|www\.|\b[A-Za-z]+-\d|\b[0-9a-f]{7,}\b|:\w+:", re.IGNORECASE)
"""What must not stand outside code."""


class Page(Sample):
    """A report that is one sheet."""

    def __init__(self, *blocks: Table | Lines | Prose | Chart, next: tuple[Command, ...] = ()) -> None:
        object.__setattr__(self, "rows", ())
        object.__setattr__(self, "name", "sample")
        object.__setattr__(self, "has_table", False)
        self.__class__.made = Sheet(blocks, next=next)  # type: ignore[attr-defined]

    def sheet(self) -> Sheet:
        return self.__class__.made  # type: ignore[attr-defined,no-any-return]


def written(*blocks: Table | Lines | Prose | Chart, next: tuple[Command, ...] = ()) -> str:
    """Return blocks as Markdown."""
    return b"".join(render(Page(*blocks, next=next), Style())).decode()


def words(text: str) -> str:
    """Return a text as a page shows it, white space folded as HTML does."""
    return " ".join(part for part in escape(text).split(" ") if part)


def shown(reader: Reader) -> str:
    """Return all text of a page, white space folded."""
    return " ".join("".join(reader.all).split())


texts = st.one_of(
    st.sampled_from(NASTY),
    st.lists(st.sampled_from((*NASTY, "plain", "words", "12")), max_size=5).map(" ".join),
    st.lists(st.sampled_from((*NASTY, "x")), max_size=4).map("".join),
    st.text(st.characters(exclude_characters="\xa0\u1680\u3000\u202f\u205f"), max_size=30),
)


@given(texts, texts)
def test_a_cell_reads_as_its_own_text(first: str, second: str) -> None:
    table = Table((Column("a", "a", TEXT), Column("b", "b", DETAIL)), ((first, second), ("end", "end")))
    reader = read(written(table))
    assert reader.tags.count("td") == 4
    assert set(reader.tags) <= {"h3", "table", "thead", "tbody", "tr", "th", "td", "code"}
    found = [part for part in shown(reader).split("end", 1)[0].split(" ") if part][4:]
    assert "".join(found) == "".join((words(first) + words(second)).split())
    assert not LINKED.search("".join(reader.plain))


@given(texts)
def test_sentences_read_as_their_own_text(text: str) -> None:
    reader = read(written(Prose(text)))
    assert set(reader.tags) <= {"h3", "p", "code"}
    assert not LINKED.search("".join(reader.plain))
    assert shown(reader).split()[2:] == [word for line in text.split("\n") for word in words(line).split()]


@given(texts)
def test_labelled_lines_read_as_their_own_text(text: str) -> None:
    reader = read(written(Lines((Line("label", ((text, 1234), (Marked(text, BAD),))), Line("", ((text,),))))))
    assert set(reader.tags) <= {"h3", "ul", "li", "code", "strong"}
    assert not LINKED.search("".join(reader.plain))
    own = words(text).split()
    assert shown(reader).split()[2:] == ["label:", *own, "1,234", "·", *own, *own]


@given(texts)
def test_lines_kept_as_they_are_and_commands_stand_in_a_fence(text: str) -> None:
    reader = read(written(Prose(text, as_is=True), next=(Command(("windowkeeper", "info", text)),)))
    assert reader.tags == ["h3", "pre", "code", "pre", "code"]
    assert not LINKED.search("".join(reader.plain))


@given(texts)
def test_the_title_of_a_folded_table_reads_as_its_own_text(text: str) -> None:
    rows: tuple[tuple[Cell, ...], ...] = tuple((number,) for number in range(FOLDED_FROM))
    page = written(Table((Column("a", "a"),), rows, text))
    head = page.partition("<details><summary>")[2].partition("</summary>")[0]
    reader = Reader()
    reader.feed(head)
    assert set(reader.tags) <= {"code"}
    assert shown(reader).split() == (words(text) if text else f"{FOLDED_FROM} rows").split()
    assert not LINKED.search("".join(reader.plain))
    assert "\n" not in head
    assert page.endswith("|\n\n</details>\n")


def test_words_that_are_only_words_stay_as_they_are() -> None:
    plain = 'grep src/auth/redis.ts; age 10 > 8, "x" isn\'t in full: 3,210 -> 29% (of 2)'
    assert inline(plain) == plain
    assert inline("read_file logs/a.log; line #3") == "`read_file` logs/a.log; line `#3`"
    assert inline("a|b c", in_table=True) == "`a\\|b` c"


def test_a_table_is_githubs() -> None:
    text = b"".join(render(Sample(), Style())).decode()
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert rows[0] == "| action | rule | item | turn | tokens | share | detail |"
    assert rows[1] == "| --- | --- | --- | ---: | ---: | ---: | --- |"
    assert rows[2].startswith(
        "| **evict** | toolResults.evictAfterTurns | `76e09c97975b` | 4 | 1,504 -> 45 | 25% | bash"
    )
    assert rows[3] == "| keep | rule | `cc53b06fac2f` | - | 12 | - | `[red]日本語\\x1b[0m` |"
    assert text.startswith("### windowkeeper sample\n\n- session: a.json · 1,234 calls · limit 5,500\n")
    assert text.endswith("```sh\nshow 'it'\\''s' 'x y'\n```\n")


def test_a_long_cell_is_cut_and_says_so_but_never_an_id() -> None:
    long = "word " * 100
    table = Table((Column("i", "i", "id"), Column("d", "d", DETAIL)), (("f" * 400, long),))
    row = written(table).split("\n")[-2]
    assert row.startswith(f"| `{'f' * 400}` | word word")
    assert row.endswith("… |") and len(row) < 400 + LONGEST + 20


def test_a_long_table_is_folded_away_and_a_short_one_is_not() -> None:
    rows: tuple[tuple[Cell, ...], ...] = tuple((number,) for number in range(FOLDED_FROM))
    columns = (Column("n", "n", "number"),)
    assert written(Table(columns, rows[1:], "few")).count("<details>") == 0
    assert "<details><summary>many</summary>\n\n| n |\n| ---: |\n| 0 |\n" in written(Table(columns, rows, "many"))


def test_a_chart_is_drawn_in_a_fence() -> None:
    page = written(Chart((1, 5, 3), title="by call"))
    assert "**by call**\n\n```\n" in page
    assert "█" in page


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_markdown_is_utf_8_wherever_it_goes(encoding: str) -> None:
    assert "日本語" in b"".join(render(Sample(), Style(True, 80, encoding))).decode()
