"""How does a JSON value become text and back without losing a digit or a character?

orjson reads integers over 64 bits as floats and refuses NaN and lone surrogates; here is the slow, exact way for
the few records that need it, and the compact text of arguments and unknown blocks.
"""

from __future__ import annotations

import json
import re
from json.encoder import encode_basestring as quote
from typing import Any

import orjson

MAX_DEPTH = 500
_BEYOND = float(2**63)
_INT_DIGITS = 4_000
_TOKEN = r'(?s:"(?:[^"\\]++|\\.)*+"?|[\[{\]}])'
_PLAIN = frozenset((str, int, bool, type(None)))


class InexactError(Exception):
    """A number may have lost digits in the fast parser: the input has to be read again the exact way."""


class RawNumber(str):
    """A number that no Python number holds faithfully, as its own text."""

    __slots__ = ()


def _integer(text: str) -> int | RawNumber:
    return int(text) if len(text) <= _INT_DIGITS else RawNumber(text)


def _real(text: str) -> float | RawNumber:
    value = float(text)
    return value if abs(value) < _BEYOND else RawNumber(text)


DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_real)


def depth_of(text: str) -> int:
    """Return how deep arrays and objects nest in `text`, strings left aside."""
    deepest = now = 0
    for token in re.findall(_TOKEN, text):
        if token in "[{":
            now += 1
            deepest = max(deepest, now)
        elif token in "]}":
            now -= 1
    return deepest


def too_deep(text: str) -> bool:
    """Return whether `text` nests deeper than the standard library's parser is sure to follow."""
    return text.count("[") + text.count("{") > MAX_DEPTH and depth_of(text) > MAX_DEPTH


def compact(value: Any) -> str:
    """Return the compact JSON text of a parsed value, keys in their order, floats as Python writes them.

    Raises InexactError where a float may stand for an integer over 64 bits.
    """
    parts = value.values() if type(value) is dict else (value,)
    if not _PLAIN.issuperset(map(type, parts)):
        return _compact_checked(value)
    try:
        return orjson.dumps(value, option=orjson.OPT_PASSTHROUGH_SUBCLASS).decode()
    except TypeError:
        return _write(value)


def _compact_checked(value: Any) -> str:
    if not _has_float(value):
        try:
            return orjson.dumps(value, option=orjson.OPT_PASSTHROUGH_SUBCLASS).decode()
        except TypeError:
            pass
    return _write(value)


def _has_float(value: Any) -> bool:
    open_values = [value]
    while open_values:
        part = open_values.pop()
        kind = type(part)
        if kind is dict:
            open_values.extend(part.values())
        elif kind is list:
            open_values.extend(part)
        elif kind not in _PLAIN:
            return True
    return False


def _write(value: Any) -> str:
    """Write without recursion: a value that orjson read may nest 1,024 levels."""
    out: list[str] = []
    todo: list[Any] = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, _Done):
            out.append(part.text)
        elif isinstance(part, dict):
            todo.append(_Done("}"))
            for n, (key, inner) in reversed(list(enumerate(part.items()))):
                todo.extend((inner, _Done(("," if n else "") + quote(key) + ":")))
            out.append("{")
        elif isinstance(part, list):
            todo.append(_Done("]"))
            for n, inner in reversed(list(enumerate(part))):
                todo.append(inner)
                if n:
                    todo.append(_Done(","))
            out.append("[")
        else:
            out.append(_scalar(part))
    return "".join(out)


class _Done:
    """Text that is already JSON, on the stack of values still to be written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, RawNumber):
        return str.__str__(value)
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if abs(value) >= _BEYOND:
            if value in (float("inf"), float("-inf")):
                return "Infinity" if value > 0 else "-Infinity"
            raise InexactError
        return repr(value)
    return str(value)
