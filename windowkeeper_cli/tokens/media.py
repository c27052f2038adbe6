"""How many tokens do images and documents take? By published rules and named constants, never by base64 length."""

from __future__ import annotations

import json

from windowkeeper_cli.model.block import Block, Other

IMAGE_TOKENS = 1_600
"""An image whose size is unknown: the most that Anthropic's rule gives."""
PIXELS_PER_TOKEN = 750
LONGEST_EDGE = 1_568
"""Anthropic, "Vision": tokens = width * height / 750, after scaling down to a longest edge of 1,568 pixels and
about 1,600 tokens."""
DOCUMENT_TOKENS = 3_000
"""A document or recording whose text is not in the log: one page at the upper end of Anthropic's "PDF support"."""

_IMAGES = frozenset(("image", "image_url", "input_image", "output_image"))
_SEALED = frozenset(("compaction", "compaction_summary", "context_compaction"))
_DOCUMENTS = frozenset(("document", "file", "input_file", "audio", "input_audio", "video"))


def media_tokens(block: Other) -> int | None:
    """Return the tokens of an image, document or recording, or None for a block that is counted as its JSON.

    What is sealed has an unknown size: 0, and it is counted apart.
    """
    if is_sealed(block):
        return 0
    if block.kind in _IMAGES:
        return IMAGE_TOKENS if block.size is None else image_tokens(*block.size)
    if block.kind in _DOCUMENTS:
        return None if _is_plain_text(block.json) else DOCUMENT_TOKENS
    return None


def is_sealed(block: Block) -> bool:
    """Return whether a block is a compaction whose text the provider alone can read."""
    return isinstance(block, Other) and block.kind in _SEALED and '"encrypted_content":"' in block.json


def image_tokens(width: int, height: int) -> int:
    """Return the tokens of an image of that many pixels by Anthropic's published rule, 1 at least."""
    longest = max(width, height)
    if longest > LONGEST_EDGE:
        width, height = width * LONGEST_EDGE // longest, height * LONGEST_EDGE // longest
    return min(max(-(-width * height // PIXELS_PER_TOKEN), 1), IMAGE_TOKENS)


def _is_plain_text(text: str) -> bool:
    if '"text/plain"' not in text and '"text"' not in text:
        return False
    try:
        source = json.loads(text).get("source")
    except (ValueError, AttributeError, RecursionError):
        return False
    return isinstance(source, dict) and source.get("type") in ("text", "content")
