"""The page of `check`: what fails first with its evidence, then what holds, then what only warns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.report.check import Checked, ProviderCheck, SessionCheck, faults_of, holds
from windowkeeper_cli.report.figures import is_gaps
from windowkeeper_cli.report.heading import by_kind, figures_lines, partial_part, places, several, subagents_part
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    STRONG,
    WARN,
    WORD,
    Cell,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import RECORDED

LISTED = 10
"""Sessions without a fault that the page lists one by one; more are counted."""
SHOWN = 5
"""Failures of one kind that the page lists; the document has all."""
LONGEST = 48
"""Characters of a path up to which what is said of it stands in line with the other paths'."""
Row = tuple[Cell, str, str]
"""A mark, the session (none: what is said belongs to the row above), and what is said of it."""


def page_of(report: Checked) -> Sheet:
    """Return the page of a report."""
    bad = [result for result in report.results if not result.ok]
    good = [result for result in report.results if result.ok]
    rows: list[Row] = []
    for result in bad:
        rows.extend(_bad_rows(result))
    rows.extend(_good_rows(good))
    rows.extend(_warnings(report.results))
    rows.extend((Marked("left out", WARN), one.path, one.why) for one in report.skipped[:LISTED])
    if len(report.skipped) > LISTED:
        rows.append((Marked("left out", WARN), f"{len(report.skipped) - LISTED:,} more files", "-f json has all"))
    columns = (Column("ok", "", WORD), Column("text", "session", DETAIL))
    mode = "RECORDED:" if report.mode == RECORDED else "WHAT-IF"
    policy = (Marked(mode, STRONG), "policy", report.policy.name, report.policy.id)
    top = Lines((Line("checked", (several(len(report.results), "session"), *_of_them(report), policy)),))
    return Sheet((top, Table(columns, tuple(_aligned(rows)))), figures_lines(report.policy), tuple(_next(report, bad)))


def _of_them(report: Checked) -> Iterator[Part]:
    """Yield what is said of the sessions: how many are subagents', and how many were not reached."""
    agents = sum(result.agent is not None for result in report.results)
    if agents:
        yield subagents_part(agents)
    if report.left:
        yield partial_part(report.left)


def _aligned(rows: list[Row]) -> Iterator[tuple[Cell, ...]]:
    """Yield rows of a mark and a text: what is said of short paths begins in one column, evidence is indented."""
    width = max((len(path) for _, path, _ in rows if len(path) <= LONGEST), default=0)
    for mark, path, text in rows:
        yield mark, f"{path:<{width}}  {text}" if path else f"  {text}"


def _next(report: Checked, bad: list[SessionCheck]) -> Iterator[Command]:
    for result in bad:
        found = next(_first_faults(result), None)
        if found is not None:
            call, name = found
            words = (*result.typed, *report.words, *report.policy.words)
            if any(is_gaps(bound.name) and not bound.ok for bound in result.bounds):
                yield Command(("windowkeeper", "gaps", *words))
            yield Command(("windowkeeper", "explain", *words, *(() if call is None else ("--call", str(call)))))
            if name is not None:
                yield Command(("windowkeeper", "rules", name))
            return
    shown = (bad or list(report.results))[0]
    command = "explain" if shown.error is None and shown.ok else "info"
    policy = report.policy.words if command == "explain" else ()
    yield Command(("windowkeeper", command, *shown.typed, *report.words, *policy))


def _first_faults(result: SessionCheck) -> Iterator[tuple[int | None, str | None]]:
    """Yield the call that a fault concerns and the rule that explains it, invariants first."""
    for invariant in result.invariants:
        if not holds(invariant):
            yield invariant.failures[0].call, invariant.name
    for one in result.providers:
        for reason in one.faults:
            yield reason.call, reason.rule
    for bound in result.bounds:
        if not bound.ok:
            yield (bound.evidence[0].call if bound.evidence else None), None


def _bad_rows(result: SessionCheck) -> Iterator[Row]:
    if result.error is not None:
        yield (Marked("error", BAD), result.called, result.error)
        return
    for title, lines in faults_in(result):
        yield (Marked("FAIL", BAD), result.called, title)
        yield from (("", "", line) for line in lines)


