"""Is an identifier's use a need: who gave it first, and what would have to be in the window for it?"""

from __future__ import annotations

import re

from windowkeeper_cli.model.item import PERSON
from windowkeeper_cli.replay.gaps.file_name import with_file_name
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.needs import Need
from windowkeeper_cli.replay.gaps.postings import MOST_HOLDERS
from windowkeeper_cli.rules.identifiers import Identifier

SOURCE_TOKENS = 60
"""Tokens of a result that gives what its own call names (spec/4)."""
ID_DIGITS = 3
NAME, TEXT, CONTENT = "name", "text", "content"
_OWN_MACHINE = re.compile(r"(?:[a-z]+://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?![A-Za-z0-9.-])")


def need_of(
    index: Index, one: Identifier, call: int, before: int, used_by: int, what: str, asked_in: int | None = None
) -> Need | None:
    """Return what a call needs for an identifier, None where its use is no gap under any policy.

    Sources stand before position `before`; `asked_in` is the request that uses it, which is no source of its own.
    `what` is needed: the `NAME` alone, the `TEXT` around it, or the `CONTENT` of the path that it is. Who named a path
    first does not matter to its content: what a look at it gave is not the model's own.
    """
    cwd = index.transcript.log.cwd
    if is_folder(one) or is_own_machine(one.name) or is_foreign(one.name, cwd) or is_working_folder(one.name, cwd):
        return None
    if what != CONTENT and index.postings.of(one).model_first:
        return None
    source = source_of(index, one, before if asked_in is None else asked_in, listed=what != CONTENT)
    in_view = None if source is None else in_view_of(index, one, before)
    if source is None or in_view is None:
        return None
    holders = tuple(at for at in in_view if at != asked_in)
    return Need(call, one.name, used_by, source, holders, with_file_name(one), what == NAME)


def in_view_of(index: Index, one: Identifier, before: int) -> list[int] | None:
    """Return the items that have an identifier, or a path's file name, newest first; None where these are many."""
    found: set[int] = set()
    for name in with_file_name(one):
        held = index.postings.of(name).everywhere(before)
        if len(held) > MOST_HOLDERS:
            return None
        found.update(held)
    return sorted(found, reverse=True)


def source_of(index: Index, one: Identifier, before: int, *, listed: bool) -> int | None:
    """Return the newest item that gave an identifier: a result about it, else one, or a person's message, that has it.

    Unless `listed`, only a result about it counts: what lists the name of a path gives none of its content.
    """
    posting, items = index.postings.of(one), index.transcript.items
    holders = posting.holders(before)
    about = [at for at in holders if at in posting.called and index.counts.tokens[at] >= SOURCE_TOKENS]
    if about or not listed:
        return about[-1] if about else None
    having = [at for at in holders if at in posting.given and (items[at].is_result or items[at].authored_by == PERSON)]
    return having[-1] if having else None


def is_working_folder(name: str, cwd: str | None) -> bool:
    """Return whether an identifier is the folder that the session works in, or a part of it."""
    return cwd is not None and f"/{name.strip('/')}/" in f"/{cwd.strip('/')}/".replace("\\", "/")


def is_folder(one: Identifier) -> bool:
    """Return whether a path is a folder's by its looks: its last segment has no dot and hardly a digit."""
    last = re.split(r"[/\\]", one.name)[-1]
    return one.is_path and "." not in last and sum("0" <= char <= "9" for char in last) < ID_DIGITS


def is_own_machine(name: str) -> bool:
    """Return whether a name is an address of the machine that the session runs on: known without any source."""
    return _OWN_MACHINE.match(name) is not None


def is_foreign(name: str, cwd: str | None) -> bool:
    """Return whether a name has backslashes where the session's own folder has none: they are escapes."""
    return "\\" in name and "\\" not in (cwd or "")
