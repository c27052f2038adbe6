"""The page in a browser: each step as the story has it, by keyboard, without scripts, at three widths, in both colours.

Where no Chromium is installed these are skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.render.html.browser import Browser, chromium
from tests.render.html.test_page import HOSTILE
from tests.render.html.told import BOTH, FRAMES, TIMELINE, line, long_table, written
from tests.report.made import fixture, subject
from windowkeeper_cli.render.html import render
from windowkeeper_cli.render.html.frames import standing_at
from windowkeeper_cli.render.style import Style
from windowkeeper_cli.report.explain_visits import at_call
from windowkeeper_cli.report.story import Frames, Timeline
from windowkeeper_cli.report.story_blocks import stepped
from windowkeeper_cli.report.story_track import track_of

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium here")
GO = "location.hash = '#step=%d'; new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(1)), 20))"
ROWS = """JSON.stringify([...document.querySelectorAll('section.frames tbody tr')].map((row) => [
  row.id, row.className.split(' ').filter((name) => name !== 'moved').join(), row.getClientRects().length > 0,
  ...[...row.cells].map((cell) => cell.textContent)]))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = chromium()
    assert program is not None
    one = Browser(program)
    yield one
    one.close()


@pytest.fixture(autouse=True)
def plain(browser: Browser) -> None:
    browser.scripts(on=True)
    browser.look(1400)


def opened(browser: Browser, folder: Path, page: str, fragment: str = "") -> list[Any]:
    """Open a page, and return what the browser complains of."""
    path = folder / "page.html"
    path.write_text(page, "utf-8")
    browser.open(path, fragment)
    return complaints(browser)


def complaints(browser: Browser) -> list[Any]:
    """Return what the browser complained of and what it asked for besides the page."""
    browser.settle() if browser.run("true") else None
    found = [event for event in browser.events if event["method"] in ("Log.entryAdded", "Runtime.exceptionThrown")]
    asked = [
        event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"
    ]
    return [*found, *(url for url in asked if not url.startswith("file:") or not url.endswith("/page.html"))]


def rows(browser: Browser) -> list[list[Any]]:
    """Return each row of the frames: anchor, class, whether it is seen, and its cells."""
    found: list[list[Any]] = json.loads(browser.run(ROWS))
    return found


def expected(frames: Frames, step: int) -> list[list[Any]]:
    """Return the same of a story, for frames of one lane."""
    found = []
    for row, one in zip(frames.rows, standing_at(frames._replace(at=step), frames.lanes[0]), strict=True):
        state = None if one.state is None else frames.states[one.state]
        kind = "absent" if state is None else "" if state.stands else "gone"
        shown = (
            [""] * 4 if state is None else [state.name, f"{one.size:,}", f"{one.since:,}" if one.since else "", one.why]
        )
        found.append([row.anchor, kind, kind == "", shown])
    return found


def test_every_step_of_a_real_page_is_as_the_story_has_it(browser: Browser, tmp_path: Path) -> None:
    one = subject(fixture())
    timeline, frames = stepped(one, (track_of(one),), 3)
    assert isinstance(timeline, Timeline) and isinstance(frames, Frames)
    page = b"".join(render(at_call(one, 3), Style())).decode()
    assert opened(browser, tmp_path, page) == []
    place = len(frames.columns)
    for step in (*range(1, frames.steps + 1), 2, 7, 1):
        browser.run(GO % step)
        found = [[*row[:3], row[3 + place : 7 + place]] for row in rows(browser)]
        assert found == expected(frames, step), step
        values = browser.run("[...document.querySelectorAll('.legend b')].map((one) => one.textContent)")
        layers = [layer.values[step - 1] for layer in timeline.layers]
        limits = [bound.values[step - 1] for bound in timeline.bounds]
        assert values == [f"{value:,}" for value in (*layers, *limits, sum(layers)) if value is not None]
        assert browser.run("document.querySelector('.sums').textContent").endswith(f"{sum(layers):,} tokens")
    assert complaints(browser) == []


