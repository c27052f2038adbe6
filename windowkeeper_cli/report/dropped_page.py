"""The page of `dropped`: what left and what there is of it now, then totals by tool and by class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.replay.addresses import LOST, RECALLABLE
from windowkeeper_cli.replay.dropped import Dropped
from windowkeeper_cli.report.dropped import DroppedReport, Sums
from windowkeeper_cli.report.explain_document import FORM_NAMES
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
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    ID,
    NUMBER,
    PLAIN,
    TEXT,
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

LONG, FEW = 40, 24
"""Departures that are all listed; of more `FEW`, and one row for the rest of each rule and address."""
TOOLS = 12
"""Tools whose totals are listed; the rest have one row."""
TONES = {RECALLABLE: GOOD, LOST: BAD}

ROWS = (
    Column("leftCall", "left", NUMBER),
    Column("cameCall", "came", NUMBER),
    Column("item", "item", ID),
    Column("tokens", "tokens", NUMBER),
    Column("class", "class", WORD),
    Column("form", "form now", WORD),
    Column("address", "address", WORD),
    Column("backCall", "back", NUMBER),
    Column("detail", "tool and arguments", DETAIL),
)
BACK = 7
"""The place of the column that is left out where nothing came back."""
SUMS = (
    Column("results", "results", NUMBER),
    Column("left", "left", NUMBER),
    Column("tokensLeft", "tokens left", NUMBER),
    Column("recallable", "recallable", NUMBER),
    Column("mentioned", "mentioned", NUMBER),
    Column("lost", "lost", NUMBER),
    Column("needed", "needed", NUMBER),
    Column("tokensNeeded", "tokens needed", NUMBER),
    Column("back", "back in full", NUMBER),
)


def sheet(report: DroppedReport) -> Sheet:
    """Return the page."""
    return Sheet(tuple(_blocks(report)), footer_lines(report.subject, report.assumed), tuple(_next(report)))


def _blocks(report: DroppedReport) -> Iterator[Block]:
    yield _header(report)
    if not report.rows:
        yield Prose(_nothing(report))
        return
    yield _rows(report)
    yield _totals("tool", [(one_line(tool, 40) or "no name", sums) for tool, sums in report.by_tool()], report)
    yield _totals("class", report.by_class(), report)


def _header(report: DroppedReport) -> Lines:
    subject, sums = report.subject, report.totals()
    tokens: list[Part] = [(counter_words(subject),), *limit_parts(subject.policy, report.limit)]
    lines = [session_line(subject, call_part(subject, report.call)), Line("tokens", tuple(tokens))]
    if report.rows:
        parts: list[Part] = [(sums.left, "of", sums.results, "tool results, of", sums.tokens_left, "tokens")]
        parts += [(sums.recallable, RECALLABLE), (sums.mentioned, "mentioned"), (Marked(f"{sums.lost:,} lost", BAD),)]
        parts = [part for part in parts if part[0] not in (0, Marked("0 lost", BAD))]
        lines.append(Line("left", (*parts, *(((sums.back, "back in full"),) if sums.back else ()))))
        if sums.needed:
            lines.append(Line("needed", (("at least", sums.needed, "again, of", sums.tokens_needed, "tokens"),)))
        rules = Counter(row.rule for row in report.rows).most_common()
        lines.append(Line("rule" if len(rules) == 1 else "rules", tuple((rule, times) for rule, times in rules)))
    return Lines(tuple(lines))


def _nothing(report: DroppedReport) -> str:
    strategy, count = report.subject.policy.settings.strategy, len(report.results)
    if not count:
        return f"No tool result had come by call {report.call:,}."
    held = f"No tool result has left: all {count:,} are in the window of call {report.call:,} in full"
    if report.limit is None:
        found = acts_on(report.subject.policy)
        why = f"; {strategy} acts on {found[0]}" if found else ""
        return f"{held}. The largest window was {report.peak:,} tokens{why}."
    if report.peak > report.limit:
        return f"{held}, though the largest window was {report.peak:,} tokens, over the limit of {report.limit:,}."
    return f"{held}. The largest window was {report.peak:,} tokens, {report.limit - report.peak:,} under the limit."


def _rows(report: DroppedReport) -> Table:
    rows, title = list(report.rows), f"tool results that left ({len(report.rows):,})"
    rest: list[Dropped] = []
    if len(rows) > LONG and not report.all_rows:
        largest = sorted(rows, key=lambda row: (report.gap(row) is None, -row.tokens, row.left, row.at))[:FEW]
        chosen = {(row.at, row.left) for row in largest}
        rest = [row for row in rows if (row.at, row.left) not in chosen]
        rows = [row for row in rows if (row.at, row.left) in chosen]
        which = f"{FEW} of {len(report.rows):,}, those needed again first" if report.gaps else ""
        title = f"tool results that left: {which or f'the {FEW} largest of {len(report.rows):,}'}; --all-rows lists all"
    usual = Counter(row.rule for row in report.rows).most_common(1)[0][0]
    if any(row.rule != usual for row in report.rows):
        title += f"; by {usual} where no other rule is named"
    cells = [_row(report, row, usual) for row in rows]
    cells += [_folded(group, usual) for group in _grouped(rest)]
    if any(row.back is not None for row in report.rows):
        return Table(ROWS, tuple(cells), title)
    kept = [place for place in range(len(ROWS)) if place != BACK]
    return Table(
        tuple(ROWS[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in cells), title
    )


def _row(report: DroppedReport, row: Dropped, usual: str) -> tuple[Cell, ...]:
    item = report.subject.transcript.items[row.at]
    error = ["an error"] if item.is_error else []
    return (
        row.left,
        row.came,
        item.id,
        row.tokens,
        item.retention,
        FORM_NAMES[row.form],
        _address(row.address),
        row.back,
        "; ".join([about(report.subject, row.at), *error, *_needed(report, row), *_rule(row, usual)]),
    )


def _needed(report: DroppedReport, row: Dropped) -> Iterator[str]:
    gap = report.gap(row)
    if gap is not None:
        yield f"needed at call {gap.call:,} ({gap.kind})"


def _rule(row: Dropped, usual: str) -> Iterator[str]:
    later = row.now_rule != row.rule and row.back is None
    if row.rule != usual or later:
        yield row.rule + (f", then {row.now_rule} at call {row.now_call:,}" if later else "")


def _address(address: str | None) -> Cell:
    tone = TONES.get(address or "", PLAIN)
    return address if address is None or tone == PLAIN else Marked(address, tone)


def _grouped(rows: Sequence[Dropped]) -> list[list[Dropped]]:
    groups: dict[tuple[str, Form, str | None], list[Dropped]] = {}
    for row in rows:
        groups.setdefault((row.rule, row.form, row.address), []).append(row)
    return list(groups.values())


def _folded(rows: Sequence[Dropped], usual: str) -> tuple[Cell, ...]:
    first, last = min(row.left for row in rows), max(row.left for row in rows)
    calls = f"left at call {first:,}" if first == last else f"left at calls {first:,}-{last:,}"
    return (
        None,
        None,
        f"{len(rows):,} more",
        sum(row.tokens for row in rows),
        None,
        FORM_NAMES[rows[0].form],
        _address(rows[0].address),
        None,
        "; ".join([calls, *([rows[0].rule] if rows[0].rule != usual else [])]),
    )


def _totals(word: str, sums: Sequence[tuple[str, Sums]], report: DroppedReport) -> Table:
    """Return the sums by tool or class, those that lost nothing and the smallest as one row, and the sum of all."""
    left = [pair for pair in sums if pair[1].left]
    shown = left if len(left) <= TOOLS else left[: TOOLS - 1]
    rest = [one for name, one in sums if (name, one) not in shown]
    rows = [(name, *_blank(one)) for name, one in shown]
    if rest:
        many = f"{len(rest):,} more" if any(one.left for one in rest) else f"{len(rest):,} in full"
        rows.append((many, *_blank(_sum(rest))))
    if len(rows) > 1:
        rows.append(("all", *_blank(report.totals())))
    columns = (Column(word, word, TEXT), *SUMS)
    held = [place for place in range(len(columns)) if place < 4 or any(row[place] for row in rows)]
    return Table(
        tuple(columns[place] for place in held),
        tuple(tuple(row[place] for place in held) for row in rows),
        f"by {word}" if word == "tool" else f"by {word} of item",
    )


def _blank(sums: Sums) -> tuple[int | None, ...]:
    """Return the figures of a row; a zero behind the first three is left blank."""
    return (*sums[:3], *(figure or None for figure in sums[3:]))


def _sum(sums: Sequence[Sums]) -> Sums:
    return Sums(*(sum(figures) for figures in zip(*sums, strict=True)))


def _next(report: DroppedReport) -> Iterator[Command]:
    subject = report.subject
    if subject.name == STDIN:
        return
    target = (subject.name, *subject.words)
    gone = [row for row in report.rows if row.form is not Form.FULL]
    if gone:
        largest = max(gone, key=lambda row: row.tokens)
        yield Command(("windowkeeper", "recall", subject.transcript.items[largest.at].id, *target))
        call = ("--call", str(largest.left))
        yield Command(("windowkeeper", "explain", *target, *subject.policy.words, *call))
        word = "gaps" if report.gaps else "refusals"
        yield Command(("windowkeeper", word, *target, *subject.policy.words))
    elif report.results and subject.policy.settings.strategy == "windowkeeper" and report.peak > 1_000:
        smaller = f"budget.max={report.peak // 2_000 * 1_000}"
        own = tuple(word for word in subject.policy.words if word)
        yield Command(("windowkeeper", "dropped", *target, *own, "--set", smaller, "--set", "budget.reserve=0"))
    else:
        yield Command(("windowkeeper", "info", *target))
