"""What would each policy have sent, over one session or several? Rows of figures, and the series by call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from windowkeeper_cli.model.counter import CounterLabel, Counts
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.policy import policy_id
from windowkeeper_cli.replay.ledger import line_bytes
from windowkeeper_cli.replay.limits import at_limit
from windowkeeper_cli.replay.replay import Candidate, Replayed
from windowkeeper_cli.replay.tariff import Tariff
from windowkeeper_cli.report.envelope import bare_envelope, counter_facts, note, transcript_facts
from windowkeeper_cli.report.replay_rows import FLAT, Row, flat, row_of
from windowkeeper_cli.report.replay_series import SERIES, Moment, moments, series
from windowkeeper_cli.report.sheet import Sheet, Table, cell_of
from windowkeeper_cli.report.subject import RECORDED, WHAT_IF, NamedPolicy, Subject
from windowkeeper_cli.strategies import STRATEGIES

if TYPE_CHECKING:
    from windowkeeper_cli.report.story import Story

Values = dict[str, object]


SEPARATORS = re.compile(r"[/\\]")


class SessionReplay(NamedTuple):
    """One session under every policy; `rows` are in the order of the policies, their series only where asked for.

    `name` is what the user typed or a folder held. `counts` are the facts of the counter as a document has them.
    `agent` is the subagent whose transcript it is, and `words` are the options that choose it of the session `name`.
    `held` is the transcript itself, where all of its calls are to be shown.
    """

    name: str
    path: str
    session: str | None
    calls: int
    project: str
    format: str
    label: CounterLabel
    hidden: int
    facts: Values
    counts: Values
    rows: tuple[Replayed, ...]
    moments: tuple[Moment, ...] = ()
    findings: tuple[Finding, ...] = ()
    agent: str | None = None
    words: tuple[str, ...] = ()
    held: Subject | None = None

    @property
    def typed(self) -> tuple[str, ...]:
        """Return the words that name it on a command line."""
        return (self.name, *self.words)


class Skip(NamedTuple):
    """A session that was left out; `damaged` where it could not be replayed, rather than was not wanted."""

    path: str
    why: str
    damaged: bool = True


class Terms(NamedTuple):
    """What all rows have in common; `limit` in tokens (None: each policy's own), `ttl` in seconds (None: off).

    `assumed` says that nobody gave the limit. `against` is the place of the row that the others are compared with.
    `usual` says that nobody named the policies. `words` are the options to type again for the same comparison,
    `loading` those that were needed to load. `tariff` holds the prices that money is in.
    """

    limit: int | None = None
    assumed: bool = False
    ttl: float | None = None
    against: int = 0
    by_call: bool = False
    usual: bool = False
    words: tuple[str, ...] = ()
    loading: tuple[str, ...] = ()
    tariff: Tariff | None = None


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """The report `replay`; `left` counts sessions not reached before an interruption, `unwanted` those passed over."""

    policies: tuple[NamedPolicy, ...]
    sessions: tuple[SessionReplay, ...]
    terms: Terms
    skipped: tuple[Skip, ...] = ()
    left: int = 0
    unwanted: int = 0

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "replay"

    @property
    def one(self) -> SessionReplay | None:
        """Return the session where there is only one, and none was left out."""
        alone = len(self.sessions) == 1 and not (self.skipped or self.left or self.unwanted)
        return self.sessions[0] if alone else None

    @property
    def mode(self) -> str:
        """Return `recorded` where every row is what the harness itself did, else `what-if`."""
        return RECORDED if all(policy.mode == RECORDED for policy in self.policies) else WHAT_IF

    def rows(self) -> tuple[Row, ...]:
        """Return a row for each policy: the sums over the sessions that it could be replayed on."""
        return tuple(self.row(place, self.sessions) for place in range(len(self.policies)))

    def row(self, place: int, sessions: tuple[SessionReplay, ...]) -> Row:
        """Return the row of the policy at `place` over some of the sessions."""
        policy = self.policies[place]
        return row_of(policy.name, self._id(policy), policy.settings, [one.rows[place] for one in sessions])

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.replay_page import sheet

        return sheet(self)

    def story(self) -> Story:
        """Return the page with every call on it under every policy, where the one session was kept for that."""
        from windowkeeper_cli.report.story_blocks import compared_story, plain_story

        one, page = self.sessions[0], self.sheet()
        return plain_story(page) if one.held is None else compared_story(page, one.held, self.policies, one.rows)

    def document(self) -> Values:
        """Return the JSON document."""
        from windowkeeper_cli.report.replay_assumed import assumed

        one, terms = self.one, self.terms
        prices = {policy.settings.prices for policy in self.policies}
        price = prices.pop() if len(prices) == 1 else None
        body: Values = {
            "limit": terms.limit,
            "cache": {
                "ttl": terms.ttl,
                "read": None if price is None else price.cache_read,
                "write": None if price is None else price.cache_write,
            },
            "prices": None if terms.tariff is None else terms.tariff.as_dict(),
            "rows": [row.as_dict() for row in self.rows()],
            "sessions": [self._session(one) for one in self.sessions],
            "skipped": [{"path": skip.path, "why": skip.why} for skip in self.skipped],
        }
        document = bare_envelope(
            self.name,
            body,
            mode=self.mode,
            transcript=None if one is None else one.facts,
            tokens=None if one is None else one.counts,
            notes=[note(finding) for session in self.sessions for finding in session.findings],
        )
        return {**document, "assumptions": [{"name": name, "times": times} for name, times, _ in assumed(self)]}

    def table(self) -> Table:
        """Return the rows, or the series by call, for a file."""
        if self.terms.by_call:
            return Table(SERIES, tuple(tuple(cell_of(value) for value in line.values()) for line in self._series()))
        return Table(FLAT, tuple(flat(row) for row in self.rows()))

    def lines(self) -> Iterator[bytes]:
        """Return one JSON line for each row, or for each call of each policy."""
        values = self._series() if self.terms.by_call else (row.as_dict() for row in self.rows())
        return (line_bytes(line) for line in values)

    def _series(self) -> Iterator[Values]:
        for one in self.sessions:
            for row in one.rows:
                called = one.session or one.path
                called = called if one.agent is None else f"{called} --agent {one.agent}"
                yield from series(called, row, one.moments, self.terms.tariff)

    def _session(self, one: SessionReplay) -> Values:
        rows = [self.row(place, (one,)).as_dict() for place in range(len(self.policies))]
        known = {"session": one.session, "agent": one.agent, "path": one.path}
        return {**known, "calls": one.calls, "rows": rows}

    def _id(self, policy: NamedPolicy) -> str:
        """Return the id of the policy as it was replayed: with the limit in it, without any unseen prefix."""
        if self.terms.limit is None or policy.make is not None:
            return policy.id
        settings = at_limit(policy.settings, self.terms.limit, 0)
        return policy_id(settings, STRATEGIES.module(settings.strategy).READS)


def candidates(policies: tuple[NamedPolicy, ...]) -> tuple[Candidate, ...]:
    """Return the policies as they are replayed."""
    return tuple(Candidate(policy.name, policy.settings, policy.make) for policy in policies)


def session_replay(
    name: str, path: str, transcript: Transcript, counts: Counts, rows: tuple[Replayed, ...], *, by_call: bool
) -> SessionReplay:
    """Return what stays of a session when its transcript is dropped; the series stay where they are asked for."""
    return SessionReplay(
        name=name,
        path=path,
        session=transcript.session,
        calls=len(transcript.calls),
        project=SEPARATORS.split((transcript.log.cwd or "").rstrip("/\\"))[-1],
        format=f"{transcript.format} {transcript.log.version}" if transcript.log.version else transcript.format,
        label=counts.counter.label,
        hidden=counts.hidden_thinking,
        facts=transcript_facts(path, transcript),
        counts=counter_facts(counts),
        rows=rows if by_call else tuple(row._replace(series=()) for row in rows),
        moments=moments(transcript) if by_call else (),
        findings=transcript.findings,
        agent=transcript.agent,
    )
