"""Stories: what a report shows where every step has room, as raw values over numbered steps; no colour, no width."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.report.sheet import Block, Cell, Column, Command, Line


class Layer(NamedTuple):
    """One layer of a timeline: a value for each step; layers of one `hue` belong together, `texture` tells them apart.

    Hues and textures are small numbers from 0; what they look like is the renderer's.
    """

    title: str
    hue: int
    texture: int
    values: tuple[int, ...]


class Bound(NamedTuple):
    """A line across a timeline: a value for each step, None where there is none."""

    title: str
    values: tuple[int | None, ...]


class Marks(NamedTuple):
    """Steps of a timeline at which one kind of thing happened, in order, each with a note (or an empty one)."""

    title: str
    at: tuple[tuple[int, str], ...]


class Timeline(NamedTuple):
    """Layers stacked over numbered steps from 1, with lines across and marks; `at` is the step to look at first.

    `labels` say of each step what it is; all timelines and frames of a sheet share their steps. `word` names a step.
    `top` is what the scale reaches at least, so that timelines may share one.
    """

    layers: tuple[Layer, ...]
    bounds: tuple[Bound, ...]
    marks: tuple[Marks, ...]
    labels: tuple[str, ...]
    at: int
    title: str = ""
    word: str = "step"
    top: int = 1


class State(NamedTuple):
    """What a row of frames may be in; it is still part of the frame where it `stands`."""

    name: str
    stands: bool = True


class Framed(NamedTuple):
    """A row of frames: its cells, the step at which it comes (None: by a move alone), its size then, its anchor."""

    cells: tuple[Cell, ...]
    came: int | None
    size: int
    anchor: str


class Move(NamedTuple):
    """A row goes into another state and size at a step, and why."""

    step: int
    row: int
    state: int
    size: int
    why: str


class Lane(NamedTuple):
    """One of several courses that the rows of frames take; moves are in the order of their steps."""

    title: str
    moves: tuple[Move, ...]


class Frames(NamedTuple):
    """Rows that come and change state from step to step; a row comes in the first of `states`.

    `steps` is how many there are, `at` the one to look at first. `items` is what rows are called, `units` what their
    sizes count.
    """

    columns: tuple[Column, ...]
    rows: tuple[Framed, ...]
    states: tuple[State, ...]
    lanes: tuple[Lane, ...]
    steps: int
    at: int
    title: str = ""
    word: str = "step"
    items: str = "rows"
    units: str = "units"


class Story(NamedTuple):
    """A page with every step on it, from top to bottom, for formats that can show timelines and frames."""

    blocks: tuple[Block | Timeline | Frames, ...]
    footer: tuple[Line, ...] = ()
    next: tuple[Command, ...] = ()


@runtime_checkable
class Storied(Protocol):
    """A report that has more to show where there is room for all of it."""

    def story(self) -> Story:
        """Return the page with every step and every row on it; it costs more, and is made for such formats alone."""
        ...
