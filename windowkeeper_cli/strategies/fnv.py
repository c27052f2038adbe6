"""FNV-1a, 32 bit, over UTF-16 code units: the hash that the reference's records carry."""

from __future__ import annotations

from collections.abc import Iterable

OFFSET, PRIME, MASK = 2_166_136_261, 16_777_619, 0xFFFFFFFF


def fnv1a(text: str) -> str:
    """Return the hash of a text in lower-case hex without leading zeros, one whole code unit a step."""
    value, prime, mask = OFFSET, PRIME, MASK
    for unit in _units(text):
        value = (value ^ unit) * prime & mask
    return f"{value:x}"


def _units(text: str) -> Iterable[int]:
    if text.isascii():
        return text.encode()
    units = text.encode("utf-16-le", "surrogatepass")
    return map(int.__or__, units[::2], [high << 8 for high in units[1::2]])
