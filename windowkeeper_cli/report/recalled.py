"""Which content an id stands for, and how it reads: one item's own, or all that a notice or summary stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.model.errors import UsageError
from windowkeeper_cli.model.nearest import nearest
from windowkeeper_cli.model.readable import readable
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.replay.behind import Behind, Stood
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.report.subject import Subject

SHORTEST = 4
"""Digits that the beginning of an id has at least."""


def find_item(transcript: Transcript, wanted: str) -> int | None:
    """Return the position of the first item with the id `wanted`, or whose id begins so, None where there is none.

    Raises UsageError where several different ids begin so.
    """
    first: dict[str, int] = {}
    for item in transcript.items:
        first.setdefault(item.id, item.at)
    if wanted in first:
        return first[wanted]
    begun = [item_id for item_id in first if item_id.startswith(wanted)] if len(wanted) >= SHORTEST else []
    if len(begun) > 1:
        shown = [_named(transcript, first[item_id]) for item_id in begun[:8]]
        more = f", and {len(begun) - 8:,} more" if len(begun) > 8 else ""
        raise UsageError(f"{wanted} begins {len(begun):,} ids: {', '.join(shown)}{more}", "give more digits")
    return first[begun[0]] if begun else None


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
    exact = [one for one in known if one.item == wanted]
    begun = exact or [one for one in known if _begins(one.item, wanted)]
    if len(begun) > 1:
        shown = ", ".join(f"{one.item} ({one.stands})" for one in begun[:8])
        raise UsageError(f"{wanted} begins {len(begun):,} ids: {shown}", "give more digits")
    return begun[0] if begun else None


def unknown_id(transcript: Transcript, wanted: str) -> UsageError:
    """Return the error for an id that nothing has; it names the nearest ones."""
    if len(wanted) < SHORTEST:
        return UsageError(f"{wanted!r} is too short for an id", f"give {SHORTEST} digits or more")
    first = {item.id: item.at for item in reversed(transcript.items)}
    shown = ", ".join(_named(transcript, first[item_id]) for item_id in nearest(wanted, first))
    return UsageError(f"no item, notice or summary has the id {wanted}", f"the nearest are {shown}")


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


def _begins(item_id: str, wanted: str) -> bool:
    return len(wanted) >= SHORTEST and item_id.startswith(wanted)
