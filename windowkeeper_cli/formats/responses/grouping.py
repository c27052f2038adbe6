"""Which items are one message? What the model gave in one reply, its calls inside it; each result is its own."""

from __future__ import annotations

from windowkeeper_cli.formats.content import without_empty
from windowkeeper_cli.formats.entry import NO_REPLY, Entry, Reply
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.responses.items import COMPACTIONS, REASONING, Item, is_request
from windowkeeper_cli.model.block import Block, Other
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import ASSISTANT, MODEL, USER, CallRef, Origin
from windowkeeper_cli.model.value import NamedTuple


class Placed(NamedTuple):
    """An item and where it stands: its record, and its path inside a document (None: a line)."""

    item: Item
    origin: Origin
    place: str | None = None
    time: str | None = None


def message_of(items: list[Placed], reply: Reply = NO_REPLY) -> Entry:
    """Return the one message that the items of a reply are."""
    blocks: list[Block] = []
    refs: list[CallRef] = []
    places: list[str | int] = []
    for placed in items:
        item = placed.item
        blocks += item.blocks
        if item.ref is not None:
            refs.append(item.ref)
            places.append(placed.origin.line if placed.place is None else placed.place)
    return Entry(
        ASSISTANT,
        without_empty(tuple(blocks)) if refs else tuple(blocks),
        tuple(dict.fromkeys(placed.origin for placed in items)),
        MODEL,
        place=items[0].place,
        timestamp=items[0].time,
        calls=tuple(refs),
        call_places=tuple(places),
        reply=reply,
    )


def single(placed: Placed) -> Entry:
    """Return the entry of an item that is no part of a reply."""
    item, origin, place, time = placed
    return Entry(item.role, item.blocks, (origin,), item.author, is_request(item), place, time)


def grouped(items: list[Placed], reply: Reply = NO_REPLY) -> list[Entry]:
    """Return the entries of a list of items: the model's that stand side by side are one message."""
    entries: list[Entry] = []
    held: list[Placed] = []
    for placed in items:
        if placed.item.role == ASSISTANT:
            held.append(placed)
            continue
        if held:
            entries.append(message_of(held, reply))
            held = []
        entries.append(single(placed))
    if held:
        entries.append(message_of(held, reply))
    return entries


def dangling(items: list[Placed], reading: Reading, *, to_the_end: bool = True) -> list[Finding]:
    """Return a finding for each reasoning item that no other item of the model's follows.

    Without `to_the_end` the last item is left aside: what follows it may still come.
    """
    found: list[Finding] = []
    for n, (item, origin, place, _) in enumerate(items):
        if item.kind != REASONING or (n + 1 == len(items) and not to_the_end):
            continue
        if n + 1 == len(items) or items[n + 1].item.role != ASSISTANT:
            line = origin.line if place is None else None
            text = "the output that this reasoning belongs to does not follow it"
            found.append(Finding("dangling-reasoning", reading.where(origin, place), text, line, item.id))
    return found


def is_compaction(entry: Entry) -> bool:
    """Return whether an entry is an item that stands for what was before it."""
    block = entry.blocks[0] if entry.role == USER and entry.blocks else None
    return isinstance(block, Other) and block.kind in COMPACTIONS
