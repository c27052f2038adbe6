"""The page of `trace`: the answer in sentences, then the life in rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.replay.trace import BACK, CAME, GAP, LEFT, MOVED, NAMED, USED, Event
from windowkeeper_cli.replay.trace_target import EDIT, PATH, WORDS, WRITE, spoken
from windowkeeper_cli.report.explain_document import FORM_NAMES
from windowkeeper_cli.report.heading import STDIN, call_part, counter_words, footer_lines, moment, session_line
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    ID,
    NUMBER,
    WARN,
    WORD,
    Block,
    Cell,
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
from windowkeeper_cli.report.trace import TraceReport
from windowkeeper_cli.report.trace_answer import answer, counted, detail_of, giver
from windowkeeper_cli.report.trace_calls import call_of, gave, line_range, short_path
from windowkeeper_cli.report.trace_rows import Row, rows_of

PATHS = 3
"""Paths that the header names; WHAT may be the end of more."""
AROUND = 60
"""Characters shown of a text that names the target."""
EMPTY = ""
ROWS = (
    Column("call", "call", NUMBER),
    Column("event", "event", WORD),
    Column("item", "item", ID),
    Column("tokens", "tokens", NUMBER),
    Column("what", "what", DETAIL),
)


def sheet(report: TraceReport) -> Sheet:
    """Return the page."""
    return Sheet(tuple(_blocks(report)), footer_lines(report.subject, report.assumed), tuple(_next(report)))


def _blocks(report: TraceReport) -> Iterator[Block]:
    subject, trace = report.subject, report.trace
    yield _header(report)
    yield Prose(answer(subject, trace))
    if trace.events:
        rows = rows_of(trace, all_rows=report.all_rows)
        folded = any(len(row.events) > 1 for row in rows) or sum(len(row.events) for row in rows) < len(trace.events)
        hint = "; --all-rows unfolds" if folded else ""
        count = f"{len(trace.events):,} {'event' if len(trace.events) == 1 else 'events'}"
        title = f"its life up to call {trace.call:,} ({count}{hint})"
        yield Table(ROWS, tuple(_row(report, row) for row in rows), title)


def _header(report: TraceReport) -> Lines:
    subject, trace = report.subject, report.trace
    parts: list[Part] = [call_part(subject, trace.call)]
    time = subject.transcript.all_calls()[trace.call - 1].time
    if time:
        parts.append((moment(time),))
    lines = [session_line(subject, *parts), Line("tokens", ((counter_words(subject),),))]
    resources = trace.target.resources
    if trace.target.kind == PATH and resources != (trace.target.what,):
        shown: list[Part] = [(one_line(one, 160),) for one in resources[:PATHS]]
        if len(resources) > PATHS:
            shown.append((f"and {len(resources) - PATHS:,} more that end so",))
        lines.append(Line("path" if len(resources) == 1 else "paths", tuple(shown)))
    elif trace.forms and trace.target.kind != PATH:
        kept = next(iter(trace.forms))
        if trace.target.kind != WORDS:
            lines.append(Line("item", ((subject.transcript.items[kept].id,), (about(subject, kept),))))
    return Lines(tuple(lines))


def _row(report: TraceReport, row: Row) -> tuple[Cell, ...]:
    first = row.first
    if len(row.events) == 1:
        tokens: Cell = EMPTY if first.event == USED else _tokens(report, first)
        return first.call, _event(report, first), first.item, tokens, _single(report, first)
    total: Cell = EMPTY
    if first.event not in (USED, NAMED):
        total = sum(size for event in row.events if isinstance(size := _tokens(report, event), int))
    item: Cell = counted(len(row.events), first.kind or "item", short=True) if first.event != USED else EMPTY
    return first.call, _event(report, first), item, total, _many(report, row)


def _tokens(report: TraceReport, event: Event) -> Cell:
    if event.line is not None:
        entered = event.at is None or event.event == BACK or not event.line.tokens_before
        return event.line.tokens_after if entered else event.line.tokens_before
    return EMPTY if event.at is None else report.subject.tokens(event.at)


def _single(report: TraceReport, event: Event) -> Cell:
    if event.event == CAME:
        return gave(report.subject, event)
    if event.event == USED:
        return _used(report, event, 1)
    if event.event == NAMED:
        return _named(report, event)
    if event.gap is not None:
        return _needed(report, event, event.gap)
    return _moved(report, (event,))


def _many(report: TraceReport, row: Row) -> Cell:
    first, last = row.first, row.events[-1]
    until = f"to call {last.call:,}" if last.call != first.call else ""
    if first.event == USED:
        told = _used(report, first, len(row.events))
        text = told.text if isinstance(told, Marked) else str(told)
        text = "; ".join(part for part in (text, until) if part)
        return Marked(text, told.tone) if isinstance(told, Marked) else text
    if first.event == CAME:
        largest = max(row.events, key=lambda event: report.subject.tokens(event.at or 0))
        size = report.subject.tokens(largest.at or 0)
        most = f"the largest is {largest.item}, {size:,} tokens, with call {largest.call:,}"
        return "; ".join(part for part in (until, most) if part)
    if first.event == NAMED:
        return "; ".join(part for part in (until, f"last by {_named(report, last)}") if part)
    if last.gap is not None:
        return "; ".join(part for part in (until, f"the last: {_needed(report, last, last.gap)}") if part)
    return "; ".join(part for part in (_moved(report, row.events), until) if part)


def _used(report: TraceReport, event: Event, count: int) -> Cell:
    """Return a use, marked where nothing that gives the target stood in the window."""
    trace, use = report.trace, event.use
    assert use is not None
    path = short_path(report.subject, use.at, use.call_id)
    call = call_of(report.subject, use.at, use.call_id) if count == 1 else None
    lines = line_range(call.args) if call is not None else ""
    of = "of " if count > 1 or event.kind != "read" else ""
    verb = counted(count, event.kind) if of else "read"
    if event.away is None:
        return f"{verb} {of}{path}{lines}"
    tone = BAD if report.subject.mode == RECORDED else WARN
    calls = (
        "at the call it left" if not event.away else f"{event.away:,} {'call' if event.away == 1 else 'calls'} after"
    )
    given = giver(trace)
    if event.kind in (EDIT, WRITE):
        return Marked(f"{verb} {of}{path} with no {given} of it in the window", tone)
    since = f"{calls} the last {given} of it left" if event.away else f"at the call that the last {given} of it left at"
    again = f"{verb} {of}{path}{lines}" if of else f"re-read {path}{lines}"
    return Marked(f"{again}, {since}", tone)


def _event(report: TraceReport, event: Event) -> Cell:
    """Return what happened; a gap stands out, as harm where the windows were sent and as need where they were not."""
    if event.event != GAP:
        return event.event
    return Marked("GAP", BAD if report.subject.mode == RECORDED else WARN)


def _needed(report: TraceReport, event: Event, gap: Gap) -> str:
    """Return what was used without its source, by what, and how long after that had left."""
    subject = report.subject
    use = f"re-read by {gave(subject, event)}" if gap.exact is not None else f'"{one_line(gap.use, AROUND)}"'
    if gap.exact is None and gap.used_by is not None:
        use = f"{use} by {about(subject, gap.used_by)}"
    source = (
        "" if gap.source is None or len(report.trace.target.items) == 1 else subject.transcript.items[gap.source].id
    )
    when = "at the call that" if not gap.distance else f"{gap.distance:,} call{'s' * (gap.distance > 1)} after"
    return f"{use}, {when} {source or 'it'} left"


def _named(report: TraceReport, event: Event) -> str:
    """Return who names it, and the words around the name."""
    who = event.kind
    if event.line is not None:
        return f"{who}: {_around(report, [event.line.text or ''])}"
    subject, at = report.subject, event.at or 0
    tool = subject.transcript.items[at].tool_name
    label = one_line(tool, 40) if tool else who
    return f"{label}: {_around(report, list(spoken(subject.transcript.blocks(at))))}"


def _around(report: TraceReport, texts: list[str]) -> str:
    target = report.trace.target
    forms = [target.plain] if target.plain else [form for name in target.names for form in name.forms]
    for text in texts:
        if target.stands_in(text):
            place = next(at for form in forms if (at := text.find(form)) >= 0)
            start = max(place - AROUND // 2, 0)
            cut = one_line(text[start : start + AROUND + 20], AROUND)
            return f"…{cut}" if start else cut
    return ""


def _moved(report: TraceReport, events: Sequence[Event]) -> str:
    """Return by which rule items moved, what is left of them, and what one visit of all of them did to the window."""
    lines = [event.line for event in events if event.line is not None]
    first = lines[0]
    parts = [f"{first.action} by {first.rule}"]
    if first.form_after not in (Form.OUT, Form.FULL):
        before, after = (
            sum(sizes) for sizes in zip(*((one.tokens_before, one.tokens_after) for one in lines), strict=True)
        )
        kind = "" if first.form_after is Form.TRUNCATED else f"{FORM_NAMES[first.form_after]}, "
        parts.append(f"{kind}{before:,} -> {after:,}")
    if report.subject.mode != RECORDED and first.detail and len(lines) == 1:
        parts.append(one_line(detail_of(report.subject, events[0]), AROUND))
    together = all(event.call == events[0].call for event in events)
    return "; ".join([*parts, *(_sizes(report, events[0]) if together else ())])


def _sizes(report: TraceReport, event: Event) -> Iterator[str]:
    calls, number = report.subject.transcript.calls, event.call
    if report.subject.mode == RECORDED and 2 <= number <= len(calls):
        before, after = calls[number - 2].usage, calls[number - 1].usage
        if before is not None and after is not None:
            yield f"prompt {before.prompt:,} -> {after.prompt:,} (reported)"
            return
    if event.sizes is not None and event.sizes[0] != event.sizes[1]:
        yield f"window {event.sizes[0]:,} -> {event.sizes[1]:,}"


def _next(report: TraceReport) -> Iterator[Command]:
    subject, trace = report.subject, report.trace
    if subject.name == STDIN:
        return
    target = (subject.name, *subject.words)
    gone = [at for at in trace.forms if at not in trace.holding]
    pool = gone or list(trace.forms) or list(trace.later)
    if pool:
        largest = max(pool, key=lambda at: (subject.tokens(at), -at))
        yield Command(("windowkeeper", "recall", subject.transcript.items[largest].id, *target))
    left = [event.call for event in trace.events if event.event in (LEFT, MOVED)]
    if any(event.event == GAP for event in trace.events):
        yield Command(("windowkeeper", "gaps", *target, *subject.policy.words))
    if left:
        yield Command(("windowkeeper", "explain", *target, *subject.policy.words, "--call", str(left[-1])))
    if trace.call != subject.transcript.next_call.number:
        yield Command(("windowkeeper", "trace", *target, trace.target.what, *subject.policy.words))
