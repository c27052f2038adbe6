"""How did each item stand in the window at each call? The frames of a story: items, and when they moved."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.brief import first_line, one_line
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.replay.in_force import place
from windowkeeper_cli.report.explain_document import FORM_NAMES
from windowkeeper_cli.report.reference import brief
from windowkeeper_cli.report.sheet import DETAIL, ID, NUMBER, WORD, Cell, Column
from windowkeeper_cli.report.story import Framed, Frames, Lane, Move, State
from windowkeeper_cli.report.story_track import Track
from windowkeeper_cli.report.subject import Subject

FORMS = (Form.FULL, Form.TRUNCATED, Form.STUB, Form.CLEARED, Form.OUT)
STATES = tuple(State(FORM_NAMES[form], form is not Form.OUT) for form in FORMS)
PLACE = {form: number for number, form in enumerate(FORMS)}
TEXT_CHARS = 200
COLUMNS = (
    Column("at", "at", NUMBER),
    Column("item", "item", ID),
    Column("turn", "turn", NUMBER),
    Column("role", "role", WORD),
    Column("tool", "tool", WORD),
    Column("tokens", "tokens", NUMBER),
    Column("detail", "what", DETAIL),
)
TOOL_CHARS = 32
Spoken = dict[tuple[int, str], tuple[int, DecisionLine]]
"""The texts of ours by slot and id: the row of each, and the line that put it there first."""


def frames(subject: Subject, tracks: Sequence[Track], at: int) -> Frames:
    """Return the items and texts of ours as rows in the order of the window, and each track as a lane of moves."""
    spoken = _spoken(tracks)
    rows: list[Framed] = list(_prefix(subject))
    number: dict[int, int] = {}
    texts = sorted(spoken)
    starts = [call.at for call in subject.transcript.all_calls()]
    for item in range(len(subject.transcript.items) + 1):
        while texts and texts[0][0] <= 2 * item:
            key = texts.pop(0)
            rows.append(_text(spoken[key][1], len(spoken) - len(texts)))
            spoken[key] = (len(rows) - 1, spoken[key][1])
        if item < len(subject.transcript.items):
            number[item] = len(rows)
            rows.append(_item(subject, item, bisect_right(starts, item) + 1))
    lanes = tuple(Lane(track.title, tuple(_moves(track, number, spoken))) for track in tracks)
    calls = len(starts)
    return Frames(COLUMNS, tuple(rows), STATES, lanes, calls, at, "the window at each call", "call", "items", "tokens")


def _spoken(tracks: Sequence[Track]) -> Spoken:
    found: Spoken = {}
    for track in tracks:
        for line in track.lines():
            if line.at is None and line.action == "insert":
                found.setdefault((place(line), line.item), (0, line))
    return found


def _prefix(subject: Subject) -> Iterator[Framed]:
    prefix = subject.counts.counter.label.unseen_prefix
    if prefix:
        said = "the unseen prefix: sent with every call, and not in the log"
        yield Framed((None, None, None, "system", None, prefix, said), 1, prefix, "unseen-prefix")


def _text(line: DecisionLine, number: int) -> Framed:
    said = first_line(line.text or "", TEXT_CHARS)
    cells: tuple[Cell, ...] = (None, line.item, None, line.stands, None, line.tokens_after, said)
    return Framed(cells, None, line.tokens_after, f"text-{number}")


def _item(subject: Subject, at: int, came: int) -> Framed:
    item = subject.transcript.items[at]
    tool = None if item.tool_name is None else one_line(item.tool_name, TOOL_CHARS)
    cells: tuple[Cell, ...] = (
        at,
        item.id,
        item.turn if item.turn >= 0 else None,
        item.role,
        tool,
        subject.tokens(at),
        brief(subject, at),
    )
    return Framed(cells, came, subject.tokens(at), anchor(at))


def anchor(at: int) -> str:
    """Return the name of the anchor of the item at position `at`."""
    return f"at-{at}"


def _moves(track: Track, number: dict[int, int], spoken: Spoken) -> Iterator[Move]:
    for line in track.lines():
        if not line.moves:
            continue
        row = number[line.at] if line.at is not None else spoken[(place(line), line.item)][0]
        yield Move(line.call, row, PLACE[line.form_after], line.tokens_after, line.rule)
