"""Which content an id stands for, and how it reads: one item's own, or all that a notice or summary stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.nearest import SHORTEST, begins_many, begun, nearest
from windowkeeper_cli.model.readable import readable
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.behind import Behind, Stood
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.report.subject import Subject


def require_one(wanted: str, named: Sequence[str]) -> None:
    """Raise UsageError where the beginning of an id is that of several; `named` are these, as they are called."""
    if len(named) > 1:
        raise UsageError(begins_many(wanted, named), "give more digits")


def find_item(transcript: Transcript, wanted: str) -> int | None:
    """Return the position of the first item with the id `wanted`, or whose id begins so, None where there is none.

    Raises UsageError where several different ids begin so.
    """
    first: dict[str, int] = {}
    for item in transcript.items:
        first.setdefault(item.id, item.at)
    found = begun(wanted, first)
    require_one(wanted, [_named(transcript, first[item_id]) for item_id in found])
    return first[found[0]] if found else None


def find_list(subject: Subject, wanted: str, upto: int | None = None) -> Stood | None:
    """Return the notice or summary with the id `wanted` after call `upto` (default: the whole session), else None.

    One that stood no longer at the end has what it stood for last; raises UsageError where it does not stand at
    `upto`, but at another call.
    """
    found = _stood(subject, wanted, upto)
    calls = len(subject.transcript.all_calls())
    if upto is None or upto == calls or (found is not None and found.last == upto):
        return found
    ever = found or _stood(subject, wanted, None)
    if ever is not None:
        where = f"it stands from call {ever.first:,} to call {ever.last:,}"
        raise UsageError(f"{wanted} does not stand at call {upto:,}: {where}", f"give --call {ever.last}")
    return None


def _stood(subject: Subject, wanted: str, upto: int | None) -> Stood | None:
    policy = subject.policy
    session = Session(subject.transcript, subject.counts, policy.settings, strategy=policy.strategy())
    behind = Behind(session)
    for step in session.steps(upto):
        behind.take(step)
    known = behind.stood()
    meant = begun(wanted, (one.item for one in known))
    found = [one for one in known if one.item in meant]
    require_one(wanted, [f"{one.item} ({one.stands})" for one in found])
    return found[0] if found else None


def unknown_id(transcript: Transcript, wanted: str) -> UsageError:
    """Return the error for an id that nothing in a transcript has; it names the nearest ones."""
    first = {item.id: item.at for item in reversed(transcript.items)}
    return nothing_has(wanted, [_named(transcript, first[item_id]) for item_id in nearest(wanted, first)])


def nothing_has(wanted: str, near: Sequence[str]) -> UsageError:
    """Return the error for an id that nothing has; `near` are the nearest ones, as they are called."""
    if len(wanted) < SHORTEST:
        return UsageError(f"{wanted!r} is too short for an id", f"give {SHORTEST} digits or more")
    todo = f"the nearest are {', '.join(near)}" if near else "nothing here has one"
    return UsageError(f"no item, notice or summary has the id {wanted}", todo)


def content(transcript: Transcript, at: int) -> str:
    """Return an item's content: its text as it came, block after block, calls as name and arguments."""
    return readable(transcript.blocks(at))


def listing(transcript: Transcript, ats: Sequence[int]) -> str:
    """Return the contents of several items, each under a line that names it."""
    return "\n".join(f"--- {_named(transcript, at)}\n{content(transcript, at)}" for at in ats)


def raw_bytes(transcript: Transcript, ats: Iterable[int]) -> bytes:
    """Return the bytes of the items' own records, as they stand in the file."""
    return b"\n".join(dict.fromkeys(transcript.source.raw(at) for at in ats))


def _named(transcript: Transcript, at: int) -> str:
    item = transcript.items[at]
    return f"{item.id} ({item.tool_name or item.role}, turn {item.turn})"
