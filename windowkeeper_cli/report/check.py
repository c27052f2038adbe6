"""Whether sessions hold the ten invariants: one result a session, and the page, rows and document of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.report.envelope import bare_envelope, note
from windowkeeper_cli.report.heading import PLACES, by_kind
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


@dataclass(frozen=True, slots=True)
class Failure:
    """One place at which an invariant does not hold: the call, the items concerned by id, and what is wrong."""

    call: int
    items: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Invariant:
    """One invariant over a session; `given_up` says that the strategy's definition does not hold it."""

    n: int
    name: str
    failures: tuple[Failure, ...] = ()
    given_up: bool = False

    @property
    def ok(self) -> bool:
        """Return whether nothing speaks against it."""
        return self.given_up or not self.failures


@dataclass(frozen=True, slots=True)
class SessionCheck:
    """What a check of one session found; `error` says why it could not be loaded, and then all else is empty."""

    path: str
    session: str | None = None
    visits: int = 0
    changed: int = 0
    invariants: tuple[Invariant, ...] = ()
    findings: tuple[Finding, ...] = ()
    strict: bool = False
    error: str | None = None

    @property
    def faults(self) -> tuple[Finding, ...]:
        """Return the findings that are faults of the log."""
        return tuple(finding for finding in self.findings if finding.is_fault)

    @property
    def ok(self) -> bool:
        """Return whether all holds: invariants always, a sound log where asked to be strict."""
        sound = not (self.strict and self.faults)
        return self.error is None and sound and all(invariant.ok for invariant in self.invariants)


@dataclass(frozen=True, slots=True)
class Checked:
    """The report `check`; `words` are the options to type again."""

    results: tuple[SessionCheck, ...]
    policy: NamedPolicy
    words: tuple[str, ...] = ()

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
            "failures": sum(len(held.failures) for result in results for held in result.invariants if not held.ok),
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
        columns = (Column("ok", "", WORD), Column("path", "session", TEXT), Column("text", "", DETAIL))
        policy = (self.policy.name, self.policy.id)
        count = len(self.results)
        top = Lines((Line("checked", ((count, "session" if count == 1 else "sessions"), ("policy", *policy))),))
        return Sheet((top, Table(columns, tuple(rows))), next=tuple(self._next(bad)))

    def _next(self, bad: list[SessionCheck]) -> Iterator[Command]:
        for result in bad:
            for invariant in result.invariants:
                if not invariant.ok:
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
        if invariant.ok:
            continue
        yield (fail, result.path, f"invariant {invariant.n}, {invariant.name}: {len(invariant.failures):,} failed")
        for failure in invariant.failures[:SHOWN]:
            items = f"   items {', '.join(failure.items)}" if failure.items else ""
            yield ("", "", f"call {failure.call}   {failure.text}{items}")
        if len(invariant.failures) > SHOWN:
            yield ("", "", f"and {len(invariant.failures) - SHOWN:,} more")
    if result.strict and result.faults:
        yield (fail, result.path, f"{_findings_words(result.faults)} (--strict)")


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
            yield (Marked("warn", WARN), result.path, _findings_words(result.faults))


def _holds(results: list[SessionCheck]) -> str:
    visits, changed = sum(result.visits for result in results), sum(result.changed for result in results)
    given_up = sorted({held.n for result in results for held in result.invariants if held.given_up})
    total = max((len(result.invariants) for result in results), default=0)
    spared = f", {', '.join(str(n) for n in given_up)} given up by the strategy's definition" if given_up else ""
    word = "visit" if visits == 1 else "visits"
    return (
        f"invariants {total - len(given_up)} of {total} hold at {visits:,} {word} "
        f"({changed:,} changed something){spared}"
    )


def _findings_words(findings: tuple[Finding, ...]) -> str:
    kinds = []
    for kind, group in by_kind(findings):
        places = ", ".join(finding.where for finding in group[:PLACES])
        more = f", and {len(group) - PLACES:,} more" if len(group) > PLACES else ""
        kinds.append(f"{kind} {len(group):,} ({places}{more})")
    return "; ".join(kinds)


def _file_rows(result: SessionCheck) -> Iterator[tuple[Cell, ...]]:
    if result.error is not None:
        yield (result.path, None, None, None, "false", None, None, None, result.error)
    for held in result.invariants:
        first = held.failures[0] if held.failures else None
        yield (
            result.path,
            result.session,
            held.n,
            held.name,
            "true" if held.ok else "false",
            "true" if held.given_up else "false",
            len(held.failures),
            None if first is None else first.call,
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
                "n": held.n,
                "name": held.name,
                "ok": held.ok,
                "failures": [
                    {"call": failure.call, "items": list(failure.items), "text": failure.text}
                    for failure in held.failures
                ],
            }
            for held in result.invariants
        ],
        "providers": [],
        "findings": [note(finding) for finding in result.findings],
        "bounds": [],
    }
