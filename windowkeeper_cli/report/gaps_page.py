"""The page of `gaps`: each gap with where it was used, what had given it, when that left, and what still names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.block import ToolCall
from windowkeeper_cli.model.brief import arguments_but, one_line
from windowkeeper_cli.replay.addresses import LOST, MENTIONED, RECALLABLE
from windowkeeper_cli.replay.gaps.gap import Gap
from windowkeeper_cli.report.gaps import GapsReport
from windowkeeper_cli.report.gaps_constraints import keeping
from windowkeeper_cli.report.gaps_summaries import blocks
from windowkeeper_cli.report.heading import (
    STDIN,
    call_part,
    counter_words,
    footer_lines,
    limit_parts,
    session_line,
    several,
)
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    ID,
    NUMBER,
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
from windowkeeper_cli.report.subject import RECORDED, Subject

LONG, FEW = 60, 40
"""Gaps that are all listed; of more, the `FEW` whose sources are largest."""
USE_CHARS, ASKED_CHARS = 90, 40
TONES = {RECALLABLE: GOOD, LOST: BAD}
NEED, HARM = (
    "In a what-if the session went on as recorded: a gap shows need, not harm.",
    "These windows were sent: a gap is what the model had to do without, or fetch again.",
)
ROWS = (
    Column("call", "call", NUMBER),
    Column("kind", "kind", WORD),
    Column("left", "left", NUMBER),
    Column("ago", "calls ago", NUMBER),
    Column("source", "source", ID),
    Column("tokens", "tokens", NUMBER),
    Column("address", "address", WORD),
    Column("detail", "what was used, by what; what had given it", DETAIL),
)


def sheet(report: GapsReport) -> Sheet:
    """Return the page."""
    return Sheet(tuple(_blocks(report)), footer_lines(report.subject, report.assumed), tuple(_next(report)))


def _blocks(report: GapsReport) -> Iterator[Block]:
    yield _header(report)
    if report.gaps:
        yield _rows(report)
        yield Prose(HARM if report.subject.mode == RECORDED else NEED)
        yield from keeping(report.subject, report.gaps)
    else:
        yield Prose(_nothing(report))
    yield from blocks(report.subject, report.audits, report.unreadable, all_rows=report.all_rows)


def _header(report: GapsReport) -> Lines:
    subject, totals = report.subject, report.totals()
    tokens: list[Part] = [(counter_words(subject),), *limit_parts(subject.policy, None)]
    lines = [session_line(subject, call_part(subject, report.call)), Line("tokens", tuple(tokens))]
    if report.gaps:
        kinds = Counter(gap.kind for gap in report.gaps)
        parts: list[Part] = [("at least", *several(len(report.gaps), "gap"))]
        parts += [(kinds[kind], kind) for kind in report.kinds if kinds[kind]]
        parts += [(totals["exact"], "exact")] if totals["exact"] else []
        lines.append(Line("gaps", tuple(parts)))
        lines.append(Line("needed", (_sources(report), *_addresses(totals))))
        rules = Counter(gap.rule for gap in report.gaps if gap.rule is not None).most_common()
        lines.append(Line("rule" if len(rules) == 1 else "rules", tuple((rule, times) for rule, times in rules)))
    return Lines(tuple(lines))


def _sources(report: GapsReport) -> Part:
    totals = report.totals()
    return (*several(totals["sources"], "item"), "that had left, of", totals["tokensNeeded"], "tokens")


def _addresses(totals: dict[str, int]) -> Iterator[Part]:
    for word in (RECALLABLE, MENTIONED, LOST):
        if totals[word]:
            text = f"{totals[word]:,} {word}"
            yield (Marked(text, TONES[word]) if word in TONES else text,)


def _nothing(report: GapsReport) -> str:
    looked = ", ".join(report.kinds)
    if not report.left:
        return f"Nothing had left the window by call {report.call:,}: there can be no gap."
    what = "item has" if report.left == 1 else "items have"
    return (
        f"No gap found: {report.left:,} {what} left, and nothing shows that one was needed again (looked for {looked})."
    )


def _rows(report: GapsReport) -> Table:
    gaps, title = list(report.gaps), f"gaps ({len(report.gaps):,})"
    if len(gaps) > LONG and not report.all_rows:
        largest = sorted(enumerate(gaps), key=lambda pair: (-_tokens(report, pair[1]), pair[0]))[:FEW]
        gaps = [gap for _, gap in sorted(largest)]
        title = f"gaps: the {FEW} with the largest sources of {len(report.gaps):,}; --all-rows lists all"
    usual = Counter(gap.rule for gap in report.gaps).most_common(1)[0][0]
    if usual is not None and any(gap.rule != usual for gap in gaps):
        title += f"; left by {usual} where no other rule is named"
    return Table(ROWS, tuple(_row(report, gap, usual) for gap in gaps), title)


def _row(report: GapsReport, gap: Gap, usual: str | None) -> tuple[Cell, ...]:
    items = report.subject.transcript.items
    return (
        gap.call,
        gap.kind,
        gap.left_call,
        gap.distance,
        None if gap.source is None else items[gap.source].id,
        None if gap.source is None else _tokens(report, gap),
        Marked(gap.address, TONES[gap.address]) if gap.address in TONES else gap.address,
        "; ".join(_detail(report, gap, usual)),
    )


def _detail(report: GapsReport, gap: Gap, usual: str | None) -> Iterator[str]:
    subject = report.subject
    used = f'"{one_line(gap.use, USE_CHARS)}"'
    by = "" if gap.used_by is None else about(subject, gap.used_by)
    if gap.exact is not None and gap.used_by is not None:
        yield f"{by}, asked in the same words" if gap.exact else f"{by}{asked_for(subject, gap.used_by)}"
    else:
        yield f"{used} by {by}" if by else used
    if gap.source is not None and gap.used_by is not None:
        source = about(subject, gap.source)
        words = asked_for(subject, gap.source) if gap.exact is False else ""
        yield f"given by {'the same' if source == by else source}{words}"
    if gap.rule is not None and gap.rule != usual:
        yield gap.rule


def asked_for(subject: Subject, at: int) -> str:
    """Return what a result's call asked for besides its resource, in brief: ` offset=36, limit=120`."""
    item = subject.transcript.items[at]
    for block in subject.transcript.blocks(item.answers) if item.answers >= 0 else ():
        if isinstance(block, ToolCall) and block.id == item.tool_call_id:
            others = arguments_but(block.args, item.resource or "", ASKED_CHARS)
            return f" {others}" if others else ""
    return ""


def _tokens(report: GapsReport, gap: Gap) -> int:
    return 0 if gap.source is None else report.subject.tokens(gap.source)


def _next(report: GapsReport) -> Iterator[Command]:
    subject = report.subject
    if subject.name == STDIN:
        return
    target = (subject.name, *subject.words)
    chosen = _telling(report, report.gaps)
    if chosen is None:
        yield Command(("windowkeeper", "dropped", *target, *subject.policy.words))
        return
    source = subject.transcript.items[chosen.source or 0].id
    yield Command(("windowkeeper", "recall", source, *target))
    call = ("--call", str(chosen.call))
    yield Command(("windowkeeper", "trace", subject.name, source, *subject.words, *subject.policy.words, *call))
    call = ("--call", str(chosen.left_call))
    yield Command(("windowkeeper", "explain", *target, *subject.policy.words, *call))


def _telling(report: GapsReport, gaps: Sequence[Gap]) -> Gap | None:
    """Return the gap whose source is largest, the first of such."""
    known = [gap for gap in gaps if gap.source is not None and gap.left_call is not None]
    return max(known, key=lambda gap: _tokens(report, gap)) if known else None
