"""The page of `refusals`: reasons, what each kept, the visits that removed nothing, stand-downs and wedges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.guards.removal import INSIDE
from windowkeeper_cli.replay.refusals import HOLDS, LEFT, RELEASED, RefusalRow, Wedge
from windowkeeper_cli.report.empty_visits import empty_visits
from windowkeeper_cli.report.heading import (
    STDIN,
    acts_on,
    call_part,
    counter_words,
    footer_lines,
    limit_parts,
    session_line,
)
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.refusals import ENDINGS, Refused, held_tokens
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    DIM,
    ID,
    NUMBER,
    PLAIN,
    WARN,
    WORD,
    Block,
    Cell,
    Change,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Prose,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import RECORDED
from windowkeeper_cli.strategies import OUTCOMES

LONG = 40
"""Rows that are all listed; of more, a reason lists its `FEW` largest, and one row for the rest.

The keep window, which every turn passes through, always does.
"""
FEW = 6
CALLS = 12
"""Calls that a line lists; more are counted."""
TONES = {HOLDS: WARN, RELEASED: PLAIN, LEFT: DIM}

REASONS = (
    Column("reason", "reason", WORD),
    Column("rows", "rows", NUMBER),
    Column("visits", "visits", NUMBER),
    Column("tokens", "tokens", NUMBER),
    *(Column(ending, ending, NUMBER) for ending in ENDINGS),
    Column("meaning", "what it means", DETAIL),
)
ROWS = (
    Column("turn", "turn", NUMBER),
    Column("item", "item", ID),
    Column("tokens", "tokens", NUMBER),
    Column("class", "class", WORD),
    Column("firstCall", "first", NUMBER),
    Column("lastCall", "last", NUMBER),
    Column("visits", "visits", NUMBER),
    Column("ended", "ended", WORD),
    Column("detail", "what", DETAIL),
)


def sheet(report: Refused) -> Sheet:
    """Return the page."""
    return Sheet(tuple(_blocks(report)), footer_lines(report.subject, report.assumed), tuple(_next(report)))


def _blocks(report: Refused) -> Iterator[Block]:
    yield _header(report)
    if not report.rows and not report.empty:
        yield Prose(_nothing(report))
        return
    if report.rows:
        yield _reasons(report)
        groups: dict[str, list[RefusalRow]] = {}
        for row in report.rows:
            groups.setdefault(row.reason, []).append(row)
        for group in report.by_reason:
            yield _rows(report, groups[group.reason])
    if report.empty:
        yield empty_visits(report.empty)


def _header(report: Refused) -> Lines:
    subject = report.subject
    tokens: list[Part] = [(counter_words(subject),), *limit_parts(subject.policy, report.limit)]
    visits: list[Part] = [("engaged at", report.engaged, "of", report.call, "calls")]
    visits.append(("met refusals at", report.refusing))
    visits.append(("removed nothing at", len(report.empty)))
    lines = [
        session_line(subject, call_part(subject, report.call)),
        Line("tokens", tuple(tokens)),
        Line("visits", tuple(visits)),
    ]
    if report.stand_downs:
        calls = _calls(report.stand_downs)
        words = f"evidence pins gave way for one visit, after two that they had blocked, at {calls}"
        lines.append(Line("stand-down", ((words,),)))
    lines += [Line("wedge", _wedge(report, wedge)) for wedge in report.wedges]
    return Lines(tuple(lines))


def _wedge(report: Refused, wedge: Wedge) -> tuple[Part, ...]:
    met = [visit for visit in report.empty if wedge.first <= visit.call <= wedge.last]
    words = f"{wedge.reason}, calls {wedge.first:,} to {wedge.last:,}: {len(met):,} visits in a row removed nothing"
    return (Marked(words, BAD),), ("the window went", Change(met[0].tokens, met[-1].tokens), "tokens")


def _calls(calls: Sequence[int]) -> str:
    shown = ", ".join(f"{call:,}" for call in calls[:CALLS])
    more = f" and {len(calls) - CALLS:,} more" if len(calls) > CALLS else ""
    return f"call{'s' if len(calls) > 1 else ''} {shown}{more}"


def _nothing(report: Refused) -> str:
    strategy = report.subject.policy.settings.strategy
    if report.subject.mode == RECORDED:
        return "No refusals: a log holds what its harness removed, not what it kept from leaving. Try -p windowkeeper."
    peak = f"the largest window up to call {report.call:,} was {report.peak:,} tokens"
    if not report.engaged:
        found = acts_on(report.subject.policy) if report.limit is None else None
        limit = "" if report.limit is None else f", the limit is {report.limit:,}"
        acts = f"; it acts on {found[0]}" if found else ""
        return f"Nothing was asked to leave: {strategy} engaged at no call ({peak}{limit}{acts})."
    if not report.guards:
        return f"Nothing refused: {strategy} runs under no guards, so whatever it picks leaves ({peak})."
    return f"Nothing refused: all that {strategy} asked to leave left ({peak})."


def _reasons(report: Refused) -> Table:
    ends = Counter((row.reason, row.ended) for row in report.rows)
    rows = tuple(
        (
            group.reason,
            group.rows,
            group.visits,
            group.tokens,
            *(ends[group.reason, ending] or None for ending in ENDINGS),
            _meaning(group.reason),
        )
        for group in report.by_reason
    )
    return Table(REASONS, rows, "why what was asked to leave stayed")


def _meaning(reason: str) -> str:
    for family in (GUARDS, OUTCOMES):
        if reason in family.names:
            return str(family.module(reason).TEXT.what)
    return ""


def _rows(report: Refused, rows: Sequence[RefusalRow]) -> Table:
    title = f"{rows[0].reason}: {_counted(rows)}"
    shown: list[RefusalRow] = list(rows)
    rest: list[RefusalRow] = []
    routine = rows[0].reason == INSIDE or len(report.rows) > LONG
    if not report.all_rows and routine and len(rows) > FEW:
        largest = {id(row) for row in sorted(rows, key=lambda row: (row.ended != HOLDS, -row.tokens, row.at))[:FEW]}
        shown = [row for row in rows if id(row) in largest]
        rest = [row for row in rows if id(row) not in largest]
        title += f", the {FEW} largest, those that it holds now first; --all-rows lists all"
    cells = [_row(report, row) for row in shown]
    if rest:
        cells.append(_folded(rest))
    return Table(ROWS, tuple(cells), title)


def _counted(rows: Sequence[RefusalRow]) -> str:
    kinds = Counter("text of ours" if row.turn < 0 else row.scope for row in rows)
    named = (("turn", "turns"), ("item", "items"), ("text of ours", "texts of ours"))
    return ", ".join(f"{kinds[one]:,} {one if kinds[one] == 1 else many}" for one, many in named if kinds[one])


def _row(report: Refused, row: RefusalRow) -> tuple[Cell, ...]:
    ours = row.turn < 0
    return (
        None if ours else row.turn,
        row.ours if ours else report.subject.transcript.items[row.at].id,
        row.tokens,
        None if ours else report.subject.transcript.items[row.at].retention,
        row.first_call,
        row.last_call,
        row.visits,
        Marked(row.ended, TONES[row.ended]),
        f"the {row.stands or 'text'} of ours" if ours else _about(report, row),
    )


def _about(report: Refused, row: RefusalRow) -> str:
    what = about(report.subject, row.at)
    return f"turn, {what}" if row.scope == "turn" else what


def _folded(rows: Sequence[RefusalRow]) -> tuple[Cell, ...]:
    turns = [row.turn for row in rows if row.turn >= 0]
    ends = Counter(row.ended for row in rows)
    return (
        None,
        f"{len(rows):,} more",
        held_tokens(rows),
        None,
        min(row.first_call for row in rows),
        max(row.last_call for row in rows),
        max(row.visits for row in rows),
        None,
        f"turns {min(turns, default=0):,}-{max(turns, default=0):,}: "
        + ", ".join(f"{ends[ending]:,} {ending}" for ending in ENDINGS if ends[ending]),
    )


def _next(report: Refused) -> Iterator[Command]:
    subject = report.subject
    if report.by_reason:
        blocking = Counter(reason for visit in report.empty for reason, _ in visit.reasons if reason != INSIDE)
        reason = blocking.most_common(1)[0][0] if blocking else report.by_reason[0].reason
        reason = report.wedges[0].reason if report.wedges else reason
        if reason in GUARDS.names or reason in OUTCOMES.names:
            yield Command(("windowkeeper", "rules", reason))
    if subject.name == STDIN:
        return
    target = (subject.name, *subject.words, *subject.policy.words)
    refusing = [row.last_call for row in report.rows]
    if refusing:
        yield Command(("windowkeeper", "explain", *target, "--call", str(max(refusing))))
    yield Command(("windowkeeper", "dropped", *target))
