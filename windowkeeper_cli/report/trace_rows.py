"""How a traced life folds into rows: what is alike between two moves is one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.trace import BACK, CAME, GAP, LEFT, MOVED, NAMED, USED, Event, Trace
from windowkeeper_cli.replay.trace_target import EDIT, WRITE

MOVES = frozenset({LEFT, MOVED, BACK})
FEW = {CAME: 3, USED: 1, NAMED: 2, GAP: 3, LEFT: 1, MOVED: 1, BACK: 1}
"""Rows of one kind between two moves that are shown one by one; more of them fold into one."""
LONG = 40
"""Rows of a page; a life that takes more is folded over its moves too."""


class Row(NamedTuple):
    """Events that are alike, in order; one or many."""

    events: tuple[Event, ...]

    @property
    def first(self) -> Event:
        """Return the first of them."""
        return self.events[0]


def rows_of(trace: Trace, *, all_rows: bool) -> tuple[Row, ...]:
    """Return the rows of a life, in order of their first events; with `all_rows` one for each event."""
    if all_rows:
        return tuple(Row((event,)) for event in trace.events)
    needed = frozenset((event.call, event.at) for event in trace.events if event.event == GAP)
    events = [event for event in trace.events if not _is_plain(trace, event) and not _is_told(event, needed)]
    rows = [row for part in _parts(events) for row in _folded(part, by_call=True)]
    if len(rows) > LONG:
        rows = _folded(events, by_call=False)
    return tuple(rows)


def _is_plain(trace: Trace, event: Event) -> bool:
    """Return whether the row of what it gave says all of a tool call: a look while others stand, or a first one."""
    return event.event == USED and event.kind not in (EDIT, WRITE) and event.away is None and _answered(trace, event)


def _is_told(event: Event, needed: frozenset[tuple[int, int | None]]) -> bool:
    """Return whether a use has the row of the gap that it is."""
    return event.event == USED and event.use is not None and (event.call, event.use.answer) in needed


def _answered(trace: Trace, event: Event) -> bool:
    return event.use is not None and event.use.answer in trace.forms


def _parts(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Yield runs of events, moves apart from the rest."""
    start = 0
    for place in range(1, len(events) + 1):
        if place == len(events) or (events[place].event in MOVES) != (events[start].event in MOVES):
            yield events[start:place]
            start = place


def _folded(events: Sequence[Event], *, by_call: bool) -> list[Row]:
    groups: dict[tuple[object, ...], list[Event]] = {}
    for event in events:
        groups.setdefault(_alike(event, by_call=by_call), []).append(event)
    rows: list[Row] = []
    for group in groups.values():
        if len(group) > FEW[event_of(group)]:
            rows.append(Row(tuple(group)))
        else:
            rows += [Row((event,)) for event in group]
    order = {id(event): place for place, event in enumerate(events)}
    return sorted(rows, key=lambda row: order[id(row.first)])


def event_of(group: Sequence[Event]) -> str:
    """Return what the events of a group are."""
    return group[0].event


def _alike(event: Event, *, by_call: bool) -> tuple[object, ...]:
    if event.event in MOVES:
        line = event.line
        rule = ("", None) if line is None else (line.rule, line.action)
        return (event.event, event.kind, *rule, event.call if by_call else None)
    if event.event == USED:
        return event.event, event.kind, event.standing == 0, event.away is None
    return event.event, event.kind
