"""The life of one thing: is it in the window at a call, when did it leave, and what still names it?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.ledger import Step
from windowkeeper_cli.model.nearest import SHORTEST
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import dataclass
from windowkeeper_cli.replay.trace import Event, Trace, trace_of
from windowkeeper_cli.replay.trace_target import (
    Target,
    resources_of,
    target_of_id,
    target_of_path,
    target_of_text,
)
from windowkeeper_cli.report.assumed import Assumed
from windowkeeper_cli.report.envelope import Assumption, envelope
from windowkeeper_cli.report.explain_document import FORM_NAMES, decision
from windowkeeper_cli.report.explain_visits import last_deciding, session_of
from windowkeeper_cli.report.recalled import find_item, unknown_id
from windowkeeper_cli.report.reference import reference
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Cell, Column, Sheet, Table, cell_of
from windowkeeper_cli.report.subject import Subject

WHOLE = 12
"""Digits of a whole id; fewer may also be the end of a path."""
NEAREST = 3
_HEX = re.compile(f"[0-9a-f]{{{SHORTEST},16}}")


@dataclass(frozen=True, slots=True)
class TraceReport:
    """The report `trace`: what `what` means here, and its life up to a call."""

    subject: Subject
    what: str
    trace: Trace
    assumed: tuple[Assumption, ...] = ()
    all_rows: bool = False

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "trace"

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.trace_page import sheet

        return sheet(self)

    def document(self) -> dict[str, object]:
        """Return the JSON document."""
        from windowkeeper_cli.report.trace_answer import answer

        trace = self.trace
        counts = dict.fromkeys(FORM_NAMES, 0)
        for form in trace.forms.values():
            counts[form] += 1
        body: dict[str, object] = {
            "what": self.what,
            "answer": answer(self.subject, trace),
            "events": [self._event(event) for event in trace.events],
            "atCall": {
                "call": trace.call,
                **{FORM_NAMES[form]: counts[form] for form in FORM_NAMES},
                "named": len(trace.namers),
            },
        }
        return envelope(self.name, self.subject, body, self.assumed)

    def table(self) -> Table:
        """Return every event, none folded, for a file."""
        return Table(COLUMNS, tuple(self._row(event) for event in self.trace.events))

    def lines(self) -> Iterator[bytes] | None:
        """Return nothing: the report has no JSON lines."""
        return None

    def _event(self, event: Event) -> dict[str, object]:
        line = event.line
        return {
            "call": event.call,
            "event": event.event,
            "item": {**reference(self.subject, event.at), "item": event.item},
            "decision": None if line is None else decision(self.subject, line, line.call == self.trace.call),
            "inWindowAtCall": self._in_window(event),
        }

    def _in_window(self, event: Event) -> bool:
        return (event.item if event.at is None else event.at) in self.trace.present

    def _row(self, event: Event) -> tuple[Cell, ...]:
        facts, line = reference(self.subject, event.at), event.line
        return (
            event.call,
            event.event,
            event.kind or None,
            event.at,
            event.item,
            *(cell_of(facts[key]) for key in ("turn", "tool", "tokens")),
            *((None,) * 4 if line is None else (line.action, line.rule, line.tokens_before, line.tokens_after)),
            "true" if self._in_window(event) else "false",
            cell_of(facts["brief"]) if line is None else line.detail,
        )


COLUMNS = (
    Column("call", "call", NUMBER),
    Column("event", "event", WORD),
    Column("by", "by", WORD),
    Column("at", "at", NUMBER),
    Column("item", "item", WORD),
    Column("turn", "turn", NUMBER),
    Column("tool", "tool", WORD),
    Column("tokens", "tokens", NUMBER),
    Column("action", "action", WORD),
    Column("rule", "rule", WORD),
    Column("tokensBefore", "tokens before", NUMBER),
    Column("tokensAfter", "tokens after", NUMBER),
    Column("inWindowAtCall", "in the window at the call", WORD),
    Column("detail", "detail", TEXT),
)


def trace(subject: Subject, what: str, number: int | None, *, all_rows: bool = False) -> TraceReport:
    """Return the life of `what` up to call `number`; None means the last call that decided something.

    Raises UsageError where nothing is meant by `what`, where it begins several ids, or where no call decided
    anything and `number` is None.
    """
    if number is None:
        number = last_deciding(subject)
    try:
        target = target_of(subject.transcript, what)
    except UsageError:
        _refuse_texts_of_ours(subject, what.lower(), number)
        raise
    session = session_of(subject)
    assumed = Assumed()

    def watched() -> Iterator[Step]:
        for step in session.steps(number):
            assumed.take(step)
            yield step

    found = trace_of(session, watched(), target)
    return TraceReport(subject, what, found, assumed.of(session), all_rows)


def target_of(transcript: Transcript, what: str) -> Target:
    """Return what `what` means: a whole id, else a path or its end, else the beginning of an id, else a text.

    Raises UsageError where it is none of these, naming what is nearest, or begins several ids, naming them.
    """
    if not what.strip():
        raise UsageError("nothing to trace", "give an id, a path or the end of one, or a text")
    wanted = what.lower()
    digits = bool(_HEX.fullmatch(wanted))
    path = None if digits and len(wanted) >= WHOLE else target_of_path(transcript, what)
    at = find_item(transcript, wanted) if digits and path is None else None
    if at is not None:
        return target_of_id(transcript, what, at)
    found = path or target_of_path(transcript, what) or target_of_text(transcript, what)
    if found is None:
        raise _nothing(transcript, what, digits=digits)
    return found


def _refuse_texts_of_ours(subject: Subject, wanted: str, number: int) -> None:
    """Raise UsageError where `wanted` is the id, or its beginning, of a stand-in that came in up to a call."""
    if not _HEX.fullmatch(wanted):
        return
    for step in session_of(subject).steps(number):
        for line in step.lines:
            if line.at is None and line.item.startswith(wanted):
                raise UsageError(
                    f"{line.item} is a {line.stands or 'text of ours'} that came in at call {step.call:,}, and no item",
                    f"windowkeeper explain --call {step.call} shows it",
                )


def _nothing(transcript: Transcript, what: str, *, digits: bool) -> UsageError:
    """Return the error that names the paths, or for digits the ids, that are nearest to what nothing matches."""
    wrong = f'no id, path or text here matches "{one_line(what)}"'
    if digits and transcript.items:
        return UsageError(wrong, unknown_id(transcript, what.lower()).todo)
    near = _nearest(what, resources_of(transcript))
    shown = ", ".join(one_line(path, 120) for path in near)
    return UsageError(wrong, f"the nearest are {shown}" if near else "it has no path either")


def _nearest(what: str, paths: tuple[str, ...]) -> list[str]:
    """Return the paths whose end is most like `what`, case left aside."""
    from difflib import SequenceMatcher

    wanted = what[-200:].lower()
    matcher = SequenceMatcher(None, "", wanted.rpartition("/")[2] or wanted, autojunk=False)

    def likeness(path: str) -> float:
        name = path[-200:].lower().rpartition("/")[2]
        matcher.set_seq1(name)
        return matcher.ratio() + (wanted in path.lower())

    return sorted(paths, key=lambda path: (-likeness(path), path))[:NEAREST]
