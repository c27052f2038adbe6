"""Whether sessions hold the ten invariants: one result a session, and the page, rows and document of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from windowkeeper_cli.formats.folder import Skipped
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.replay.checking import Verdict
from windowkeeper_cli.report.envelope import bare_envelope, note
from windowkeeper_cli.report.heading import by_kind, figures_lines, places
from windowkeeper_cli.report.sheet import (
    BAD,
    DETAIL,
    GOOD,
    NUMBER,
    TEXT,
    WARN,
    WORD,
    Cell,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Sheet,
    Table,
)
from windowkeeper_cli.report.subject import WHAT_IF, NamedPolicy

LISTED = 10
"""Sessions without a fault that the page lists one by one; more are counted."""
SHOWN = 5
"""Failures of one invariant that the page lists; the document has all."""


def holds(verdict: Verdict) -> bool:
    """Return whether nothing speaks against an invariant, or the strategy's definition gives it up."""
    return verdict.ok or verdict.given_up


def faults_of(verdict: Verdict) -> tuple[str, ...]:
    """Return the names of the reference's known faults among an invariant's failures, each once."""
    return tuple(dict.fromkeys(failure.fault for failure in verdict.failures if failure.fault))


@dataclass(frozen=True, slots=True)
class SessionCheck:
    """What a check of one session found; `error` says why it could not be loaded.

    `ids` are those of the positions that a failure names.
    """

    path: str
    session: str | None = None
    visits: int = 0
    changed: int = 0
    invariants: tuple[Verdict, ...] = ()
    findings: tuple[Finding, ...] = ()
    strict: bool = False
    error: str | None = None
    ids: Mapping[int, str] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """Return the findings that are faults of the log."""
        return tuple(finding for finding in self.findings if finding.is_fault)

    @property
    def ok(self) -> bool:
        """Return whether all holds: invariants always, a sound log where asked to be strict."""
        sound = not (self.strict and self.faults)
        return self.error is None and sound and all(holds(verdict) for verdict in self.invariants)


@dataclass(frozen=True, slots=True)
class Checked:
    """The report `check`; `words` are the options to type again, `skipped` what was left out of folders."""

    results: tuple[SessionCheck, ...]
    policy: NamedPolicy
    words: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "check"

    @property
    def ok(self) -> bool:
        """Return whether every session holds."""
        return all(result.ok for result in self.results)

    def document(self) -> dict[str, object]:
        """Return the JSON document; what could not be loaded is a note of level `error`."""
        notes: list[dict[str, object]] = [
            {"level": "error", "where": result.path, "kind": "not-loaded", "text": result.error}
            for result in self.results
            if result.error is not None
        ]
        notes += [{"level": "warning", "where": one.path, "kind": "skipped", "text": one.why} for one in self.skipped]
        return bare_envelope(
            "check",
            {
                "ok": self.ok,
                "results": [_result(result) for result in self.results],
                "totals": self.totals(),
            },
            mode=WHAT_IF,
            policy=self.policy,
            notes=notes,
        )

    def totals(self) -> dict[str, int]:
        """Return sums over the sessions."""
        results = self.results
        return {
            "sessions": len(results),
            "ok": sum(result.ok for result in results),
            "failed": sum(not result.ok and result.error is None for result in results),
            "notLoaded": sum(result.error is not None for result in results),
            "visits": sum(result.visits for result in results),
            "changed": sum(result.changed for result in results),
            "failures": sum(held.failed for result in results for held in result.invariants if not holds(held)),
            "findings": sum(len(result.findings) for result in results),
        }

    def table(self) -> Table:
        """Return one row for each session and invariant."""
        columns = (
            Column("path", "path", TEXT),
            Column("session", "session", WORD),
            Column("n", "n", NUMBER),
            Column("invariant", "invariant", WORD),
            Column("ok", "ok", WORD),
            Column("givenUp", "given up", WORD),
            Column("failures", "failures", NUMBER),
            Column("firstCall", "first call", NUMBER),
            Column("fault", "fault", WORD),
            Column("text", "text", DETAIL),
        )
        return Table(columns, tuple(row for result in self.results for row in _file_rows(result)))

    def lines(self) -> None:
        """Return None: `check` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page: what fails first, then what holds."""
        bad = [result for result in self.results if not result.ok]
        good = [result for result in self.results if result.ok]
        rows: list[tuple[Cell, ...]] = []
        for result in bad:
            rows.extend(_bad_rows(result))
        rows.extend(_good_rows(good))
        rows.extend(_finding_rows([result for result in self.results if not result.strict]))
        rows.extend((Marked("left out", WARN), one.path, one.why) for one in self.skipped[:LISTED])
        if len(self.skipped) > LISTED:
            rows.append((Marked("left out", WARN), f"{len(self.skipped) - LISTED:,} more files", "-f json has all"))
        columns = (Column("ok", "", WORD), Column("path", "session", TEXT), Column("text", "", DETAIL))
        policy = (self.policy.name, self.policy.id)
        count = len(self.results)
        top = Lines((Line("checked", ((count, "session" if count == 1 else "sessions"), ("policy", *policy))),))
        return Sheet((top, Table(columns, tuple(rows))), figures_lines(self.policy), tuple(self._next(bad)))

    def _next(self, bad: list[SessionCheck]) -> Iterator[Command]:
        for result in bad:
            for invariant in result.invariants:
                if not holds(invariant):
                    call = str(invariant.failures[0].call)
                    words = ("explain", result.path, *self.words, *self.policy.words, "--call", call)
                    yield Command(("windowkeeper", *words))
                    yield Command(("windowkeeper", "rules", invariant.name))
                    return
        shown = (bad or list(self.results))[0]
        command = "explain" if shown.error is None and shown.ok else "info"
        policy = self.policy.words if command == "explain" else ()
        yield Command(("windowkeeper", command, shown.path, *self.words, *policy))


