"""Which items does one side have in full and the other not, for people: the needed first, then the largest?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.replay.diff import Apart, Held
from windowkeeper_cli.report.diff import Compared
from windowkeeper_cli.report.explain_document import FORM_NAMES
from windowkeeper_cli.report.reference import about
from windowkeeper_cli.report.sheet import BAD, DETAIL, ID, NUMBER, TEXT, WORD, Block, Cell, Column, Marked, Prose, Table

LONG, FEW = 16, 12
"""Rows that are all listed; of more, so many, and one row for the rest of each form and rule."""


def items_tables(one: Compared, *, all_rows: bool) -> Iterator[Block]:
    """Yield a table for each side that has items in full which the other has not, and a sentence for the rest."""
    difference = one.difference
    when = _when(one)
    for in_a in (True, False):
        rows = [each for each in difference.items if each.in_a is in_a]
        has, lacks = ("A", "B") if in_a else ("B", "A")
        if rows:
            yield _table(one, rows, f"in full in {has} and not in {lacks} {when}", lacks, all_rows=all_rows)
        else:
            yield Prose(f"Nothing is in full in {has} and not in {lacks} {when}.")
    if difference.otherwise:
        count = difference.otherwise
        what = "1 more item stands" if count == 1 else f"{count:,} more items stand"
        yield Prose(f"{what} differently, in full in neither.")


def _when(one: Compared) -> str:
    if one.ever:
        return "at some call"
    is_next = one.call == one.subject.transcript.next_call.number
    return f"at call {one.call:,}" + (" (next)" if is_next else "")


def _table(one: Compared, rows: Sequence[Apart], title: str, lacks: str, *, all_rows: bool) -> Table:
    subject = one.subject
    ordered = sorted(rows, key=lambda each: (each.gap is None, -subject.tokens(each.at), each.at, each.since))
    shown = ordered if all_rows or len(rows) <= LONG else ordered[:FEW]
    rest = ordered[len(shown) :]
    cells = [_row(one, each) for each in shown]
    cells += [_folded(one, group) for group in _grouped(rest)]
    tokens = sum(subject.tokens(at) for at in {each.at: None for each in rows})
    needed = sum(each.gap is not None for each in rows)
    counted = f"{len(rows):,}, {tokens:,} tokens" + (f"; at least {needed:,} needed again" if needed else "")
    columns = [
        Column("sinceCall", "since", NUMBER),
        Column("item", "item", ID),
        Column("tokens", "tokens", NUMBER),
        Column("form", f"in {lacks}", WORD),
        Column("rule", f"rule of {lacks}", TEXT),
        Column("detail", "detail", DETAIL),
    ]
    if one.ever:
        columns.insert(1, Column("untilCall", "until", NUMBER))
    else:
        cells = [(row[0], *row[2:]) for row in cells]
    return Table(tuple(columns), tuple(cells), f"{title} ({counted})")


def _row(one: Compared, each: Apart) -> tuple[Cell, ...]:
    has, lacking = _sides(each)
    details = [about(one.subject, each.at)]
    if has.rule is not None:
        details.append(f"in full in {'A' if each.in_a else 'B'} by {has.rule}")
    if each.gap is not None:
        exact = " (the same call)" if each.gap.exact else ""
        details.insert(0, f"{each.gap.kind.upper()} at call {each.gap.call:,}{exact}")
    text = "; ".join(details)
    return (
        each.since,
        each.until,
        one.subject.transcript.items[each.at].id,
        one.subject.tokens(each.at),
        FORM_NAMES[lacking.form],
        lacking.rule,
        text if each.gap is None else Marked(text, BAD),
    )


def _sides(each: Apart) -> tuple[Held, Held]:
    """Return how the side that has the item holds it, and how the other does."""
    return (each.a, each.b) if each.in_a else (each.b, each.a)


def _grouped(rows: Sequence[Apart]) -> list[list[Apart]]:
    groups: dict[tuple[int, str | None], list[Apart]] = {}
    for each in rows:
        lacking = _sides(each)[1]
        groups.setdefault((lacking.form, lacking.rule), []).append(each)
    return list(groups.values())


def _folded(one: Compared, rows: Sequence[Apart]) -> tuple[Cell, ...]:
    lacking = _sides(rows[0])[1]
    first, last = min(each.since for each in rows), max(each.since for each in rows)
    since = f"since call {first:,}" if first == last else f"since calls {first:,}-{last:,}"
    needed = sum(each.gap is not None for each in rows)
    return (
        None,
        None,
        f"{len(rows):,} more",
        sum(one.subject.tokens(each.at) for each in rows),
        FORM_NAMES[lacking.form],
        lacking.rule,
        since + (f"; {needed:,} needed again" if needed else ""),
    )