def faults_in(result: SessionCheck, shown: int = SHOWN) -> Iterator[tuple[str, list[str]]]:
    """Yield what fails in a session: a title, and evidence below it, `shown` pieces at most."""
    for invariant in result.invariants:
        if not holds(invariant):
            named = faults_of(invariant)
            known = f" ({', '.join(named)})" if named else ""
            title = f"invariant {invariant.number}, {invariant.name}: fails at {_count(invariant.failed)}{known}"
            lines = []
            for failure in invariant.failures[:shown]:
                items = f"   items {', '.join(result.ids[at] for at in failure.items)}" if failure.items else ""
                fault = f"{failure.fault}: " if failure.fault else ""
                lines.append(f"call {failure.call}   {fault}{failure.text}{items}")
            yield title, [*lines, *_more(invariant.failed - shown)]
    for one in result.providers:
        if one.faults:
            yield _refused(one, shown)
    for bound in result.bounds:
        if not bound.ok:
            lines = [
                piece.what if piece.call is None else f"call {piece.call}  {piece.what}"
                for piece in bound.evidence[:shown]
            ]
            yield bound.sentence, [*lines, *_more(len(bound.evidence) + bound.more - shown)]
    if result.strict and result.faults:
        yield f"{findings_words(result.path, result.faults)} (--strict)", []


def _refused(one: ProviderCheck, shown: int) -> tuple[str, list[str]]:
    first, *others = one.faults
    lines = [f"call {reason.call}   {reason.text}{_item(reason.item)}" for reason in others[: shown - 1]]
    title = f"{one.provider} would reject call {first.call}: {first.text}{_item(first.item)}"
    return title, [*lines, *_more(len(one.faults) - shown)]


def _item(item: str | None) -> str:
    return "" if item is None else f"   item {item}"


def _more(count: int) -> list[str]:
    return [f"and {count:,} more"] if count > 0 else []


def _count(count: int) -> str:
    return "1 place" if count == 1 else f"{count:,} places"


def _good_rows(good: list[SessionCheck]) -> Iterator[Row]:
    mark: Cell = Marked("ok", GOOD)
    listed = good if len(good) <= LISTED else []
    for result in listed:
        yield (mark, result.called, holding([result]))
    if good and not listed:
        yield (mark, f"{len(good):,} sessions", holding(good))


def _warnings(results: Iterable[SessionCheck]) -> Iterator[Row]:
    for result in results:
        for text in warnings_in(result):
            yield (Marked("warn", WARN), result.called, text)


def warnings_in(result: SessionCheck) -> Iterator[str]:
    """Yield what is worth a look in a session and fails nothing."""
    for one in result.providers:
        already = [reason for reason in one.reasons if reason.already]
        if already:
            count = "1 fault" if len(already) == 1 else f"{len(already):,} faults"
            first = already[0]
            yield (
                f"{one.provider} would have rejected the recorded window too: {count}, the first at call "
                f"{first.call}: {first.text}"
            )
    for bound in result.bounds:
        if bound.value is None:
            yield bound.sentence
    if result.faults and not result.strict:
        yield findings_words(result.path, result.faults)


def holding(results: list[SessionCheck]) -> str:
    """Return what holds in sessions without a fault, in words."""
    visits, changed = sum(result.visits for result in results), sum(result.changed for result in results)
    given_up = sorted({held.number for result in results for held in result.invariants if held.given_up})
    total = max((len(result.invariants) for result in results), default=0)
    spared = f", {', '.join(str(n) for n in given_up)} given up by the strategy's definition" if given_up else ""
    word = "visit" if visits == 1 else "visits"
    bounds = max((len(result.bounds) for result in results), default=0)
    kept = f"; {bounds} {'bound' if bounds == 1 else 'bounds'} kept" if bounds else ""
    return (
        f"invariants {total - len(given_up)} of {total} hold at {visits:,} {word} "
        f"({changed:,} changed something){spared}; {_asked(results)}{kept}"
    )


def _asked(results: list[SessionCheck]) -> str:
    names = list(dict.fromkeys(one.provider for result in results for one in result.providers))
    unknown = sum(not result.providers for result in results)
    nobody = "no provider is known (--provider NAME asks one)"
    if not names:
        return nobody
    verb = "accepts" if len(names) == 1 else "accept"
    rest = f"; of {unknown:,} {nobody}" if unknown else ""
    known = any(one.reasons for result in results for one in result.providers)
    but = " but what the recorded one had too" if known else ""
    return f"{', '.join(names)} {verb} every window{but}{rest}"


def findings_words(name: str, findings: tuple[Finding, ...]) -> str:
    """Return the findings of a log by kind, with their first places."""
    return "; ".join(f"{kind} {len(group):,} ({places(name, group)})" for kind, group in by_kind(findings))
