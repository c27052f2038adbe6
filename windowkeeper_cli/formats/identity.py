"""Which id does each item get? The first digits of its payload's SHA-256, more of them where two payloads clash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import orjson

from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall, ToolResult, units_in
from windowkeeper_cli.model.payload import CLASH_DIGITS, ID_DIGITS, payload


def identified(role: str, blocks: Blocks, *, dropped: bool = False) -> tuple[str, int]:
    """Return the SHA-256 of an item's payload in hex digits, and the UTF-16 length of its text.

    Texts that are `dropped` soon need not stay as small as they are.
    """
    return sha256(fast_payload(role, blocks, dropped=dropped)).hexdigest(), units_in(blocks)


def fast_payload(role: str, blocks: Blocks, *, dropped: bool = False) -> bytes:
    """Return the same bytes as the model's `payload`, made by a faster writer where it can."""
    spared = str if dropped else _spared
    try:
        return orjson.dumps({"role": role, "blocks": [_value(block, spared) for block in blocks]})
    except TypeError:
        return payload(role, blocks)


def _value(block: Block, spared: Callable[[str], str]) -> Any:
    if type(block) is ToolResult:
        ident, name, error, content = block
        parts = [_value(part, spared) for part in content]
        return {"t": "result", "id": ident, "name": name, "error": error, "content": parts}
    if type(block) is Text:
        return {"t": "text", "text": spared(block[0])}
    if type(block) is ToolCall:
        ident, name, args = block
        return {"t": "call", "id": ident, "name": name, "args": spared(args)}
    if type(block) is Think:
        text, sig = block
        return {"t": "think", "text": text, "sig": sig}
    assert type(block) is Other
    return {"t": "other", "json": orjson.Fragment(block.json)}


def _spared(text: str) -> str:
    """Return an equal text: the writer leaves its UTF-8 form in what it writes, for as long as that lives."""
    return text if text.isascii() else "".join((text, ""))


def short_ids(digests: Sequence[str]) -> tuple[list[str], list[tuple[int, int]]]:
    """Return an id for each hex digest, and the pairs of positions whose different payloads share a short one."""
    first: dict[str, int] = {}
    ids: list[str] = []
    clashes: list[tuple[int, int]] = []
    clashing: set[str] = set()
    for at, digest in enumerate(digests):
        ident = digest[:ID_DIGITS]
        earlier = first.setdefault(ident, at)
        if digests[earlier] != digest:
            clashes.append((earlier, at))
            clashing.add(ident)
        ids.append(ident)
    if clashing:
        ids = [
            digest[:CLASH_DIGITS] if ident in clashing else ident for ident, digest in zip(ids, digests, strict=True)
        ]
    return ids, clashes