def test_the_script_draws_what_the_page_came_with(browser: Browser, tmp_path: Path) -> None:
    one = subject(fixture())
    drawn = "[...document.querySelectorAll('.timeline path:not(.cursor)')]"
    paths = f"JSON.stringify({drawn}.map((one) => one.getAttribute('d')))"
    opened(browser, tmp_path, b"".join(render(at_call(one, 3), Style())).decode())
    came = browser.run(paths)
    browser.run("document.querySelector('[aria-label=\"steps in view\"]').dispatchEvent(new Event('change'))")
    assert browser.run(paths) == came and len(json.loads(came)) > 6


def test_a_long_session_can_be_looked_at_part_by_part(browser: Browser, tmp_path: Path) -> None:
    many = 2_000
    layers = tuple(layer._replace(values=tuple(range(many))) for layer in TIMELINE.layers)
    bounds = (TIMELINE.bounds[0]._replace(values=(1_500,) * many),)
    timeline = TIMELINE._replace(layers=layers, bounds=bounds, labels=("x",) * many, at=many)
    assert opened(browser, tmp_path, written(timeline), "#step=1000") == []
    browser.run("const view = document.querySelector('[aria-label=\"steps in view\"]'); view.value = '100';"
                "view.dispatchEvent(new Event('change'))")  # fmt: skip
    ticks = browser.run("[...document.querySelectorAll('.axis span')].map((one) => one.textContent)")
    assert (ticks[0], ticks[-1]) == ("950", "1,050")
    browser.run(GO % 3)
    ticks = browser.run("[...document.querySelectorAll('.axis span')].map((one) => one.textContent)")
    assert (ticks[0], ticks[-1]) == ("1", "101")


def key(browser: Browser, name: str, code: int) -> None:
    """Press a key."""
    for kind in ("keyDown", "keyUp"):
        browser.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)
    browser.run("new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(1)), 20))")


def test_the_cursor_moves_by_keyboard_and_jumps_between_marks(browser: Browser, tmp_path: Path) -> None:
    assert opened(browser, tmp_path, written(TIMELINE, FRAMES)) == []
    browser.run("document.querySelector('#slider').focus()")
    step = "document.querySelector('.timeline .step').textContent"
    assert browser.run(step) == "4"
    key(browser, "ArrowLeft", 37)
    assert browser.run(step) == "3"
    key(browser, "Home", 36)
    assert browser.run(step) == "1" and browser.run("location.hash") == "#step=1"
    assert browser.run("document.querySelector('#slider').getAttribute('aria-valuetext')") == "step 1, one"
    browser.run("document.querySelector('[aria-label=\"next mark\"]').click()")
    browser.settle()
    assert browser.run(step) == "3"
    browser.run("document.querySelector('[aria-label=\"next mark\"]').click()")
    browser.settle()
    notes = browser.run("[...document.querySelectorAll('.notes li')].map((one) => one.textContent)")
    assert notes == ["moved: twice", "moved: thrice"]
    for _ in range(30):
        key(browser, "Tab", 9)
        seen = browser.run("document.activeElement.matches(':focus-visible')")
        assert seen or browser.run("document.activeElement === document.body")


