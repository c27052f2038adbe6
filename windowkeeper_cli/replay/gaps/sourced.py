"""Is an identifier's use a need: who gave it first, and what would have to be in the window for it?"""

from __future__ import annotations

from windowkeeper_cli.model.item import PERSON, TOOL
from windowkeeper_cli.replay.gaps.file_name import file_name
from windowkeeper_cli.replay.gaps.index import Index
from windowkeeper_cli.replay.gaps.needs import Need
from windowkeeper_cli.replay.gaps.postings import MOST_HOLDERS, Posting
from windowkeeper_cli.rules.identifiers import Identifier

SOURCE_TOKENS = 60
"""Tokens of a result that gives what its own call names (spec/4)."""


def need_of(
    index: Index, one: Identifier, call: int, before: int, used_by: int, asked_in: int | None = None
) -> Need | None:
    """Return what a call needs for an identifier, None where its use is no gap under any policy.

    Sources stand before position `before`; `asked_in` is the request that uses it, which is no source of its own.
    """
    posting = index.postings.of(one.name)
    holders = [at for at in posting.holders(before) if at != asked_in]
    sources = [
        at for at in holders if at < (before if asked_in is None else asked_in) and is_source(index, posting, at)
    ]
    if not sources or posting.model_first or is_working_folder(one.name, index.transcript.log.cwd):
        return None
    said = posting.sayers(before)
    if len(holders) + len(said) > MOST_HOLDERS:
        return None
    in_view = {*holders, *said}
    last = file_name(one)
    if last is not None:
        named = index.postings.of(last.name).everywhere(before)
        if len(named) > MOST_HOLDERS:
            return None
        in_view.update(at for at in named if at != asked_in)
    return Need(call, one.name, used_by, sources[-1], tuple(sorted(in_view, reverse=True)), one, tuple(said))


def is_source(index: Index, posting: Posting, at: int) -> bool:
    """Return whether an item gave an identifier: a result or a person's message that has it, or a result that is
    about it."""
    item = index.transcript.items[at]
    if at in posting.given:
        return item.role == TOOL or item.authored_by == PERSON
    return index.counts.tokens[at] >= SOURCE_TOKENS


def is_working_folder(name: str, cwd: str | None) -> bool:
    """Return whether an identifier is the folder that the session works in, or a part of it."""
    return cwd is not None and f"/{name.strip('/')}/" in f"/{cwd.strip('/')}/".replace("\\", "/")
