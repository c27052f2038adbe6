"""FNV-1a, 32 bit, over UTF-16 code units: the hash that the reference's records carry."""

from __future__ import annotations

OFFSET, PRIME, MASK = 2_166_136_261, 16_777_619, 0xFFFFFFFF


def fnv1a(text: str) -> str:
    """Return the hash of a text in lower-case hex without leading zeros, one whole code unit a step."""
    value = OFFSET
    units = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = ((value ^ (low | high << 8)) * PRIME) & MASK
    return f"{value:x}"
