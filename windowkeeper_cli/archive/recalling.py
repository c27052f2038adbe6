"""What is a model told that recalls an id? The content behind it, or in words why there is none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from windowkeeper_cli.model.block import Block, Other, ToolResult
from windowkeeper_cli.model.brief import first_line, one_line
from windowkeeper_cli.model.nearest import begins_many, begun, nearest
from windowkeeper_cli.model.readable import readable

if TYPE_CHECKING:
    from windowkeeper_cli.archive.archive import Archive

LONGEST_JSON = 4_000
"""Characters of a block that is no text, such as an image, that are worth reading."""


def handle_recall(archive: Archive, input: object) -> str:
    """Return the answer to a call of the recall tool: an item's content as it came, or what a list holds.

    `input` is what the model gave, `{"id": ...}` as an object or as its JSON text, or the id itself. An id that nothing
    has, or none at all, is answered in words that name the nearest ids; nothing is raised.
    """
    wanted = _wanted(input)
    if wanted is None:
        return 'There is no id in this call; recall takes {"id": "<12 hex digits>"}, as a stub or a notice names it.'
    listed = archive.list(wanted)
    if listed is not None:
        return _listing(archive, listed)
    known = archive.ids()
    meant = begun(wanted, known)
    blocks = archive.blocks(meant[0]) if len(meant) == 1 else None
    if blocks is not None:
        return readable(_shown(block) for block in blocks)
    if len(meant) > 1:
        return f"{begins_many(one_line(wanted), meant)}; give more digits."
    near = ", ".join(nearest(wanted, known))
    return f"Nothing has the id {one_line(wanted)}." + (f" The nearest ids are {near}." if near else "")


def _wanted(given: object) -> str | None:
    if isinstance(given, str):
        try:
            value = json.loads(given)
        except (ValueError, RecursionError):
            value = given
        given = given if isinstance(value, int | float) else value
    if isinstance(given, Mapping):
        given = given.get("id")
    return given.strip(" \t\r\n").lower() or None if isinstance(given, str) else None


def _listing(archive: Archive, ids: Sequence[str]) -> str:
    lines = [f"{len(ids):,} parts have left; recall one by its id:"]
    for item_id in ids:
        item = archive.item(item_id)
        if item is not None:
            words = first_line(readable(archive.blocks(item_id) or ()))
            lines.append(f"{item_id}  {one_line(item.tool_name or item.role)}: {words}")
    return "\n".join(lines)


def _shown(block: Block) -> Block:
    """Return a block as a model can read it: an image is named, not spelled out."""
    if isinstance(block, ToolResult):
        content = tuple(part for part in map(_shown, block.content) if not isinstance(part, ToolResult))
        return block._replace(content=content)  # type: ignore[arg-type]
    if isinstance(block, Other) and len(block.json) > LONGEST_JSON:
        note = f"[{one_line(block.kind)}: {len(block.json):,} characters, not shown as text]"
        return block._replace(json=note)
    return block
