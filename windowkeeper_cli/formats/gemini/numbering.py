"""Which call does a function response answer, where neither has an id? The API pairs them by name and order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.model.block import Block, Blocks, ToolCall, ToolResult
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.item import ASSISTANT


def numbered(draft: Draft) -> Draft:
    """Give every call without an id one of its name and number, and its response the same; the draft is changed."""
    if not any(_unnamed(block) for entry in draft.entries for block in entry.blocks):
        return draft
    numbers = _Numbers(draft.entries)
    draft.entries = [numbers.take(entry) for entry in draft.entries]
    draft.events = tuple(_followed(event, draft.entries) for event in draft.events)
    return draft


class _Numbers:
    """Counts the calls of each name; `waiting` are those whose response has not come yet, by message."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        blocks = (block for entry in entries for block in entry.blocks)
        self.taken = {block.id for block in blocks if isinstance(block, ToolCall) and block.id}
        self.counts: dict[str, int] = {}
        self.waiting: dict[str, list[list[str]]] = {}
        self.asked: dict[str, list[str]] = {}

    def take(self, entry: Entry) -> Entry:
        """Return the next entry with its ids."""
        if entry.role == ASSISTANT:
            self.asked = {}
            blocks = tuple(self._called(block) if isinstance(block, ToolCall) else block for block in entry.blocks)
            made = [block for block in blocks if isinstance(block, ToolCall)]
            refs = tuple(ref._replace(id=call.id) for ref, call in zip(entry.calls, made, strict=True))
            return entry._replace(blocks=blocks, calls=refs)
        if any(_unnamed(block) for block in entry.blocks):
            return entry._replace(blocks=tuple(self._answered(block) for block in entry.blocks))
        return entry

    def _called(self, call: ToolCall) -> ToolCall:
        if call.id:
            return call
        ident = ""
        while not ident or ident in self.taken:
            count = self.counts[call.name] = self.counts.get(call.name, 0) + 1
            ident = f"{call.name}-{count}"
        if call.name not in self.asked:
            self.waiting.setdefault(call.name, []).append(self.asked.setdefault(call.name, []))
        self.asked[call.name].append(ident)
        return call._replace(id=ident)

    def _answered(self, block: Block) -> Block:
        if not isinstance(block, ToolResult) or block.id:
            return block
        name = block.name or ""
        waiting = self.waiting.get(name)
        if not waiting:
            return block._replace(id=name)
        ident = waiting[-1].pop(0)
        if not waiting[-1]:
            waiting.pop()
            self.asked.pop(name, None)
        return block._replace(id=ident)


def _unnamed(block: Block) -> bool:
    return isinstance(block, ToolCall | ToolResult) and not block.id


def _followed(event: Event, entries: Sequence[Entry]) -> Event:
    """Return an event whose other forms of items have the ids of the items."""
    shown = tuple(_like(blocks, entries[at].blocks) for at, blocks in zip(event.cleared, event.shown, strict=False))
    return replace(event, shown=shown) if event.shown else event


def _like(blocks: Blocks, own: Blocks) -> Blocks:
    idents = iter([block.id for block in own if isinstance(block, ToolCall | ToolResult)])
    return tuple(
        block._replace(id=next(idents, block.id))
        if isinstance(block, ToolCall | ToolResult) and not block.id
        else block
        for block in blocks
    )
