"""The page of `replay`: a row for each policy, the worst sessions, and the window by call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.replay.replay import Replayed
from windowkeeper_cli.report.gap_counts import all_kinds
from windowkeeper_cli.report.heading import STDIN, assumption_line, finding_lines, partial_part, several, subagents_part
from windowkeeper_cli.report.replay import ReplayReport, SessionReplay
from windowkeeper_cli.report.replay_assumed import assumed
from windowkeeper_cli.report.replay_money import money_words, prices_line
from windowkeeper_cli.report.replay_rows import Row
from windowkeeper_cli.report.replay_worst import (
    LARGE,
    change_of,
    chosen_words,
    command_for,
    cost_words,
    last_of,
    versus,
    worst_of,
    worst_table,
)
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    NUMBER,
    STRONG,
    TEXT,
    WARN,
    WORD,
    Block,
    Cell,
    Chart,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Share,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import RECORDED, NamedPolicy

LISTED = 10
"""Sessions left out that are listed; the rest are counted."""


def sheet(report: ReplayReport) -> Sheet:
    """Return the page."""
    worst = worst_of(report)
    return Sheet(tuple(_blocks(report, worst)), tuple(_footer(report)), tuple(_next(report, worst)))


def _blocks(report: ReplayReport, worst: Sequence[SessionReplay]) -> Iterator[Block]:
    rows = report.rows()
    yield Lines(tuple(header(report)))
    yield _costs(report, rows)
    if any(row.costs is not None for row in rows):
        yield _windows(report, rows)
    if worst:
        yield worst_table(report, worst)
    if report.skipped:
        yield left_out(report)
    yield from _charts(report)


def header(report: ReplayReport) -> Iterator[Line]:
    """Yield the lines that name the sessions, the counter and the limit."""
    word = Marked("RECORDED" if report.mode == RECORDED else "WHAT-IF", STRONG)
    one, sessions = report.one, report.sessions
    if one is not None:
        yield Line("session", ((one.path,), several(one.calls, "call"), (one.format,), (word,)))
        yield Line("tokens", ((f"({one.label.sentence})",),))
    else:
        parts: list[Part] = [(len(sessions),), several(sum(one.calls for one in sessions), "call"), (word,)]
        agents = sum(one.agent is not None for one in sessions)
        if agents:
            parts.insert(1, subagents_part(agents))
        if report.left:
            parts.append(partial_part(report.left))
        if report.unwanted:
            parts.append((*several(report.unwanted, "other"), "passed over, as asked"))
        if report.skipped:
            parts.append((len(report.skipped), "left out (listed below)"))
        yield Line("sessions", tuple(parts))
        names: dict[str, int] = {}
        for one in sessions:
            names[one.label.name] = names.get(one.label.name, 0) + 1
        yield Line("tokens", (("counted:", ", ".join(f"{name} {count:,}" for name, count in names.items())),))
    yield Line("limit", tuple(_limit(report)))


def _limit(report: ReplayReport) -> Iterator[Part]:
    terms = report.terms
    if terms.limit is None:
        yield ("each policy's own",)
    else:
        yield (terms.limit, "of what the log holds")
        prefixes = sorted(one.label.unseen_prefix for one in report.sessions)
        if prefixes[-1]:
            size: Part = (prefixes[-1],) if prefixes[0] == prefixes[-1] else (prefixes[0], "to", prefixes[-1])
            yield ("+", *size, "unseen prefix on top")
    yield ("cache", "without end" if terms.ttl is None else f"for {round(terms.ttl / 60):,} minutes")


def _costs(report: ReplayReport, rows: Sequence[Row]) -> Table:
    base = rows[report.terms.against]
    columns = [Column("policy", "policy", WORD), Column("costWeighted", "cost-weighted", NUMBER)]
    if report.terms.tariff is not None:
        columns.append(Column("money", "money", NUMBER))
    if len(rows) > 1:
        columns.append(Column("change", versus(base.policy), NUMBER))
    columns += [Column("cacheReuse", "reuse", NUMBER), Column("invalidations", "invalidations", NUMBER)]
    if report.terms.ttl is not None:
        columns.append(Column("cacheExpired", "expired", NUMBER))
    columns.append(Column("itemsLost", "lost", NUMBER))
    if any(row.gaps is not None for row in rows):
        columns.append(Column("gaps", "gaps", NUMBER))
        if len(report.sessions) > 1:
            columns.append(Column("gapsP90", "p90/session", NUMBER))
    if any(_note(row) for row in rows):
        columns.append(Column("note", "", DETAIL))
    return _table(report, rows, columns)


def _windows(report: ReplayReport, rows: Sequence[Row]) -> Table:
    ran = [row for row in rows if row.costs is not None]
    names = [("peak", "peak"), ("callsOverLimit", "over limit"), ("replans", "re-plans")]
    seldom = (("targetMissed", "missed"), ("recalls", "recalls"), ("requestLostCalls", "request lost"))
    names += [(key, title) for key, title in seldom if any(row.as_dict()[key] for row in ran)]
    names += [("step95", "p95 step"), ("stepMax", "max step")]
    if len(report.sessions) > 1:
        names.append(("p90", "cost p90/session"))
    columns = [Column("policy", "policy", WORD), *(Column(key, title, NUMBER) for key, title in names)]
    return _table(report, ran, columns)


def _table(report: ReplayReport, rows: Sequence[Row], columns: Sequence[Column]) -> Table:
    millions = max((row.costs.cost_weighted for row in rows if row.costs is not None), default=0) >= LARGE
    names = [policy.name for policy in report.policies]
    most = max((row.costs.money or 0 for row in rows if row.costs is not None), default=0)
    cells = []
    for row in rows:
        values = {**_values(row, millions), "change": _change(report, names.index(row.policy))}
        values["money"] = None if row.costs is None else money_words(row.costs.money, most)
        cells.append(tuple(values.get(column.key) for column in columns))
    return Table(tuple(columns), tuple(cells))


PLAIN_FIGURES = (
    *("invalidations", "cacheExpired", "replans", "callsOverLimit", "requestLostCalls", "recalls", "peak"),
    "targetMissed",
)


def _values(row: Row, millions: bool) -> dict[str, Cell]:
    values: dict[str, Cell] = {"policy": row.policy, "note": _note(row)}
    if row.costs is None:
        return values
    shape = row.as_dict()
    for key in PLAIN_FIGURES:
        figure = shape[key]
        values[key] = figure if isinstance(figure, int) else None
    lost, over = row.costs.items_lost, values["callsOverLimit"]
    values["itemsLost"] = Marked(f"{lost:,}", BAD) if lost else 0
    values["callsOverLimit"] = Marked(f"{over:,}", WARN) if isinstance(over, int) and over else over
    values["gaps"] = None if row.gaps is None else all_kinds(row.gaps)
    values["gapsP90"] = row.gap_spread[-1] if row.gap_spread else None
    reuse = row.costs.cache_reuse
    values["cacheReuse"] = None if reuse is None else Share(reuse)
    values["costWeighted"] = cost_words(row.costs.cost_weighted, millions)
    _, values["step95"], values["stepMax"] = row.steps()
    values["p90"] = cost_words(row.spread[-1], millions)
    return values


def _note(row: Row) -> str:
    """Return how a row is to be read: why it refused, whose figures it has, what of it is modelled."""
    if row.costs is None:
        return f"refused: {row.refused}"
    marks = ["reported"] if row.costs.reported else []
    return ", ".join([*marks, *(["modelled"] if row.modelled else [])])


def _change(report: ReplayReport, place: int) -> Cell:
    """Return the change in cost-weighted tokens over the sessions that both rows ran on."""
    if place == report.terms.against:
        return None
    change = change_of([(one.rows[report.terms.against], one.rows[place]) for one in report.sessions])
    if change is None:
        return None
    text = f"{change * 100:+.0f}%"
    return text if text in ("+0%", "-0%") else Marked(text, GOOD if change < 0 else BAD)


def left_out(report: ReplayReport) -> Table:
    """Return the table of the sessions that were left out, the damaged ones first."""
    damaged = [skip for skip in report.skipped if skip.damaged]
    rest = [skip for skip in report.skipped if not skip.damaged]
    shown = [*damaged, *rest][:LISTED]
    rows: list[tuple[Cell, ...]] = [(skip.path, Marked(skip.why, BAD) if skip.damaged else skip.why) for skip in shown]
    if len(report.skipped) > len(shown):
        rows.append((f"and {len(report.skipped) - len(shown):,} more", "-f json lists all"))
    columns = (Column("path", "file", TEXT), Column("why", "why", DETAIL))
    return Table(columns, tuple(rows), f"left out ({len(report.skipped):,})")


def _charts(report: ReplayReport) -> Iterator[Chart]:
    if len(report.sessions) != 1:
        return
    ran = [row for row in report.sessions[0].rows if row.series]
    for row in ran if report.terms.by_call else ran[-1:]:
        assert row.costs is not None
        marks, what = _marks(row)
        past = row.costs.over_limit if row.limit is not None else 0
        over = f", over it at {past:,} {several(past, 'call')[1]}" if past else ""
        words = f"tokens of the window by call under {row.name}: peak {row.costs.peak:,}"
        words += "" if row.limit is None else f", limit {row.limit:,}"
        words += over + (f", {len(marks):,} {what} at ^" if marks else ", and nothing moved")
        yield Chart(tuple(one.window for one in row.series), row.limit, marks, words)


def _marks(row: Replayed) -> tuple[tuple[int, ...], str]:
    """Return the calls that re-planned, with their name; of a strategy that has no re-plans, those that moved items."""
    marks = tuple(one.call for one in row.series if one.replan)
    if marks:
        return marks, "re-plan" if len(marks) == 1 else "re-plans"
    moved = tuple(one.call for one in row.series if one.new)
    return moved, "call that moved items" if len(moved) == 1 else "calls that moved items"


def _footer(report: ReplayReport) -> Iterator[Line]:
    one = report.one
    if one is not None:
        yield from finding_lines(one.path, one.findings)
    elif any(session.findings for session in report.sessions):
        count = sum(1 for session in report.sessions if session.findings)
        what = "session has" if count == 1 else "sessions have"
        yield Line("notes", ((Marked(f"{count:,} {what} findings", WARN),), ("info names them",)))
    for row in report.rows():
        if row.refusals and row.costs is not None:
            words = f"{row.policy} refused {row.refusals:,} of {len(report.sessions):,} sessions, the first: {row.why}"
            yield Line("refused", ((Marked(words, WARN),),))
    if report.terms.tariff is not None:
        yield prices_line(report.terms.tariff)
    yield assumption_line(assumed(report))


def _next(report: ReplayReport, worst: Sequence[SessionReplay]) -> Iterator[Command]:
    if worst:
        yield from (command_for(report, one) for one in worst if one.name != STDIN)
        return
    one, terms, last = report.sessions[0], report.terms, report.policies[last_of(report)]
    if one.name == STDIN:
        return
    if not terms.by_call:
        chosen = () if terms.usual else chosen_words(report, range(len(report.policies)))
        yield Command(("windowkeeper", "replay", *one.typed, *chosen, *terms.words, *terms.loading, "--by-call"))
    costs = one.rows[last_of(report)].costs
    budget = budget_words(report, last, one.label.unseen_prefix)
    if costs is not None and costs.replans and budget is not None:
        words = last.words or ("-p", last.name)
        yield Command(("windowkeeper", "explain", *one.typed, *words, *budget, *terms.loading, "--call", "replan"))


def budget_words(report: ReplayReport, policy: NamedPolicy, prefix: int) -> tuple[str, ...] | None:
    """Return the options that give another command the limit of this one, None where there are none."""
    if report.terms.limit is None:
        return ()
    if policy.settings.strategy != "windowkeeper":
        return None
    budget = at_limit(policy.settings, report.terms.limit, prefix).budget
    keys = (("max", budget.max), ("reserve", budget.reserve), ("target", budget.goal))
    return tuple(word for key, value in keys for word in ("--set", f"budget.{key}={value}"))
