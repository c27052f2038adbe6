"""The rows of `check` for a file: one for each session and check, an invariant, a provider or a bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.report.check import SessionCheck, faults_of, holds
from windowkeeper_cli.report.sheet import DETAIL, NUMBER, TEXT, WORD, Cell, Column, Table, cell_of

COLUMNS = (
    Column("path", "path", TEXT),
    Column("session", "session", WORD),
    Column("agent", "agent", WORD),
    Column("kind", "kind", WORD),
    Column("n", "n", NUMBER),
    Column("name", "name", WORD),
    Column("ok", "ok", WORD),
    Column("givenUp", "given up", WORD),
    Column("failures", "failures", NUMBER),
    Column("firstCall", "first call", NUMBER),
    Column("fault", "fault", WORD),
    Column("value", "value", NUMBER),
    Column("bound", "bound", NUMBER),
    Column("text", "text", DETAIL),
)


def table_of(results: Sequence[SessionCheck]) -> Table:
    """Return the rows of all sessions."""
    return Table(COLUMNS, tuple(row for result in results for row in _rows(result)))


def _rows(result: SessionCheck) -> Iterator[tuple[Cell, ...]]:
    path, session, agent = result.path, result.session, result.agent
    if result.error is not None:
        yield (path, None, agent, "load", None, None, "false", *(None,) * 6, result.error)
    for held in result.invariants:
        first = held.failures[0] if held.failures else None
        yield (
            *(path, session, agent, "invariant", held.number, held.name),
            *(cell_of(holds(held)), cell_of(held.given_up), held.failed),
            None if first is None else first.call,
            " ".join(faults_of(held)) or None,
            *(None, None, "" if first is None else first.text),
        )
    for one in result.providers:
        bad = one.faults[0] if one.faults else None
        yield (
            *(path, session, agent, "provider", None, one.provider, cell_of(bad is None), None, len(one.faults)),
            *(None if bad is None else bad.call, None if bad is None else bad.rule, None, None),
            "" if bad is None else bad.text,
        )
    for bound in result.bounds:
        piece = bound.evidence[0] if bound.evidence else None
        count = len(bound.evidence) + bound.more
        yield (
            *(path, session, agent, bound.kind, None, bound.name, cell_of(bound.ok), None, count),
            *(None if piece is None else piece.call, None, bound.value, bound.bound),
            "" if piece is None else piece.what,
        )
