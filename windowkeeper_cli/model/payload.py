"""The payload of an item and the id made from it: the same content has the same id, whatever it was loaded from."""

from __future__ import annotations

import hashlib
from json.encoder import encode_basestring as quote

from windowkeeper_cli.model.block import Block, Blocks, Other, Text, Think, ToolCall

ID_DIGITS = 12
CLASH_DIGITS = 16


def payload(role: str, blocks: Blocks) -> bytes:
    """Return the compact JSON of `role` and `blocks` in UTF-8, lone surrogates passed through."""
    body = ",".join([_block(block) for block in blocks])
    return f'{{"role":"{role}","blocks":[{body}]}}'.encode("utf-8", "surrogatepass")


def item_id(body: bytes, digits: int = ID_DIGITS) -> str:
    """Return the first `digits` hex digits of the SHA-256 of a payload."""
    return hashlib.sha256(body).hexdigest()[:digits]


def _block(block: Block) -> str:
    kind = type(block)
    if kind is Text:
        return f'{{"t":"text","text":{quote(block.text)}}}'  # type: ignore[union-attr]
    if isinstance(block, Think):
        return f'{{"t":"think","text":{quote(block.text)},"sig":{_quoted(block.sig)}}}'
    if isinstance(block, ToolCall):
        return f'{{"t":"call","id":{quote(block.id)},"name":{quote(block.name)},"args":{quote(block.args)}}}'
    if isinstance(block, Other):
        return f'{{"t":"other","json":{block.json}}}'
    assert not isinstance(block, Text)
    content = ",".join([_block(part) for part in block.content])
    error = "true" if block.error else "false"
    return f'{{"t":"result","id":{quote(block.id)},"name":{_quoted(block.name)},"error":{error},"content":[{content}]}}'


def _quoted(text: str | None) -> str:
    return "null" if text is None else quote(text)
