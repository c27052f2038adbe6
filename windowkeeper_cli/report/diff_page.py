"""The page of `diff`: keys, figures, where the windows part, what one side holds and the other does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from windowkeeper_cli.report.diff import DiffReport
from windowkeeper_cli.report.diff_changes import figures_block, unchanged_line
from windowkeeper_cli.report.diff_items import items_tables
from windowkeeper_cli.report.diff_keys import KeyChange
from windowkeeper_cli.report.diff_why import moves_of, own_moves, why
from windowkeeper_cli.report.diff_worst import most_changed, most_changed_table
from windowkeeper_cli.report.explain_rows import decision_rows
from windowkeeper_cli.report.heading import STDIN, assumption_line, finding_lines, policy_words
from windowkeeper_cli.report.replay import SessionReplay
from windowkeeper_cli.report.replay_assumed import assumed
from windowkeeper_cli.report.replay_money import prices_line
from windowkeeper_cli.report.replay_page import budget_words, header, left_out
from windowkeeper_cli.report.sheet import (
    DIM,
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
from windowkeeper_cli.report.subject import RECORDED

SIDES = ("A", "B")
VALUE_CHARS = 60
"""Characters of a value of a policy key; a longer one is cut, the document has all of it."""


def sheet(report: DiffReport) -> Sheet:
    """Return the page."""
    worst = most_changed(report)
    return Sheet(tuple(_blocks(report, worst)), tuple(_footer(report)), tuple(_next(report, worst)))


def _blocks(report: DiffReport, worst: list[SessionReplay]) -> Iterator[Block]:
    yield Lines(tuple(_header(report)))
    yield _keys(report.keys) if report.keys else Prose("No policy key differs.")
    yield figures_block(report)
    alike = unchanged_line(report)
    if alike is not None:
        yield Lines((alike,))
    yield from _windows(report)
    if worst:
        yield most_changed_table(report, worst)
    if report.replay.skipped:
        yield left_out(report.replay)


def _header(report: DiffReport) -> Iterator[Line]:
    yield from header(report.replay)
    rows = report.replay.rows()
    for side, policy, row, limit in zip(SIDES, report.policies, rows, report.limits, strict=True):
        own: list[Part] = [(policy_words(policy), row.id)]
        if report.replay.terms.limit is None and limit is not None and report.replay.one is not None:
            own.append(("limit", limit))
        if row.costs is not None and row.costs.reported:
            own.append(("figures as reported",))
        yield Line(side, tuple(own))


def _keys(keys: tuple[KeyChange, ...]) -> Table:
    rows = tuple(
        (key.key, _value(key.a), _from(key.from_a, read=key.read_a), _value(key.b), _from(key.from_b, read=key.read_b))
        for key in keys
    )
    columns = (
        Column("key", "key", WORD),
        Column("a", "A", TEXT),
        Column("fromA", "from", WORD),
        Column("b", "B", TEXT),
        Column("fromB", "from", WORD),
    )
    return Table(columns, rows, f"policy keys that differ ({len(keys):,})")


def _value(value: object) -> str:
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:,}"
    if isinstance(value, dict):
        text = ", ".join(f"{name} {part:,}" for name, part in value.items()) or "none"
    else:
        text = value if isinstance(value, str) else ", ".join(str(part) for part in value) or "none"  # type: ignore[attr-defined]
    return text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 1] + "…"


def _from(origin: str, *, read: bool) -> Cell:
    """Return where a value came from; of a key that the side's strategy does not read, that alone."""
    return origin if read else Marked("not read", DIM)


def _windows(report: DiffReport) -> Iterator[Block]:
    one = report.one
    if one is None:
        parted = sum(call is not None for call in report.parted)
        all_of = f"{len(report.parted):,} sessions"
        yield Prose(f"The windows part in {parted:,} of {all_of}." if parted else f"No windows part in {all_of}.")
        return
    subject, parting = one.subject, one.difference.parts
    if parting is None:
        yield Prose("Both windows are the same at every call.")
        return
    calls = len(subject.transcript.calls)
    of = f"of {calls:,}" if parting.call <= calls else "(next)"
    yield Prose(why(subject, parting, report.limits), f"the windows part at call {parting.call:,} {of}")
    for side, step, other in (("A", parting.a, parting.b), ("B", parting.b, parting.a)):
        moves, own = moves_of(step), own_moves(step, other)
        if own:
            title = f"what {side} moves at call {parting.call:,}"
            if len(own) < len(moves):
                title += f" and the other does not, or otherwise ({len(own):,} of {len(moves):,})"
            yield decision_rows(subject, own, with_call=False, all_rows=report.all_rows, title=title)
    yield from items_tables(one, all_rows=report.all_rows)


def _footer(report: DiffReport) -> Iterator[Line]:
    replay = report.replay
    if replay.one is not None:
        yield from finding_lines(replay.one.path, replay.one.findings)
    for side, policy in zip(SIDES, report.policies, strict=True):
        if policy.source:
            yield Line(f"{side} from", ((policy.source, f"({policy.certainty})"),))
    if replay.terms.tariff is not None:
        yield prices_line(replay.terms.tariff)
    yield assumption_line(assumed(replay))


def _next(report: DiffReport, worst: list[SessionReplay]) -> Iterator[Command]:
    if worst:
        yield from (_command(report, one.typed) for one in worst)
        return
    one = report.one
    if one is None or one.subject.name == STDIN or report.replay.one is None:
        return
    target, parting = one.subject.name, one.difference.parts
    needed = next((each for each in one.difference.items if each.gap is not None), None)
    if needed is not None:
        lacking = report.policies[1 if needed.in_a else 0]
        budget = budget_words(report.replay, lacking, report.replay.one.label.unseen_prefix)
        if lacking.settings.strategy == RECORDED or budget is not None:
            words = (*_one(lacking.name, lacking.sets), *(budget or ()), *_loading(report))
            item = one.subject.transcript.items[needed.at].id
            yield Command(("windowkeeper", "trace", target, item, *words))
    if parting is not None:
        if not (one.ever or one.call == parting.call):
            yield _command(report, (target,), "--call", str(parting.call))
        if not one.ever:
            yield _command(report, (target,), "--all")
    elif report.keys:
        policy = report.policies[1]
        yield Command(("windowkeeper", "explain", target, *_one(policy.name, policy.sets), *_loading(report)))


def _one(name: str, sets: tuple[str, ...]) -> tuple[str, ...]:
    return ("-p", name, *(word for key in sets for word in ("--set", key)))


def _loading(report: DiffReport) -> tuple[str, ...]:
    return report.replay.terms.loading


def _command(report: DiffReport, target: Sequence[str], *more: str) -> Command:
    """Return the command that compares the same policies on the same terms."""
    a, b = report.policies
    sets = [word for key in a.sets for word in ("--set", key)]
    own = [word for key in report.b_sets for word in ("--set-b", key)]
    terms = report.replay.terms
    return Command(
        ("windowkeeper", "diff", *target, "-p", a.name, "-p", b.name, *sets, *own, *terms.words, *terms.loading, *more)
    )
