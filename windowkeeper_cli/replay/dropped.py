"""Dropped observations: which tool results left, when, by which rule, and what still names them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.replay.session import Session

RECALLABLE, MENTIONED, LOST = "recallable", "mentioned", "lost"


@dataclass(frozen=True, slots=True)
class Dropped:
    """One departure of one tool result: it came with `came`, left at `left`, and was back at `back`, if ever.

    `action` and `rule` are those of the last move before it came back, `form` and `address` what there is of it in
    the window that the report speaks of (for one that came back: in full, and no address).
    """

    at: int
    came: int
    left: int
    action: str
    rule: str
    form: Form
    tokens: int
    back: int | None = None
    address: str | None = None


def dropped_of(session: Session, steps: Iterable[Step]) -> list[Dropped]:
    """Run the session's steps and return every departure of a tool result, in the order of leaving."""
    items = session.transcript.items
    starts = [call.at for call in session.transcript.all_calls()]
    open_rows: dict[int, Dropped] = {}
    closed: list[Dropped] = []
    for step in steps:
        for line in step.lines:
            at = line.at
            if at is None or not line.moves or not items[at].is_result:
                continue
            if line.form_after is Form.FULL:
                gone = open_rows.pop(at, None)
                if gone is not None:
                    closed.append(replace(gone, back=line.call, form=Form.FULL))
            else:
                open_rows[at] = _moved(session, open_rows.get(at), line, at, starts)
    addresses = Addresses(session)
    closed.extend(replace(row, address=addresses.of(row.at)) for row in open_rows.values())
    return sorted(closed, key=lambda row: (row.left, row.at))


class Addresses:
    """How what is not in full in a session's window can be had again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._texts = [insert.text for insert in session.fold.inserted()]
        self._listed: set[str] = set()
        for insert in session.fold.inserted():
            if insert.item in insert.text:
                self._listed.update(session.archive.list(insert.item) or ())

    def of(self, at: int) -> str:
        """Return `recallable` (an id names it), `mentioned` (it is named without one), or `lost`."""
        item = self._session.transcript.items[at]
        form, text, _ = self._session.fold.standing(at)
        if form is not Form.OUT:
            return RECALLABLE if text and item.id in text else MENTIONED
        if item.id in self._listed:
            return RECALLABLE
        names = [name for name in (item.tool_name, item.resource) if name]
        return MENTIONED if any(name in text for name in names for text in self._texts) else LOST


def _moved(session: Session, old: Dropped | None, line: DecisionLine, at: int, starts: list[int]) -> Dropped:
    if old is not None:
        return replace(old, action=line.action, rule=line.rule, form=line.form_after)
    came = bisect_right(starts, at) + 1
    return Dropped(at, came, line.call, line.action, line.rule, line.form_after, session.fold.full_size(at))
