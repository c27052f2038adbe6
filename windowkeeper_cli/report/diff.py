"""How do two policies differ on one session, down to the items, or over several, in figures?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.replay.diff import Apart, Difference, Parting
from windowkeeper_cli.report.diff_figures import Figure, figures
from windowkeeper_cli.report.diff_keys import KeyChange
from windowkeeper_cli.report.diff_why import Limits, why
from windowkeeper_cli.report.envelope import bare_envelope, note
from windowkeeper_cli.report.explain_document import FORM_NAMES, decision
from windowkeeper_cli.report.followed import GAP_COLUMNS, followed
from windowkeeper_cli.report.reference import reference
from windowkeeper_cli.report.replay import ReplayReport, SessionReplay, Values
from windowkeeper_cli.report.replay_assumed import assumed
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Cell, Column, Sheet, Table, cell_of
from windowkeeper_cli.report.subject import NamedPolicy, Subject

if TYPE_CHECKING:
    from windowkeeper_cli.report.story import Story


class Compared(NamedTuple):
    """One session compared: the call that its items speak of; with `ever` they are those of every call up to it."""

    subject: Subject
    call: int
    difference: Difference
    ever: bool = False


@dataclass(frozen=True, slots=True)
class DiffReport:
    """The report `diff`: `replay` has both policies' rows, A first; `parted` is each session's call, None: never.

    `one` is there where a single session was asked for. `b_sets` are the options that change B alone.
    """

    replay: ReplayReport
    keys: tuple[KeyChange, ...]
    parted: tuple[int | None, ...]
    one: Compared | None = None
    b_sets: tuple[str, ...] = ()
    all_rows: bool = False

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "diff"

    @property
    def equal(self) -> bool:
        """Return whether both windows are the same at every call of every session."""
        return all(call is None for call in self.parted)

    @property
    def policies(self) -> tuple[NamedPolicy, NamedPolicy]:
        """Return A and B."""
        a, b = self.replay.policies
        return a, b

    @property
    def limits(self) -> Limits:
        """Return the limits of both sides, the unseen prefix in them, as the first session has them."""
        a, b = self.replay.sessions[0].rows
        return a.limit, b.limit

    def figures(self, sessions: tuple[SessionReplay, ...] | None = None) -> tuple[Figure, ...]:
        """Return the figures over some of the sessions, all by default."""
        chosen = self.replay.sessions if sessions is None else sessions
        return figures(self.replay.row(0, chosen), self.replay.row(1, chosen))

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.diff_page import sheet

        return sheet(self)

    def story(self) -> Story:
        """Return the page with every call of one session on it under A and B, where their steps were kept for that."""
        from windowkeeper_cli.report.story_blocks import compared_story, plain_story

        page, one = self.sheet(), self.one
        if one is None:
            return plain_story(page)
        a, b = self.policies
        titles = (f"A: {a.name}", f"B: {b.name}")
        return compared_story(page, one.subject, (a, b), self.replay.sessions[0].rows, titles, one.call)

    def document(self) -> Values:
        """Return the JSON document."""
        replay, one = self.replay, self.replay.one
        body: Values = {
            "a": self._policy(0),
            "b": self._policy(1),
            "keys": [key.as_dict() for key in self.keys],
            "figures": [figure.as_dict() for figure in self.figures()],
            "parts": None if self.one is None else parts(self.one.subject, self.one.difference.parts, self.limits),
            "items": [] if self.one is None else [item(self.one.subject, each) for each in self.one.difference.items],
            "sessions": [self._session(session) for session in replay.sessions],
            "equal": self.equal,
            "call": None if self.one is None else self.one.call,
            "ever": self.one is not None and self.one.ever,
            "skipped": [{"path": skip.path, "why": skip.why} for skip in replay.skipped],
        }
        document = bare_envelope(
            self.name,
            body,
            mode=replay.mode,
            transcript=None if one is None else one.facts,
            tokens=None if one is None else one.counts,
            notes=[note(finding) for session in replay.sessions for finding in session.findings],
        )
        return {**document, "assumptions": [{"name": name, "times": times} for name, times, _ in assumed(replay)]}

    def table(self) -> Table:
        """Return the items of one session, or the figures of each of several, for a file."""
        if self.one is not None:
            subject = self.one.subject
            return Table(ITEMS, tuple(_cells(item(subject, each)) for each in self.one.difference.items))
        return Table(FIGURES, tuple(self._figure_rows()))

    def lines(self) -> Iterator[bytes] | None:
        """Return None: a comparison has no lines."""
        return None

    def _policy(self, place: int) -> Values:
        policy = self.replay.policies[place]
        row = self.replay.row(place, self.replay.sessions)
        known = {"name": policy.name, "id": row.id, "strategy": row.strategy, "from": policy.origin}
        return {**known, "sets": list(policy.sets)}

    def _session(self, session: SessionReplay) -> Values:
        call = self.parted[self.replay.sessions.index(session)]
        found = [figure.as_dict() for figure in self.figures((session,))]
        known = {"session": session.session, "agent": session.agent, "path": session.path}
        return {**known, "partsAtCall": call, "figures": found}

    def _figure_rows(self) -> Iterator[tuple[Cell, ...]]:
        for session in self.replay.sessions:
            for figure in self.figures((session,)):
                yield (session.session, session.path, *figure[:4], cell_of(figure.better))


def parts(subject: Subject, parting: Parting | None, limits: Limits) -> Values | None:
    """Return where the windows part as the document has it, None where they never do."""
    if parting is None:
        return None
    return {
        "call": parting.call,
        "a": _decisions(subject, parting.a),
        "b": _decisions(subject, parting.b),
        "why": why(subject, parting, limits),
    }


def _decisions(subject: Subject, step: Step) -> list[Values]:
    return [decision(subject, line, True) for line in step.lines]


def item(subject: Subject, one: Apart) -> Values:
    """Return an item that one side has in full and the other not."""
    return {
        **reference(subject, one.at),
        "a": FORM_NAMES[one.a.form],
        "b": FORM_NAMES[one.b.form],
        "ruleA": one.a.rule,
        "ruleB": one.b.rule,
        "sinceCall": one.since,
        "untilCall": one.until,
        "tokensA": one.a.tokens,
        "tokensB": one.b.tokens,
        "gap": followed(one.gap),
    }


def _cells(values: Values) -> tuple[Cell, ...]:
    gap = values["gap"]
    flat = {**values, **({f"gap.{key}": value for key, value in gap.items()} if isinstance(gap, dict) else {})}
    return tuple(cell_of(flat.get(column.key)) for column in ITEMS)


ITEMS = (
    Column("at", "at", NUMBER),
    Column("item", "item", WORD),
    Column("turn", "turn", NUMBER),
    Column("what", "what", WORD),
    Column("tool", "tool", WORD),
    Column("brief", "brief", TEXT),
    Column("tokens", "tokens", NUMBER),
    Column("class", "class", WORD),
    Column("a", "A", WORD),
    Column("b", "B", WORD),
    Column("ruleA", "rule in A", WORD),
    Column("ruleB", "rule in B", WORD),
    Column("sinceCall", "since", NUMBER),
    Column("untilCall", "until", NUMBER),
    Column("tokensA", "tokens in A", NUMBER),
    Column("tokensB", "tokens in B", NUMBER),
    *GAP_COLUMNS,
)
FIGURES = (
    Column("session", "session", WORD),
    Column("path", "path", TEXT),
    Column("figure", "figure", WORD),
    Column("a", "A", NUMBER),
    Column("b", "B", NUMBER),
    Column("change", "change", NUMBER),
    Column("better", "better", WORD),
)
