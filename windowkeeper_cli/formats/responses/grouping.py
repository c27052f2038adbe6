"""Which items are one message? What the model gave in one reply, its calls inside it; each result is its own."""

from __future__ import annotations

from collections.abc import Iterable

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


def groups(items: Iterable[Placed]) -> list[list[Placed]]:
    """Return the items by entry: the model's that stand side by side are one message, each other one is alone."""
    found: list[list[Placed]] = []
    for placed in items:
        if found and placed.item.role == found[-1][-1].item.role == ASSISTANT:
            found[-1].append(placed)
        else:
            found.append([placed])
    return found


def entry_of(group: list[Placed], reply: Reply = NO_REPLY) -> Entry:
    """Return the entry of a group."""
    return message_of(group, reply) if group[0].item.role == ASSISTANT else single(group[0])


def unfollowed(group: list[Placed], reading: Reading) -> list[Finding]:
    """Return a finding where a message ends with reasoning: the output that it belongs to is gone."""
    item, origin, place, _ = group[-1]
    if item.kind != REASONING:
        return []
    text = "the output that this reasoning belongs to does not follow it"
    line = origin.line if place is None else None
    return [Finding("dangling-reasoning", reading.where(origin, place), text, line, item.id)]


def is_compaction(entry: Entry) -> bool:
    """Return whether an entry is an item that stands for what was before it."""
    block = entry.blocks[0] if entry.role == USER and entry.blocks else None
    return isinstance(block, Other) and block.kind in COMPACTIONS
