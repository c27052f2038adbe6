"""The sums of `explain`: refusals by reason, what moved by action and by class."""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.guards import GUARDS
from windowkeeper_cli.model.decision import Form, Refusal
from windowkeeper_cli.model.ledger import DecisionLine
from windowkeeper_cli.model.rule import RuleText
from windowkeeper_cli.report.sheet import CHANGE, DETAIL, NUMBER, WORD, Cell, Change, Column, Table
from windowkeeper_cli.report.subject import Subject
from windowkeeper_cli.strategies import OUTCOMES

CLASSES = ("pin", "state", "evict", "compact")
SPANS = 6
"""Runs of turns that a row lists; more are counted."""

REFUSALS = (
    Column("reason", "reason", WORD),
    Column("refused", "refused", NUMBER),
    Column("tokens", "tokens", NUMBER),
    Column("detail", "why", DETAIL),
)
TOTALS = (
    Column("action", "total", WORD),
    Column("items", "items", NUMBER),
    Column("tokensBefore", "tokens", CHANGE, "tokensAfter"),
    *(Column(name, name, NUMBER) for name in CLASSES),
)


def refusal_table(refusals: Sequence[Refusal], title: str) -> Table:
    """Return refusals summed by reason, in order of first appearance."""
    groups: dict[str, list[Refusal]] = {}
    for refusal in refusals:
        groups.setdefault(refusal.reason, []).append(refusal)
    rows = tuple(
        (
            reason,
            len(group),
            sum(refusal.tokens for refusal in group),
            "; ".join(part for part in (_places(group), _why(reason)) if part),
        )
        for reason, group in groups.items()
    )
    return Table(REFUSALS, rows, title)


def _why(reason: str) -> str:
    for family in (GUARDS, OUTCOMES):
        if reason in family.names:
            text: RuleText = family.module(reason).TEXT
            return text.key or text.what
    return ""


def _places(refusals: Sequence[Refusal]) -> str:
    turns = sorted({refusal.turn for refusal in refusals})
    spans: list[list[int]] = []
    for turn in turns:
        if spans and spans[-1][1] == turn - 1:
            spans[-1][1] = turn
        else:
            spans.append([turn, turn])
    words = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    more = f" and {len(words) - SPANS:,} more places" if len(words) > SPANS else ""
    return f"turn{'s' if len(turns) > 1 else ''} {', '.join(words[:SPANS])}{more}"


def totals(subject: Subject, lines: Sequence[DecisionLine]) -> Table | None:
    """Return what is not in full now, by action and class of item; None where every item is in full."""
    moved = [line for line in lines if line.at is not None and line.form_after < Form.FULL]
    if not moved:
        return None
    groups: dict[str, list[DecisionLine]] = {}
    for line in moved:
        groups.setdefault(line.action, []).append(line)
    rows = [_total(subject, action, group) for action, group in groups.items()]
    if len(rows) > 1:
        rows.append(_total(subject, "all", moved))
    held = [place for place in range(len(TOTALS)) if any(row[place] is not None for row in rows)]
    return Table(
        tuple(TOTALS[place] for place in held),
        tuple(tuple(row[place] for place in held) for row in rows),
        "not in full in this window, by action and class of item",
    )


def _total(subject: Subject, name: str, lines: Sequence[DecisionLine]) -> tuple[Cell, ...]:
    counts = dict.fromkeys(CLASSES, 0)
    for line in lines:
        assert line.at is not None
        counts[subject.transcript.items[line.at].retention] += 1
    whole = sum(subject.tokens(line.at) for line in lines if line.at is not None)
    now = sum(line.tokens_after for line in lines)
    return (name, len(lines), Change(whole, now), *(counts[kind] or None for kind in CLASSES))