def _bad_rows(result: SessionCheck) -> Iterator[tuple[Cell, ...]]:
    fail: Cell = Marked("FAIL", BAD)
    if result.error is not None:
        yield (Marked("error", BAD), result.path, result.error)
        return
    for invariant in result.invariants:
        if holds(invariant):
            continue
        named = faults_of(invariant)
        known = f" ({', '.join(named)})" if named else ""
        yield (
            fail,
            result.path,
            f"invariant {invariant.number}, {invariant.name}: fails at {_count(invariant.failed)}{known}",
        )
        for failure in invariant.failures[:SHOWN]:
            items = f"   items {', '.join(result.ids[at] for at in failure.items)}" if failure.items else ""
            fault = f"{failure.fault}: " if failure.fault else ""
            yield ("", "", f"call {failure.call}   {fault}{failure.text}{items}")
        if invariant.failed > SHOWN:
            yield ("", "", f"and {invariant.failed - SHOWN:,} more")
    if result.strict and result.faults:
        yield (fail, result.path, f"{_findings_words(result.path, result.faults)} (--strict)")


def _count(count: int) -> str:
    return "1 place" if count == 1 else f"{count:,} places"


def _good_rows(good: list[SessionCheck]) -> Iterator[tuple[Cell, ...]]:
    mark: Cell = Marked("ok", GOOD)
    listed = good if len(good) <= LISTED else []
    for result in listed:
        yield (mark, result.path, _holds([result]))
    if good and not listed:
        yield (mark, f"{len(good):,} sessions", _holds(good))


def _finding_rows(results: list[SessionCheck]) -> Iterator[tuple[Cell, ...]]:
    for result in results:
        if result.faults:
            yield (Marked("warn", WARN), result.path, _findings_words(result.path, result.faults))


def _holds(results: list[SessionCheck]) -> str:
    visits, changed = sum(result.visits for result in results), sum(result.changed for result in results)
    given_up = sorted({held.number for result in results for held in result.invariants if held.given_up})
    total = max((len(result.invariants) for result in results), default=0)
    spared = f", {', '.join(str(n) for n in given_up)} given up by the strategy's definition" if given_up else ""
    word = "visit" if visits == 1 else "visits"
    return (
        f"invariants {total - len(given_up)} of {total} hold at {visits:,} {word} "
        f"({changed:,} changed something){spared}"
    )


def _findings_words(name: str, findings: tuple[Finding, ...]) -> str:
    return "; ".join(f"{kind} {len(group):,} ({places(name, group)})" for kind, group in by_kind(findings))


def _file_rows(result: SessionCheck) -> Iterator[tuple[Cell, ...]]:
    if result.error is not None:
        yield (result.path, None, None, None, "false", None, None, None, None, result.error)
    for held in result.invariants:
        first = held.failures[0] if held.failures else None
        yield (
            result.path,
            result.session,
            held.number,
            held.name,
            "true" if holds(held) else "false",
            "true" if held.given_up else "false",
            held.failed,
            None if first is None else first.call,
            " ".join(faults_of(held)) or None,
            "" if first is None else first.text,
        )


def _result(result: SessionCheck) -> dict[str, object]:
    return {
        "session": result.session,
        "path": result.path,
        "ok": result.ok,
        "visits": result.visits,
        "changed": result.changed,
        "invariants": [
            {
                "n": held.number,
                "name": held.name,
                "ok": holds(held),
                "failures": [
                    {
                        "call": failure.call,
                        "items": [result.ids[at] for at in failure.items],
                        "text": failure.text,
                        "fault": failure.fault,
                    }
                    for failure in held.failures
                ],
            }
            for held in result.invariants
        ],
        "providers": [],
        "findings": [note(finding) for finding in result.findings],
        "bounds": [],
    }
