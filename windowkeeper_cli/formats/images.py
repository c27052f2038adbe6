"""How large is an image in pixels? Read from the header of base64 PNG, JPEG, GIF and WebP data."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

_HEAD = 64
_SAFE = str.maketrans("-_", "+/")
_JPEG_LOOK = 1 << 16
_JPEG_SIZES = frozenset((0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF))
Size = tuple[int, int]


def size_of(block: Mapping[str, object]) -> Size | None:
    """Return width and height of an image block with base64 data, or None where its header does not say."""
    source = block.get("source")
    data = source.get("data") if isinstance(source, Mapping) else block.get("data")
    if not isinstance(data, str):
        address = block.get("image_url", block.get("image"))
        if isinstance(address, Mapping):
            address = address.get("url")
        if not isinstance(address, str) or not address.startswith("data:"):
            return None
        data = address.partition(",")[2]
    return size_of_base64(data)


def size_of_base64(data: str) -> Size | None:
    """Return width and height of the image that base64 text `data` begins with, or None."""
    head = _bytes(data, _HEAD)
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return _sane(int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return _sane(int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little"))
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP" and len(head) >= 30:
        return _webp(head)
    if head.startswith(b"\xff\xd8"):
        return _jpeg(_bytes(data, _JPEG_LOOK))
    return None


def _bytes(data: str, count: int) -> bytes:
    # Pydantic writes bytes with the letters that are safe in addresses.
    text = data[: (count + 2) // 3 * 4].translate(_SAFE)
    try:
        return base64.b64decode(text[: len(text) // 4 * 4], validate=False)
    except (binascii.Error, ValueError):
        return b""


def _sane(width: int, height: int) -> Size | None:
    return (width, height) if 0 < width < 1 << 20 and 0 < height < 1 << 20 else None


def _webp(head: bytes) -> Size | None:
    kind = head[12:16]
    if kind == b"VP8X":
        return _sane(int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1)
    if kind == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return _sane((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 ":
        return _sane(int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF)
    return None


def _jpeg(data: bytes) -> Size | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        mark = data[at + 1]
        if mark in _JPEG_SIZES:
            return _sane(int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big"))
        if mark == 0xFF:
            at += 1
            continue
        at += 2 if 0xD0 <= mark <= 0xD8 else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
