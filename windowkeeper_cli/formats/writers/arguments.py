"""Which JSON object is the argument text of a tool call, and does writing it again give the same text?"""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

from windowkeeper_cli.formats.exact import DECODER, InexactError, compact, too_deep
from windowkeeper_cli.formats.writers.losses import Losses

AROUND = "input"
"""The key that an argument text stands under which is no JSON object."""
NOT_COMPACT = "argument texts that are no compact JSON, written as the same JSON"
NO_OBJECT = f"argument texts that are no JSON object, written under the key {AROUND}"
_INEXACT = re.compile(r"[0-9]{17}|[0-9][eE]")


def parsed(text: str) -> tuple[Any, bool]:
    """Return the JSON value of a text, and whether its compact form is that text; (None, False) for no JSON."""
    try:
        value = orjson.loads(text) if _INEXACT.search(text) is None else _exactly(text)
    except (ValueError, RecursionError):
        try:
            value = _exactly(text)
        except (ValueError, RecursionError):
            return None, False
    try:
        return value, compact(value) == text
    except InexactError:
        return value, False


def arguments(text: str, losses: Losses) -> dict[str, Any]:
    """Return the arguments as an object, which APIs demand; an empty text is an object without keys."""
    value, exact = parsed(text)
    if isinstance(value, dict):
        losses.add(NOT_COMPACT, not exact)
        return value
    if not text.strip(" \t\r\n"):
        losses.add(NOT_COMPACT)
        return {}
    losses.add(NO_OBJECT)
    return {AROUND: text}


def _exactly(text: str) -> Any:
    if too_deep(text):
        raise RecursionError
    return _STRICT.decode(text)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


_STRICT = json.JSONDecoder(parse_int=DECODER.parse_int, parse_float=DECODER.parse_float, parse_constant=_refuse)
