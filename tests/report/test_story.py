"""A story tells each call as the replay had it: layers add up to the window, frames rebuild it, tables hold it all.

What is expected is taken from the session itself at each call (its meter, its fold), and by hand for the small fixture.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.generated import by_seed
from tests.report.made import TIGHT, fixture, made, subject
from windowkeeper_cli.model.counter import Counts
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.settings import Settings
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.report.dropped import dropped
from windowkeeper_cli.report.explain_visits import at_call, every_visit, session_of
from windowkeeper_cli.report.sheet import Link, Table
from windowkeeper_cli.report.story import Frames, Storied, Story, Timeline
from windowkeeper_cli.report.story_blocks import stepped
from windowkeeper_cli.report.story_track import track_of
from windowkeeper_cli.report.story_window import STATES
from windowkeeper_cli.report.subject import NamedPolicy, Subject


def drawn(seed: int) -> Subject:
    """Return the generated session of a seed."""
    case = by_seed(seed)
    return of(case.transcript, case.counts, case.settings)


def of(transcript: Transcript, counts: Counts, settings: Settings) -> Subject:
    """Return a transcript under settings as a subject."""
    return Subject("made.json", transcript, counts, NamedPolicy("policy.json", "0123456789ab", settings, "file"))


def told(one: Subject) -> tuple[Timeline, Frames]:
    """Return the timeline and the frames of a subject."""
    timeline, frames = stepped(one, (track_of(one),), 1)
    assert isinstance(timeline, Timeline) and isinstance(frames, Frames)
    return timeline, frames


def standing(frames: Frames, step: int) -> dict[str, tuple[str, int]]:
    """Return the state and size of each row that has come by a step, by its anchor: rows first, then moves in order."""
    found = {
        row.anchor: (frames.states[0].name, row.size)
        for row in frames.rows
        if row.came is not None and row.came <= step
    }
    for move in frames.lanes[0].moves:
        if move.step <= step:
            found[frames.rows[move.row].anchor] = (frames.states[move.state].name, move.size)
    return found


SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_layers_add_up_to_the_window_of_each_call(seed: int) -> None:
    one = drawn(seed)
    timeline, _ = told(one)
    sums = [sum(values) for values in zip(*(layer.values for layer in timeline.layers), strict=True)]
    windows = [step.meter.window for step in session_of(one).steps()]
    assert (sums or [0] * len(windows)) == windows
    assert all(value >= 0 for layer in timeline.layers for value in layer.values)
    assert len(timeline.labels) == len(windows)


@pytest.mark.parametrize("seed", SEEDS)
def test_frames_are_the_window_of_each_call(seed: int) -> None:
    one = drawn(seed)
    _, frames = told(one)
    session = session_of(one)
    names = {
        Form.FULL: "full",
        Form.TRUNCATED: "truncated",
        Form.STUB: "stub",
        Form.CLEARED: "cleared",
        Form.OUT: "out",
    }
    rows = {row.anchor: row for row in frames.rows}
    for step in session.steps():
        fold = session.fold
        found = standing(frames, step.call)
        items = {f"at-{at}": names[fold.form(at)] for at in range(fold.held)}
        assert {name: state for name, (state, _) in found.items() if name.startswith("at-")} == items
        assert all(found[f"at-{at}"][1] == fold.size(at) for at in range(fold.held) if fold.form(at) is not Form.OUT)
        texts = [
            rows[name].cells[1] for name, (state, _) in found.items() if name.startswith("text-") and state == "full"
        ]
        assert sorted(map(str, texts)) == sorted(insert.item for insert in fold.inserted())
        assert sum(size for state, size in found.values() if state != "out") == step.meter.window


def test_rows_stand_in_the_order_of_the_window() -> None:
    for seed in SEEDS:
        _, frames = told(drawn(seed))
        places = [row.cells[0] for row in frames.rows if row.anchor.startswith("at-")]
        assert places == sorted(places, key=lambda at: int(str(at)))
        assert len({row.anchor for row in frames.rows}) == len(frames.rows)
        steps = [move.step for move in frames.lanes[0].moves]
        assert steps == sorted(steps)


def tables(story: Story, *titled: str) -> Sequence[Table]:
    """Return the tables whose title holds a word."""
    return [block for block in story.blocks if isinstance(block, Table) and all(word in block.title for word in titled)]


def test_the_small_fixture_told() -> None:
    """Limit and target are those of fixtures/small-explain/policy.json."""
    one = subject(fixture())
    report = at_call(one, 5)
    assert isinstance(report, Storied)
    story = report.story()
    timeline = next(block for block in story.blocks if isinstance(block, Timeline))
    frames = next(block for block in story.blocks if isinstance(block, Frames))
    calls = len(one.transcript.calls) + 1
    assert (timeline.at, frames.at, frames.steps, len(timeline.labels)) == (5, 5, calls, calls)
    assert timeline.labels[-1] == "next call"
    assert {bound.title: set(bound.values) for bound in timeline.bounds} == {"limit": {640}, "target": {330}}
    lines = [line for step in session_of(one).steps() for line in step.lines]
    (decisions,) = tables(story, "decision")
    assert [(row[0], getattr(row[1], "text", row[1]), row[2]) for row in decisions.rows] == [
        (line.call, line.action, line.rule) for line in lines
    ]
    links = [row[3] for row in decisions.rows if isinstance(row[3], Link)]
    anchors = {row.anchor: row.cells[1] for row in frames.rows}
    assert links and all(anchors[link.to] == link.text for link in links)
    assert story.blocks[0] == report.sheet().blocks[0] and story.footer == report.sheet().footer


def test_marks_are_where_the_session_has_them() -> None:
    one = subject(fixture())
    timeline, _ = told(one)
    marked = {marks.title: [call for call, _ in marks.at] for marks in timeline.marks}
    steps = list(session_of(one).steps())
    assert marked.get("re-plan", []) == [step.call for step in steps if step.meter.replanned]
    assert marked.get("cache prefix broken", []) == [step.call for step in steps if step.meter.broken]
    assert marked.get("over the limit", []) == [step.call for step in steps if step.meter.over_limit]
    requests = [call.number for call in one.transcript.all_calls() if call.iteration == 1 and call.anchor >= 0]
    assert set(requests) >= set(marked["request"]) and marked["request"][0] == 1
    assert all(marks.at for marks in timeline.marks)


def test_every_visit_and_dropped_tell_the_same_calls_and_a_cold_start_tells_only_itself() -> None:
    one = subject(fixture())
    for report in (every_visit(one), dropped(one, 6)):
        assert sum(isinstance(block, Timeline | Frames) for block in report.story().blocks) == 2
    assert dropped(one, 6).story().blocks[1].at == 6  # type: ignore[union-attr]
    cold = at_call(one, 6, cold=True).story()
    assert not any(isinstance(block, Timeline | Frames) for block in cold.blocks)
    assert cold.blocks == at_call(one, 6, cold=True).sheet().blocks


def test_a_transcript_without_calls_has_one_window() -> None:
    one = subject(made({"role": "user", "content": "hello"}), TIGHT)
    timeline, frames = told(one)
    assert timeline.labels == ("next call",)
    assert [row.cells[-1] for row in frames.rows] == ["hello"]
    assert STATES[0].stands and not STATES[-1].stands
