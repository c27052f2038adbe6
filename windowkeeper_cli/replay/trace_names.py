"""What still names a traced thing in a window, and does it hold any of its lines?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.decision import Form
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM, TOOL, Item
from windowkeeper_cli.model.stand_in import blocks_in_form
from windowkeeper_cli.replay.session import Session
from windowkeeper_cli.replay.trace_target import WORDS, Target, spoken

STUB, MARKER, CALL, REQUEST, MESSAGE, MODEL, RESULT = "stub", "marker", "call", "request", "message", "model", "result"
SHORTEST = 16
"""Characters of a line that can tell where it is from; shorter ones stand in too many files."""
REMINDER = "<system-reminder>"
"""What a harness adds to a result, from here on, is no line of the file."""
_NUMBERED = re.compile(r"[ \t]*(?:[^ \t\r:]{1,300}[:-])?[0-9]{1,7}(?:\u2192|\t|[:|-] ?)")
"""What a tool puts before a line of a file: its number, and where it searched the file's name too."""


class Namer(NamedTuple):
    """Something in the window that names the target: an item at `at`, or a text of ours (`at` is None).

    `by` is a stand-in's kind, `stub` or `marker`, `call` (it called a tool on the target), or who says it; `held`
    are the different lines of what is not in the window that it holds.
    """

    by: str
    at: int | None
    item: str
    held: frozenset[str]


def speaker(item: Item) -> str:
    """Return who an item is by: `result`, `model`, `request`, `message` (a person's), `harness` or `system`."""
    if item.role == TOOL:
        return RESULT
    if item.role == ASSISTANT:
        return MODEL
    if item.role == SYSTEM:
        return SYSTEM
    if item.request:
        return REQUEST
    return HARNESS if item.authored_by == HARNESS else MESSAGE


def standing_blocks(session: Session, at: int) -> Blocks:
    """Return what of an item stands in the window now."""
    form, text, cut = session.fold.standing(at)
    return blocks_in_form(session.transcript.blocks(at), form, text, cut)


def namers_of(
    session: Session, target: Target, named: Sequence[int], lost: Sequence[int]
) -> tuple[tuple[Namer, ...], int]:
    """Return what in the window names the target, and how many lines were `lost`.

    `named` are items that name it in full. A text has no lines of its own, and none are compared.
    """
    compared = () if target.kind == WORDS else lost
    gone = _lines(text for at in compared for text in spoken(session.transcript.blocks(at)))
    found = [
        Namer(by, at, item, frozenset(_lines(texts) & gone if gone and by not in (STUB, MARKER) else ()))
        for by, at, item, texts in _naming(session, target, named)
    ]
    return tuple(found), len(gone)


Naming = tuple[str, int | None, str, tuple[str, ...]]


def _naming(session: Session, target: Target, named: Sequence[int]) -> Iterator[Naming]:
    """Yield what names the target: texts of ours first, their own ids aside, then stubs, then items in order."""
    items, fold = session.transcript.items, session.fold
    ids = frozenset(items[at].id for at in target.items)
    for insert in fold.inserted():
        listed = session.archive.list(insert.item) or () if insert.item in insert.text else ()
        if target.stands_in(insert.text.replace(insert.item, "")) or not ids.isdisjoint(listed):
            yield insert.stands, None, insert.item, (insert.text,)
    for at in target.items:
        form, text, _ = fold.standing(at)
        if at < fold.held and form is not Form.OUT and text and items[at].id in text:
            yield MARKER if form is Form.TRUNCATED else STUB, at, items[at].id, (text,)
    yield from _items_naming(session, target, named)


def _items_naming(session: Session, target: Target, named: Sequence[int]) -> Iterator[Naming]:
    items, fold = session.transcript.items, session.fold
    own: dict[int, list[str]] = {}
    for use in target.uses:
        own.setdefault(use.at, []).append(use.call_id)
    sources = frozenset(target.items)
    said = frozenset(named)
    for at in sorted({*own, *named} - sources):
        if at >= fold.held or fold.form(at) is Form.OUT:
            continue
        blocks = standing_blocks(session, at)
        speaks = at in said and (fold.form(at) is Form.FULL or target.named_by(blocks, own.get(at, ())))
        if speaks or (at in own and target.named_by(blocks)):
            yield speaker(items[at]) if speaks else CALL, at, items[at].id, tuple(spoken(blocks))


def _lines(texts: Iterable[str]) -> set[str]:
    """Return the different lines of texts without the numbers that a tool puts before them, short ones left out."""
    found: set[str] = set()
    for text in texts:
        for line in text.partition(REMINDER)[0].split("\n"):
            start = _NUMBERED.match(line)
            bare = line[start.end() if start else 0 :].strip(" \t\r")
            if len(bare) >= SHORTEST:
                found.add(bare)
    return found
