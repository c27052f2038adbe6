"""The visits that wanted room and removed nothing, those in a row with one trigger and the same reasons as one row."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.replay.refusals import EmptyVisit
from windowkeeper_cli.report.sheet import DETAIL, NUMBER, WORD, Cell, Column, Table

RUNS = 12
"""Runs of visits without a removal that are listed one by one."""
EMPTY = (
    Column("calls", "calls", WORD),
    Column("visits", "visits", NUMBER),
    Column("trigger", "trigger", WORD),
    Column("tokens", "tokens", NUMBER),
    Column("detail", "refused", DETAIL),
)


def empty_visits(visits: Sequence[EmptyVisit]) -> Table:
    """Return the table of these visits, at most `RUNS` runs of them and one row for the rest."""
    runs: list[list[EmptyVisit]] = []
    for visit in visits:
        if runs and _kind(runs[-1][-1]) == _kind(visit):
            runs[-1].append(visit)
        else:
            runs.append([visit])
    shown = {id(run) for run in sorted(runs, key=len, reverse=True)[:RUNS]}
    rows = [_run(run) for run in runs if id(run) in shown]
    rest = [visit for run in runs if id(run) not in shown for visit in run]
    if rest:
        rows.append(_run(rest))
    title = f"visits that removed nothing ({len(visits):,})"
    return Table(EMPTY, tuple(rows), title)


def _kind(visit: EmptyVisit) -> tuple[str, frozenset[str]]:
    return visit.trigger, frozenset(reason for reason, _ in visit.reasons)


def _run(run: Sequence[EmptyVisit]) -> tuple[Cell, ...]:
    first, last = run[0], run[-1]
    calls = f"{first.call:,}" if first is last else f"{first.call:,}-{last.call:,}"
    triggers = list(dict.fromkeys(visit.trigger for visit in run))
    most: dict[str, int] = {}
    for visit in run:
        for reason, count in visit.reasons:
            most[reason] = max(count, most.get(reason, 0))
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(most.items(), key=lambda one: -one[1]))
    upto = "up to " if reasons and len(run) > 1 else ""
    return (
        calls,
        len(run),
        triggers[0] if len(triggers) == 1 else "several",
        max(visit.tokens for visit in run),
        f"{upto}{reasons}" if reasons else _unasked(triggers),
    )


def _unasked(triggers: Sequence[str]) -> str:
    if triggers == ["waiting"]:
        return "nothing was asked: over the limit, and budget.backoff holds the next re-plan back"
    return "nothing refused: there was nothing left to take"
