"""How does an item become bytes, and bytes the same item again? Blocks by kind, facts by name, the id made anew."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.archive.sealed import opened, sealed
from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult
from windowkeeper_cli.model.errors import ArchiveError
from windowkeeper_cli.model.item import CallRef, Item, Origin
from windowkeeper_cli.model.payload import item_id, payload

_BLOCKS: dict[str, type[Text | Think | ToolCall | Other | ToolResult]] = {
    "text": Text,
    "think": Think,
    "call": ToolCall,
    "other": Other,
    "result": ToolResult,
}
_NAMES = {kind: name for name, kind in _BLOCKS.items()}


def item_kind(item_id: str) -> str:
    """Return what the record of an item begins with."""
    return f"windowkeeper-item/1 {item_id}"


def record_of(item: Item, blocks: Blocks) -> bytes:
    """Return an item with its blocks as the bytes that an archive keeps."""
    return sealed(item_kind(item.id), {"item": item._asdict(), "blocks": [_listed(block) for block in blocks]})


def held_in(record: bytes, wanted: str) -> tuple[Item, Blocks]:
    """Return the item with the id `wanted`, and its blocks; raise ArchiveError where the record holds another."""
    value: Any = opened(item_kind(wanted), record)
    try:
        facts = dict(value["item"])
        facts["calls"] = tuple(CallRef(*call) for call in facts["calls"])
        facts["origins"] = tuple(Origin(*origin) for origin in facts["origins"])
        facts["tags"] = tuple(facts["tags"])
        item, blocks = Item(**facts), tuple(_block(block) for block in value["blocks"])
        made = item_id(payload(item.role, blocks), len(wanted))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ArchiveError("it is sealed, and no item") from error
    if made != wanted or item.id != wanted:
        raise ArchiveError(f"its content has the id {made}")
    return item, blocks


def _listed(block: Block) -> list[object]:
    if isinstance(block, ToolResult):
        return ["result", block.id, block.name, block.error, [_listed(part) for part in block.content]]
    return [_NAMES[type(block)], *block]


def _block(value: list[Any]) -> Any:
    kind, *fields = value
    if kind == "result":
        fields[3] = tuple(_block(part) for part in fields[3])
    elif kind == "other" and fields[2] is not None:
        fields[2] = tuple(fields[2])
    return _BLOCKS[kind](*fields)
