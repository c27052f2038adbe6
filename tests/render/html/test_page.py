"""One page: nothing from elsewhere, nothing of a text but its text, everything there without the script."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.html.told import BOTH, FRAMES, TIMELINE, line, long_table, read, written
from tests.render.test_md import NASTY
from windowkeeper_cli.render import html
from windowkeeper_cli.render.escape import escape
from windowkeeper_cli.render.html.table import LONG, PART
from windowkeeper_cli.report.sheet import DETAIL, TEXT, Chart, Column, Prose, Table

HOSTILE = (
    *NASTY, "<script>pwned=1</script>", "</script>", "</style>", "<!--", "-->", "]]>", "<img src=x onerror=pwned=1>",
    "\" onmouseover='pwned=1'", "javascript:pwned=1", "&lt;b&gt;", "\u202egnp.exe\u202c", "\x00\x1b[2J", "\ud800",
    "\u2066x\u2069", "<svg/onload=pwned=1>", "{{7*7}}", "`${pwned=1}`",
)  # fmt: skip
TAGS = frozenset(
    (
        *(
            "a",
            "b",
            "body",
            "code",
            "col",
            "colgroup",
            "dd",
            "defs",
            "div",
            "dl",
            "dt",
            "footer",
            "g",
            "h1",
            "h2",
            "head",
        ),
        *("header", "html", "input", "label", "li", "main", "meta", "p", "path", "pattern", "pre", "rect", "script"),
        *("section", "span", "style", "svg", "table", "tbody", "td", "th", "thead", "title", "tr", "ul"),
    )
)
EVERYTHING = (
    line("x"),
    TIMELINE,
    FRAMES,
    BOTH,
    long_table(LONG + 1),
    Prose("a\nb"),
    Prose("a\nb", as_is=True),
    Chart((1, 2)),
)


def test_all_that_is_loaded_is_in_the_page() -> None:
    reader = read(written(*EVERYTHING))
    assert {name for name, _ in reader.tags} <= TAGS
    for name, attributes in reader.tags:
        assert not {"src", "srcset", "style", "action", "data"} & set(attributes), name
        assert not [key for key in attributes if key.startswith("on")], name
        assert (attributes.get("href") or "#").startswith("#"), name
        assert not re.search(r"url\((?!#)|@import|https?:", " ".join(value or "" for value in attributes.values())), (
            name
        )
    assert not re.search(r"url\(|@import|https?:", "".join(reader.inside["style"]))
    assert not re.search(r"https?:|innerHTML|insertAdjacentHTML|\beval\b|document\.write|fetch\(|import\(|XMLHttp",
                         "".join(reader.inside["script"]))  # fmt: skip


def test_the_content_policy_lets_only_this_style_and_this_script_run() -> None:
    page = written(*EVERYTHING)
    reader = read(page)
    policy = next(meta["content"] for meta in reader.of("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    script = page.rpartition("<script>")[2].partition("</script>")[0]
    style = page.partition("<style>")[2].partition("</style>")[0]
    for name, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_a_page_without_steps_and_long_tables_has_no_script() -> None:
    page = written(line("x"), Table((Column("a", "a"),), (("b",),)))
    assert "<script" not in page and "script-src 'none'" in page


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_is_never_more_than_a_text(text: str) -> None:
    table = Table((Column("a", text, TEXT), Column("b", "b", DETAIL)), ((text, text),), text)
    timeline = TIMELINE._replace(
        title=text, labels=(text,) * 4, marks=(TIMELINE.marks[0]._replace(title=text, at=((1, text),)),)
    )
    rows = tuple(row._replace(cells=(0, "a" * 12, text, text)) for row in FRAMES.rows)
    lanes = tuple(
        lane._replace(title=text, moves=tuple(move._replace(why=text) for move in lane.moves)) for lane in BOTH.lanes
    )
    own = (line(text), Prose(text), Prose(text, as_is=True), table, timeline, FRAMES._replace(rows=rows, title=text))
    page = written(*own, BOTH._replace(rows=rows, lanes=lanes))
    reader = read(page)
    names = [name for name, _ in reader.tags]
    assert set(names) <= TAGS
    assert names.count("td") == 2 + 4 * (7 + 1) + 4 * (3 + 2 + 1)
    assert names.count("script") == 2 and names.count("style") == 1
    assert not [key for _, attributes in reader.tags for key in attributes if key.startswith("on")]
    shown = "".join(reader.shown)
    for part in text.split("\n"):
        assert escape(part) in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]", page)


@given(st.text(max_size=30))
def test_a_cell_reads_as_its_own_text(text: str) -> None:
    reader = read(written(Table((Column("a", "a", TEXT), Column("b", "b", DETAIL)), ((text, "end"),))))
    assert reader.cells[1] == [escape(text), "end"]


def test_a_long_table_is_whole_and_in_parts_and_each_step_has_one_anchor() -> None:
    count = 2 * PART + 10
    reader = read(written(TIMELINE, long_table(count)))
    rows = [row for row in reader.cells if row and row[-1].startswith("row ")]
    assert [row[-1] for row in rows] == [f"row {number}" for number in range(count)]
    names = [attributes["id"] for _, attributes in reader.tags if attributes.get("id")]
    assert len(names) == len(set(names))
    assert [name for name in names if name and name.startswith("step-")] == [f"step-{n + 1}" for n in range(count // 2)]
    assert sum(attributes.get("class") == "part" for attributes in reader.of("div")) == 3


def test_ids_and_numbers_have_their_room_and_only_the_last_column_shrinks() -> None:
    page = written(long_table(LONG))
    assert "#table-1 col:nth-child(3){width:14ch}" in page
    assert "col:nth-child(4)" not in page


def test_the_same_story_is_the_same_bytes() -> None:
    assert written(*EVERYTHING) == written(*EVERYTHING)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_script_is_one() -> None:
    with_path = files(html.__name__).joinpath("page.js")
    done = subprocess.run(["node", "--check", str(with_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def colours(scheme: str) -> dict[str, tuple[float, float, float]]:
    """Return the colours of the style sheet by name, 0 to 1 each."""
    css = files(html.__name__).joinpath("page.css").read_text("utf-8")
    light, _, dark = css.partition("@media (prefers-color-scheme: dark)")
    text = light if scheme == "light" else dark.partition("* {")[0]
    found = re.findall(r"--([a-z0-9]+): #([0-9a-f]{6});", text)
    return {name: tuple(int(value[i : i + 2], 16) / 255 for i in (0, 2, 4)) for name, value in found}  # type: ignore[misc]


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2, "contrast ratio" and "relative luminance")."""
    lights = []
    for colour in (one, other):
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_contrast_is_counted_as_published() -> None:
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    assert contrast((0.4667, 0.4667, 0.4667), (1, 1, 1)) == pytest.approx(4.48, abs=0.01)  # #777 on white


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_told_from_what_they_stand_on(scheme: str) -> None:
    found = colours(scheme)
    assert len(found) >= 20
    for ground in ("ground", "raised", "aim"):
        for text in ("text", "quiet", "link", "good", "warn", "bad"):
            assert contrast(found[text], found[ground]) >= 4.5, (text, ground)  # WCAG 1.4.3, level AA
    for drawn in [name for name in found if name.startswith(("hue", "line", "edge", "focus", "cursor"))]:
        for ground in ("ground", "raised"):
            assert contrast(found[drawn], found[ground]) >= 3, (drawn, ground)  # WCAG 1.4.11, level AA