def test_search_choices_and_the_cursor_filter_rows(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, written(TIMELINE, long_table(130)))
    table = "[...document.querySelectorAll('.table tbody tr')]"
    seen = f"{table}.filter((row) => row.getClientRects().length).map((row) => row.cells[3].textContent)"
    change = "one.value = '%s'; one.dispatchEvent(new Event('%s')) }"
    search = "{ const one = document.querySelector('.table input[type=search]'); " + change.replace("%s')", "input')")
    choose = "{ const one = document.querySelector('.table select[aria-label=%s]'); " + change.replace(
        "%s')", "change')"
    )
    assert len(browser.run(seen)) == 130
    browser.run(search % "ROW 12")
    assert browser.run(seen) == ["row 12", *(f"row {n}" for n in range(120, 130))]
    assert browser.run("document.querySelector('.table output').textContent") == "11 of 130 rows"
    browser.run(choose % ("action", "=trim"))
    assert browser.run(seen) == ["row 12", "row 120", "row 123", "row 126", "row 129"]
    browser.run(search % "" + choose % ("action", "") + choose % ('"steps shown"', "at"))
    assert browser.run(seen) == ["row 6", "row 7"]
    browser.run(GO % 2)
    assert browser.run(seen) == ["row 2", "row 3"]
    browser.run(choose % ('"steps shown"', "upto"))
    assert browser.run(seen) == [f"row {n}" for n in range(4)]


def test_a_page_without_steps_has_its_filters_and_no_cursor(browser: Browser, tmp_path: Path) -> None:
    assert opened(browser, tmp_path, written(long_table(130)), "#step=3") == []
    assert browser.run("document.querySelector('.control')") is None
    assert browser.run("document.querySelectorAll('.tools select').length") == 1
    search = "{ const one = document.querySelector('input[type=search]'); one.value = 'row 129'"
    browser.run(f"{search}; one.dispatchEvent(new Event('input')) }}")
    assert browser.run("document.querySelector('.tools output').textContent") == "1 of 130 rows"
    browser.run("document.querySelector('td a[href]').click()")
    assert complaints(browser) == []


def test_rows_that_differ_between_lanes_can_be_asked_for(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, written(TIMELINE, BOTH))
    browser.run("document.querySelector('.frames .tools input[type=checkbox]').click()")
    kept = "[...document.querySelectorAll('.frames tbody tr')].filter((row) => !row.hidden).map((row) => row.id)"
    assert browser.run(kept) == ["at-1", "text-1", "at-2"]
    browser.run("document.querySelector('.frames .tools input[type=checkbox]').click()")
    one = "{ const one = document.querySelector('.frames select[aria-label=B]'); one.value = '=cut'"
    browser.run(f"{one}; one.dispatchEvent(new Event('change')) }}")
    assert browser.run(kept) == ["at-1"]
    assert [row[7:9] for row in rows(browser)] == [["full", "full"], ["out", "cut 4"], ["full", ""], ["out", "full"]]


def test_a_search_finds_what_has_left_and_a_choice_does_not(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, written(TIMELINE, FRAMES))
    said = "document.querySelector('.frames .tools output').textContent"
    change = "one.value = '%s'; one.dispatchEvent(new Event('%s')) }"
    search = "{ const one = document.querySelector('.frames input[type=search]'); " + change
    choose = "{ const one = document.querySelector('.frames select[aria-label=%s]'); " + change
    browser.run(search % ("bbbb", "input"))
    assert [row[0] for row in rows(browser) if row[2]] == ["at-1"] and browser.run(said) == "1 of 4 rows"
    browser.run(search % ("", "input"))
    assert [row[0] for row in rows(browser) if row[2]] == ["at-0", "text-1"] and browser.run(said) == ""
    browser.run(choose % ("role", "=tool", "change"))
    assert [row[0] for row in rows(browser) if row[2]] == [] and browser.run(said) == "0 of 4 rows"
    browser.run("document.querySelector('.showgone').click()")
    assert [row[0] for row in rows(browser) if row[2]] == ["at-1", "at-2"] and browser.run(said) == "2 of 4 rows"
    browser.run("document.querySelector('.showgone').click()")
    browser.run(choose % ("role", "", "change") + choose % ("stands", "=out", "change"))
    assert [row[0] for row in rows(browser) if row[2]] == ["at-1", "at-2"]
    browser.run(GO % 3)
    assert [row[0] for row in rows(browser) if row[2]] == [] and browser.run(said) == "0 of 3 rows"


