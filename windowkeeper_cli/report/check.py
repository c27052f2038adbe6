"""Whether sessions hold what they should: invariants, providers, bounds; one result a session, rows, document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from windowkeeper_cli.formats.folder import Skipped
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.replay.acceptance.windows import Accepted
from windowkeeper_cli.replay.checking import Verdict
from windowkeeper_cli.report.check_bounds import Bound
from windowkeeper_cli.report.envelope import bare_envelope, note
from windowkeeper_cli.report.outcome import Outcome
from windowkeeper_cli.report.sheet import Sheet, Table
from windowkeeper_cli.report.subject import NamedPolicy


class Refused(NamedTuple):
    """A reason for which a provider would refuse a window; `already`: it would have refused the recorded one too."""

    call: int
    rule: str
    at: int | None
    item: str | None
    already: bool
    text: str


class ProviderCheck(NamedTuple):
    """What one provider makes of a session's windows."""

    provider: str
    reasons: tuple[Refused, ...]

    @property
    def faults(self) -> tuple[Refused, ...]:
        """Return the reasons that the policy answers for."""
        return tuple(reason for reason in self.reasons if not reason.already)


def provider_checks(accepted: Sequence[Accepted], ids: Mapping[int, str]) -> tuple[ProviderCheck, ...]:
    """Return what providers make of the windows, with the ids of the items by position."""
    return tuple(
        ProviderCheck(
            one.provider,
            tuple(
                Refused(
                    reason.call,
                    reason.fault.rule,
                    reason.fault.at,
                    None if reason.fault.at is None else ids[reason.fault.at],
                    reason.already,
                    reason.fault.text,
                )
                for reason in one.reasons
            ),
        )
        for one in accepted
    )


def holds(verdict: Verdict) -> bool:
    """Return whether nothing speaks against an invariant, or the strategy's definition gives it up."""
    return verdict.ok or verdict.given_up


def faults_of(verdict: Verdict) -> tuple[str, ...]:
    """Return the names of the reference's known faults among an invariant's failures, each once."""
    return tuple(dict.fromkeys(failure.fault for failure in verdict.failures if failure.fault))


@dataclass(frozen=True, slots=True)
class SessionCheck:
    """What a check of one session found; `error` says why it could not be loaded.

    `ids` are those of the positions that a failure names; `providers` is empty where nobody knows the log's own.
    `agent` is the subagent whose transcript it is, and `opens` the words that name it where its path does not.
    """

    path: str
    session: str | None = None
    visits: int = 0
    changed: int = 0
    invariants: tuple[Verdict, ...] = ()
    providers: tuple[ProviderCheck, ...] = ()
    bounds: tuple[Bound, ...] = ()
    findings: tuple[Finding, ...] = ()
    strict: bool = False
    error: str | None = None
    ids: Mapping[int, str] = field(default_factory=dict)
    agent: str | None = None
    opens: tuple[str, ...] = ()

    @property
    def typed(self) -> tuple[str, ...]:
        """Return the words that name it on a command line."""
        return self.opens or (self.path,)

    @property
    def called(self) -> str:
        """Return what a page calls it."""
        return " ".join(self.typed)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """Return the findings that are faults of the log."""
        return tuple(finding for finding in self.findings if finding.is_fault)

    @property
    def ok(self) -> bool:
        """Return whether all holds: invariants, acceptance and bounds always, a sound log where asked to be strict."""
        sound = not (self.strict and self.faults)
        kept = all(holds(verdict) for verdict in self.invariants) and all(bound.ok for bound in self.bounds)
        return self.error is None and sound and kept and not any(one.faults for one in self.providers)


@dataclass(frozen=True, slots=True)
class Checked:
    """The report `check`; `words` are the options to type again, `skipped` what was left out of folders.

    `left` counts the sessions that were not reached before the user broke it off.
    """

    results: tuple[SessionCheck, ...]
    policy: NamedPolicy
    words: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    left: int = 0

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "check"

    @property
    def mode(self) -> str:
        """Return the mode of the policy."""
        return self.policy.mode

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
        if self.left:
            text = f"interrupted: {self.left:,} sessions were not checked"
            notes.append({"level": "warning", "where": "", "kind": "partial", "text": text})
        notes += [{"level": "warning", "where": one.path, "kind": "skipped", "text": one.why} for one in self.skipped]
        return bare_envelope(
            "check",
            {
                "ok": self.ok,
                "results": [_result(result) for result in self.results],
                "totals": self.totals(),
            },
            mode=self.mode,
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
            "refused": sum(len(one.faults) for result in results for one in result.providers),
            "boundsMissed": sum(not bound.ok for result in results for bound in result.bounds),
            "findings": sum(len(result.findings) for result in results),
        }

    def table(self) -> Table:
        """Return one row for each session and check: an invariant, a provider, a bound."""
        from windowkeeper_cli.report.check_rows import table_of

        return table_of(self.results)

    def lines(self) -> None:
        """Return None: `check` has no JSON lines."""
        return

    def sheet(self) -> Sheet:
        """Return the page: what fails first, then what holds."""
        from windowkeeper_cli.report.check_page import page_of

        return page_of(self)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield one outcome for each session and kind of check."""
        from windowkeeper_cli.report.check_outcomes import outcomes_of

        return outcomes_of(self)


def _result(result: SessionCheck) -> dict[str, object]:
    return {
        "session": result.session,
        "agent": result.agent,
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
        "providers": [
            {
                "provider": one.provider,
                "ok": not one.faults,
                "reasons": [
                    {key: getattr(reason, key) for key in ("call", "rule", "at", "already", "text")}
                    for reason in one.reasons
                ],
            }
            for one in result.providers
        ],
        "findings": [note(finding) for finding in result.findings],
        "bounds": [
            {"name": bound.name, "kind": bound.kind, "bound": bound.bound, "value": bound.value, "ok": bound.ok}
            for bound in result.bounds
        ],
    }
