"""The audit of recorded summaries in the report `gaps`: what each kept of its span, lost and invented."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.replay.gaps.audit import Audit
from windowkeeper_cli.replay.gaps.span_orders import KEPT, LOST
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.sheet import (
    BAD,
    CHANGE,
    DETAIL,
    GOOD,
    NUMBER,
    SHARE,
    TEXT,
    WARN,
    WORD,
    Block,
    Cell,
    Change,
    Column,
    Marked,
    Prose,
    Share,
    Table,
)
from windowkeeper_cli.report.subject import Subject

Values = dict[str, object]
FEW = 5
"""Lost identifiers that a page lists for each summary, all of them used afterwards."""
NAME_CHARS, USE_CHARS, LINE_CHARS = 42, 38, 200
NONE = "{} no summary that can be read in this log: there is none to audit."
TONES = {KEPT: GOOD, LOST: BAD}

SUMMARIES = (
    Column("call", "call", NUMBER),
    Column("tokensBefore", "tokens", CHANGE, "tokensAfter"),
    Column("identifiers", "identifiers", NUMBER),
    Column("kept", "kept", NUMBER),
    Column("share", "share", SHARE),
    Column("lostUsed", "lost, used", NUMBER),
    Column("constraints", "constraints", NUMBER),
    Column("invented", "invented", NUMBER),
)
LOST_USED = (
    Column("call", "summary", NUMBER),
    Column("usedCall", "used", NUMBER),
    Column("name", "identifier", TEXT),
    Column("usedBy", "used by", DETAIL),
)
ORDERS = (
    Column("call", "summary", NUMBER),
    Column("state", "state", WORD),
    Column("line", "line", NUMBER),
    Column("text", "constraint", DETAIL),
)
INVENTED = (
    Column("call", "summary", NUMBER),
    Column("line", "line", NUMBER),
    Column("name", "identifier", TEXT),
    Column("text", "where it stands in the summary", DETAIL),
)


def summary_shape(subject: Subject, audit: Audit) -> Values:
    """Return an audit as the document has it."""
    items, event = subject.transcript.items, audit.event
    return {
        "call": event.call,
        "where": event.where,
        "trigger": event.trigger,
        "items": audit.items,
        "tokensBefore": audit.tokens,
        "tokensAfter": audit.summary_tokens,
        "ownTokensBefore": event.pre_tokens,
        "identifiers": audit.identifiers,
        "kept": audit.kept,
        "lost": [
            {"name": one.name, "at": one.at, "item": None if one.at is None else items[one.at].id, "usedCall": one.used}
            for one in audit.lost
        ],
        "constraints": [
            {
                "text": one.order.text,
                "at": one.order.at,
                "item": items[one.order.at].id,
                "state": one.state,
                "line": one.line,
                "pattern": one.order.pattern,
            }
            for one in audit.orders
        ],
        "invented": [
            {"name": one.name, "line": one.line, "text": one_line(one.text, LINE_CHARS)} for one in audit.invented
        ],
    }


def blocks(subject: Subject, audits: Sequence[Audit], unreadable: int, *, all_rows: bool) -> Iterator[Block]:
    """Yield the tables of the audit: the summaries, what each lost that was used later, constraints, inventions."""
    if not audits:
        if unreadable:
            yield Prose(NONE.format("One compaction shows" if unreadable == 1 else f"{unreadable:,} compactions show"))
        return
    more = f"; {unreadable:,} more cannot be read in the log" if unreadable else ""
    yield Table(SUMMARIES, tuple(_row(audit) for audit in audits), f"recorded summaries ({len(audits):,}{more})")
    lost = [row for audit in audits for row in _lost(subject, audit, all_rows=all_rows)]
    if lost:
        cut = not all_rows and any(_used(audit) > FEW for audit in audits)
        hint = f", the first {FEW} of each; --all-rows lists all" if cut else ""
        yield Table(LOST_USED, tuple(lost), f"lost by a summary, and used afterwards{hint}")
    orders = [row for audit in audits for row in _orders(audit)]
    if orders:
        yield Table(ORDERS, tuple(orders), "standing constraints of the spans, and what the summaries made of them")
    invented = [row for audit in audits for row in _invented(subject, audit)]
    if invented:
        yield Table(INVENTED, tuple(invented), "in a summary, and nowhere before it in this log")


def _row(audit: Audit) -> tuple[Cell, ...]:
    return (
        audit.event.call,
        Change(audit.tokens, audit.summary_tokens),
        audit.identifiers,
        audit.kept,
        Share(audit.kept / audit.identifiers) if audit.identifiers else None,
        _used(audit) or None,
        len(audit.orders) or None,
        len(audit.invented) or None,
    )


def _used(audit: Audit) -> int:
    return sum(one.used is not None for one in audit.lost)


def _lost(subject: Subject, audit: Audit, *, all_rows: bool) -> Iterator[tuple[Cell, ...]]:
    used = [one for one in audit.lost if one.used is not None]
    for one in used if all_rows else used[:FEW]:
        by = "" if one.used_by is None else one_line(about(subject, one.used_by), USE_CHARS)
        yield audit.event.call, one.used, _shown(subject, one.name), by


def _shown(subject: Subject, name: str) -> str:
    """Return a name in brief, without the folder that the session was started in; of a long path the end tells."""
    folder = subject.transcript.log.cwd
    if folder and name.startswith(f"{folder}/"):
        name = name[len(folder) + 1 :]
    return (
        f"\u2026{one_line(name[1 - NAME_CHARS :])}"
        if "/" in name and len(name) > NAME_CHARS
        else one_line(name, NAME_CHARS)
    )


def _orders(audit: Audit) -> Iterator[tuple[Cell, ...]]:
    for one in audit.orders:
        yield audit.event.call, Marked(one.state, TONES.get(one.state, WARN)), one.line, one_line(one.order.text, 160)


def _invented(subject: Subject, audit: Audit) -> Iterator[tuple[Cell, ...]]:
    for one in audit.invented:
        yield audit.event.call, one.line, _shown(subject, one.name), one_line(one.text, LINE_CHARS)
