"""Dropped observations: which tool results left, when, by which rule, and what still names them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace

from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.ledger import DecisionLine, Step
from windowkeeper_cli.replay.addresses import Addresses
from windowkeeper_cli.replay.session import Session


@dataclass(frozen=True, slots=True)
class Dropped:
    """One departure of one tool result: it came with call `came`, was not in full from `left`, and back at `back`.

    `action` and `rule` made it leave; `now_rule` made the form that it has now, at `now_call`. `form` and `address`
    are those of the window that the report speaks of; what is in full there has no address. `tokens` is its whole
    size.
    """

    at: int
    came: int
    left: int
    action: str
    rule: str
    form: Form
    tokens: int
    now_call: int
    now_rule: str
    back: int | None = None
    address: str | None = None


def dropped_of(session: Session, steps: Iterable[Step]) -> list[Dropped]:
    """Run the session's steps and return every departure of a tool result, in the order of leaving."""
    fold = session.fold
    starts = [call.at for call in session.transcript.all_calls()]
    away: dict[int, Dropped] = {}
    closed: list[Dropped] = []
    for step in steps:
        for line in step.lines:
            at = line.at
            if at is None or not line.moves or not session.transcript.items[at].is_result:
                continue
            if line.form_after is not Form.FULL:
                away[at] = _moved(away.get(at), line, at, starts, fold.full_size(at))
            elif at in away:
                closed.append(replace(away.pop(at), back=line.call))
    addresses = Addresses(session)
    rows = [replace(row, form=fold.form(row.at), address=_address(row.at, session, addresses)) for row in closed]
    rows += [replace(row, address=addresses.of(row.at)) for row in away.values()]
    return sorted(rows, key=lambda row: (row.left, row.at))


def _moved(old: Dropped | None, line: DecisionLine, at: int, starts: list[int], tokens: int) -> Dropped:
    if old is not None:
        return replace(old, form=line.form_after, now_call=line.call, now_rule=line.rule)
    came = bisect_right(starts, at) + 1
    return Dropped(at, came, line.call, line.action, line.rule, line.form_after, tokens, line.call, line.rule)


def _address(at: int, session: Session, addresses: Addresses) -> str | None:
    return None if session.fold.form(at) is Form.FULL else addresses.of(at)
