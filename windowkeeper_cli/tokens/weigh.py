"""What does a text weigh? The sum of its byte pairs' weights, in 1/128 token.

A text becomes one byte a class (4 bits). Read as one large number, `number | number >> 4` holds in every byte the
class before it and its own: one table gives each pair's weight. The low half of an Adler-32 that starts at 0 is a
plain sum of bytes while that sum stays below 65,521, which 256 weights of at most 255 do. Weights are never
negative and a beginning of a text has the pairs that the whole begins with, so no text weighs less than its own
beginning.
"""

from __future__ import annotations

from zlib import adler32

from windowkeeper_cli.tokens.byte_classes import class_table
from windowkeeper_cli.tokens.byte_weights import START, UNIT, WEIGHTS

__all__ = ["UNIT", "weigh"]

_CLASS = class_table()
_PAIR = bytes(weight for row in WEIGHTS for weight in row)
_START = bytes((START,))
_SUM = 256
_PIECE = 16_384


def weigh(text: str) -> int:
    """Return the weight of `text` in 1/128 token; 0 for no text."""
    if not text:
        return 0
    codes = _START + text.encode("utf-8", "surrogatepass").translate(_CLASS)
    total = 0
    for start in range(0, len(codes) - 1, _PIECE):
        piece = codes[start : start + _PIECE + 1]
        number = int.from_bytes(piece, "big")
        weights = (number | number >> 4).to_bytes(len(piece), "big").translate(_PAIR)
        for at in range(0, len(weights), _SUM):
            total += adler32(weights[at : at + _SUM], 0) & 0xFFFF
    return total