@pytest.mark.parametrize("fragment", ["#at-1", "#bbbbbbbbbbbb"])
def test_an_address_shows_its_row_though_it_has_left(browser: Browser, tmp_path: Path, fragment: str) -> None:
    opened(browser, tmp_path, written(TIMELINE, FRAMES), fragment)
    assert [row[0] for row in rows(browser) if row[2]] == ["at-0", "at-1", "text-1", "at-2"]
    assert browser.run("document.querySelector('.aimed').id") == "at-1"


def test_everything_is_there_without_scripts(browser: Browser, tmp_path: Path) -> None:
    browser.scripts(on=False)
    path = tmp_path / "page.html"
    path.write_text(written(TIMELINE, FRAMES, long_table(130)), "utf-8")
    browser.open(path, "#at-2")
    browser.scripts(on=True)
    assert browser.run("document.querySelector('.control')") is None
    shown = rows(browser)
    assert [row[2] for row in shown] == [True, False, True, True]
    assert shown[2][3:] == ["", "cccccccccccc", "text", "ours", "full", "7", "4", "note"]
    assert browser.run(
        "[...document.querySelectorAll('.table tbody tr')].every((row) => row.getClientRects().length > 0)"
    )
    assert (
        browser.run("[...document.querySelectorAll('.layers path')].filter((one) => one.getBBox().height > 0).length")
        == 3
    )
    browser.run("document.querySelector('.showgone').click()")
    assert all(row[2] for row in rows(browser))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [380, 800, 1400])
def test_a_page_is_never_wider_than_its_window_and_an_id_never_cut(
    browser: Browser, tmp_path: Path, width: int, dark: bool
) -> None:
    browser.look(width, dark=dark)
    story = (line("/a/very/long/" * 30), TIMELINE, FRAMES, BOTH, long_table(130), long_table(5))
    assert opened(browser, tmp_path, written(*story)) == []
    assert browser.run("document.documentElement.scrollWidth") <= width
    seen = "[...document.querySelectorAll('tbody tr')].filter((row) => row.getClientRects().length)"
    cells = f"{seen}.flatMap((row) => [...row.cells])"
    assert browser.run(f"{cells}.filter((one) => one.scrollWidth > one.clientWidth + 1).length") == 0
    ground = browser.run("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 23, 26)" if dark else "rgb(255, 255, 255)")
    heads = """[...document.querySelectorAll('.long')].map((box) => {
      box.scrollTop = 500;
      return Math.abs(box.querySelector('.head').getBoundingClientRect().top - box.getBoundingClientRect().top);
    })"""
    assert max(browser.run(heads)) <= 1.5


def test_nothing_of_a_hostile_text_runs_or_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    text = " ".join(HOSTILE)
    marks = (TIMELINE.marks[0]._replace(title=text, at=((4, text),)),)
    cells = [row._replace(cells=(0, "a" * 12, text, text)) for row in FRAMES.rows]
    lanes = tuple(
        lane._replace(title=text, moves=tuple(move._replace(why=text) for move in lane.moves)) for lane in BOTH.lanes
    )
    timeline = TIMELINE._replace(labels=(text,) * 4, marks=marks, title=text)
    frames = [each._replace(rows=tuple(cells), lanes=lanes[: len(each.lanes)]) for each in (FRAMES, BOTH)]
    story = (line(text), timeline, *frames)
    assert opened(browser, tmp_path, written(*story)) == []
    before = browser.run("document.querySelectorAll('*').length")
    for step in (1, 3, 4):
        browser.run(GO % step)
        assert not browser.run(r"/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)")
        assert browser.run(r"document.querySelector('.control output').textContent.includes('\\u202e')")
    assert browser.run("typeof pwned") == "undefined" and complaints(browser) == []
    assert browser.run("document.querySelectorAll('img, iframe, object, [onload]').length") == 0
    assert abs(browser.run("document.querySelectorAll('*').length") - before) <= 4
    assert browser.run("fetch('data:,x').then(() => 'reached', () => 'refused')") == "refused"
