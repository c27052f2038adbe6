"""The decisions of `explain` as rows: one each, or many of one action, rule and call folded into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.report.explain import Explanation
from windowkeeper_cli.report.reference import about, brief
from windowkeeper_cli.report.sheet import (
    BAD,
    CHANGE,
    DETAIL,
    DIM,
    GOOD,
    ID,
    NUMBER,
    PLAIN,
    TEXT,
    WARN,
    WORD,
    Cell,
    Change,
    Column,
    Marked,
    Table,
)
from windowkeeper_cli.report.subject import Subject

FOLD_OVER, FOLD_OVER_IN_LONG, LONG = 12, 3, 24
"""Rows of one action, rule and call that are shown one by one, also in a table of over `LONG` rows; more fold."""

TONES = {"keep": GOOD, "recall": GOOD, "over-limit": BAD, "not-smaller": DIM, "insert": DIM, "retract": DIM}
CALL = Column("call", "call", NUMBER)
COLUMNS = (
    Column("action", "action", WORD),
    Column("rule", "rule", TEXT),
    Column("item", "item", ID),
    Column("turn", "turn", NUMBER),
    Column("tokensBefore", "tokens", CHANGE, "tokensAfter"),
    Column("detail", "detail", DETAIL),
)
FILE_COLUMNS = (
    CALL,
    Column("isNew", "new", WORD),
    *COLUMNS[:2],
    Column("at", "at", NUMBER),
    *COLUMNS[2:4],
    Column("what", "what", WORD),
    Column("tool", "tool", WORD),
    Column("brief", "brief", TEXT),
    Column("tokens", "tokens", NUMBER),
    Column("class", "class", WORD),
    *COLUMNS[4:],
)


def decision_rows(
    subject: Subject, lines: Sequence[DecisionLine], *, with_call: bool, all_rows: bool, title: str = ""
) -> Table:
    """Return the table of `lines` for people, in their order, folded unless `all_rows`."""
    groups: dict[tuple[int, str, str], list[DecisionLine]] = {}
    for line in lines:
        groups.setdefault((line.call, line.action, line.rule), []).append(line)
    over = FOLD_OVER_IN_LONG if len(lines) > LONG and with_call else FOLD_OVER
    rows: list[tuple[Cell, ...]] = []
    folded: set[tuple[int, str, str]] = set()
    for line in lines:
        key = (line.call, line.action, line.rule)
        if all_rows or len(groups[key]) <= over:
            row = decision_row(subject, line)
        elif key not in folded:
            folded.add(key)
            row = _folded(subject, groups[key])
        else:
            continue
        rows.append((line.call, *row) if with_call else row)
    return Table((CALL, *COLUMNS) if with_call else COLUMNS, tuple(rows), title)


def decision_row(subject: Subject, line: DecisionLine) -> tuple[Cell, ...]:
    """Return the cells of one decision under `COLUMNS`."""
    return (
        _action(line.action),
        line.rule,
        line.item,
        line.turn,
        _change(line.tokens_before, line.tokens_after),
        "; ".join(part for part in (_what(subject, line), line.detail) if part),
    )


def _folded(subject: Subject, lines: Sequence[DecisionLine]) -> tuple[Cell, ...]:
    results = [line for line in lines if _is_result(subject, line)]
    messages = len(lines) - len(results)
    counted = ((len(results), "result"), (messages, "message"))
    counts = [f"{number:,} {word}{'' if number == 1 else 's'}" for number, word in counted if number]
    tools = Counter(line.tool or "no tool" for line in results)
    most = [f"{name} {number:,}" for name, number in sorted(tools.items(), key=lambda pair: (-pair[1], pair[0]))]
    more = len(most) - 4
    rest = f", {more} more tool{'s' if more > 1 else ''}" if more > 0 else ""
    turns = [line.turn for line in lines if line.turn is not None]
    span = None if not turns else f"{min(turns)}-{max(turns)}" if min(turns) != max(turns) else turns[0]
    return (
        _action(lines[0].action),
        lines[0].rule,
        f"{len(lines):,} items",
        span,
        _change(sum(line.tokens_before for line in lines), sum(line.tokens_after for line in lines)),
        ", ".join(counts) + (f": {', '.join(one_line(name, 40) for name in most[:4])}{rest}" if most else ""),
    )


def _what(subject: Subject, line: DecisionLine) -> str:
    return (line.stands or "") if line.at is None else about(subject, line.at)


def _is_result(subject: Subject, line: DecisionLine) -> bool:
    return line.at is not None and subject.transcript.items[line.at].is_result


def _action(action: str) -> Cell:
    tone = TONES.get(action, WARN)
    return Marked(action, tone) if tone != PLAIN else action


def _change(before: int, after: int) -> Change:
    return Change(before, after if after != before else None)


def decision_table(explanation: Explanation) -> Table:
    """Return every decision of the report with all that is known of its item, for a file."""
    subject = explanation.subject
    rows: list[tuple[Cell, ...]] = []
    for visited in explanation.visits:
        rows.extend(_file_rows(subject, visited.step.lines, "true"))
        rows.extend(_file_rows(subject, explanation.shown_standing(visited), "false"))
    return Table(FILE_COLUMNS, tuple(rows))


def _file_rows(subject: Subject, lines: Iterable[DecisionLine], is_new: str) -> Iterable[tuple[Cell, ...]]:
    for line in lines:
        item = None if line.at is None else subject.transcript.items[line.at]
        yield (
            line.call,
            is_new,
            line.action,
            line.rule,
            line.at,
            line.item,
            line.turn,
            None if item is None else "result" if item.is_result else "message",
            line.tool,
            None if line.at is None else brief(subject, line.at),
            None if line.at is None else subject.tokens(line.at),
            None if item is None else item.retention,
            Change(line.tokens_before, line.tokens_after),
            line.detail,
        )
