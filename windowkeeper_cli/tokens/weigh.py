"""What does a text weigh? The sum of its byte pairs' weights, in 1/64 token.

The text is cut into pairs of bytes: first and second, third and fourth. Each byte becomes its class as one hex digit;
two digits are one byte, and one table gives that pair's weight. The low half of an Adler-32 that starts at 0 is a
plain sum of bytes while that sum stays below 65,521, which 256 weights of at most 255 do. Weights are never negative
and a byte alone has the least weight of its pairs, so no text weighs less than its own beginning.
"""

from __future__ import annotations

from binascii import unhexlify
from functools import lru_cache
from zlib import adler32

from windowkeeper_cli.tokens.byte_classes import class_table
from windowkeeper_cli.tokens.byte_weights import UNIT, WEIGHTS

__all__ = ["UNIT", "weigh"]

_DIGIT = bytes(b"0123456789abcdef"[number] for number in class_table())
_PAIR = bytes(weight for row in WEIGHTS for weight in row)
_ALONE = b"0"
_SUM = 256
_PIECE = 65_536
_SHORT = 24
_KEPT = 4_096


def weigh(text: str) -> int:
    """Return the weight of `text` in 1/64 token; 0 for no text."""
    return _known(text) if len(text) <= _SHORT else _weighed(text)


def _weighed(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= _PIECE:
        return _weigh(data)
    return sum(_weigh(data[start : start + _PIECE]) for start in range(0, len(data), _PIECE))


def _weigh(data: bytes) -> int:
    digits = data.translate(_DIGIT)
    if len(digits) & 1:
        digits += _ALONE
    weights = unhexlify(digits).translate(_PAIR)
    if len(weights) <= _SUM:
        return adler32(weights, 0) & 0xFFFF
    return sum([adler32(weights[at : at + _SUM], 0) & 0xFFFF for at in range(0, len(weights), _SUM)])


# A session has few tools and many calls: their names would be weighed again and again.
_known = lru_cache(_KEPT)(_weighed)
