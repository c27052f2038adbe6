"""What can still be read from a line that is not one plain JSON value, and what exactly is wrong with it?"""

from __future__ import annotations

import json
import re
from json import JSONDecodeError
from typing import Any

from windowkeeper_cli.formats.exact import DECODER, MAX_DEPTH, too_deep
from windowkeeper_cli.model.value import NamedTuple

_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_CUT_WORD = re.compile(r"-?(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|N|Na|I[a-z]{0,6})?\Z")
_LATE = 7
_CHARACTER = 3
"""Bytes that may be left of a character of 4."""
_WORDS = (
    ("Unterminated string", "a string does not end"),
    ("Invalid control", "a control character stands in a string"),
    ("Invalid", "a wrong escape stands in a string"),
    ("Expecting property name", "a key is missing"),
    ("Illegal trailing comma before end of object", "a key is missing"),
    ("Expecting ':'", "a colon is missing"),
    ("Expecting ','", "a comma or a closing bracket is missing"),
    ("Expecting value", "a value is missing"),
    ("Illegal trailing comma", "a value is missing"),
)


class Piece(NamedTuple):
    """One value of a text, and where it starts and ends in characters."""

    value: Any
    start: int
    end: int


class Fault(NamedTuple):
    """What is wrong with a text: a finding's kind, a sentence, and the place in characters."""

    kind: str
    text: str
    at: int


def decoded(raw: bytes) -> tuple[str, list[Fault]]:
    """Return `raw` as text, bytes that are not UTF-8 as U+FFFD and named in a fault."""
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError as error:
        text = f"byte 0x{raw[error.start]:02x} is not UTF-8; it was read as U+FFFD"
        return raw.decode("utf-8", "replace"), [Fault("invalid-utf8", text, error.start)]


def before_cut(bytes_faults: list[Fault], faults: list[Fault], size: int) -> list[Fault]:
    """Return the faults of a line's bytes but for a character that the line's own cut went through.

    `size` is the line's length in bytes. The record is lost as a whole: no text holds what that character became.
    """
    if not any(fault.kind == "truncated-json" for fault in faults):
        return bytes_faults
    return [fault for fault in bytes_faults if fault.at < size - _CHARACTER]


def mended(text: str) -> tuple[list[Piece], list[Fault]]:
    """Return every whole value of one line, in order, and the faults between them."""
    if too_deep(text):
        return [], [Fault("not-json", f"nested deeper than {MAX_DEPTH} levels", 0)]
    pieces: list[Piece] = []
    faults: list[Fault] = []
    start = _after_blanks(text, 0)
    while start < len(text):
        try:
            value, end = DECODER.raw_decode(text, start)
        except (JSONDecodeError, RecursionError) as error:
            fault, start = _explained(text, start, error)
            faults.append(fault)
            continue
        pieces.append(Piece(value, start, end))
        start = _after_blanks(text, end)
    if _SURROGATE.search(text) and any(_lone(piece.value) for piece in pieces):
        faults.append(Fault("lone-surrogate", "half of a surrogate pair; it is written out as U+FFFD", 0))
    return pieces, faults


def words_of(error: JSONDecodeError) -> str:
    """Return what is wrong inside a value, in words that no Python version changes."""
    return next((words for start, words in _WORDS if error.msg.startswith(start)), "it breaks")


def place_of(text: str, error: JSONDecodeError) -> int:
    """Return where a value breaks; newer Pythons point at a trailing comma, older ones behind it."""
    return _after_blanks(text, error.pos + 1) if error.msg.startswith("Illegal") else error.pos


def breaks_at(text: str, error: JSONDecodeError) -> str | None:
    """Return in words where a value that does not end was cut, or None where it is damaged inside."""
    rest = text[error.pos :].rstrip(" \t\r\n")
    if error.msg.startswith("Unterminated string"):
        return "it ends inside a string"
    if not rest:
        return "it ends too early"
    if error.msg.startswith("Invalid \\") and len(rest) < _LATE:
        return "it ends inside an escape"
    if error.msg.startswith("Expecting value") and _CUT_WORD.match(rest):
        return "it ends inside a value"
    return None


def _after_blanks(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start


def _explained(text: str, start: int, error: JSONDecodeError | RecursionError) -> tuple[Fault, int]:
    """Return the fault, and where to go on: at a whole record that was written into a cut one, else the end."""
    if isinstance(error, RecursionError):
        return Fault("not-json", f"nested deeper than {MAX_DEPTH} levels", start), len(text)
    if text[start] not in "{[":
        return Fault("not-json", "no JSON value", place_of(text, error)), len(text)
    cut = breaks_at(text, error)
    if cut is not None:
        return Fault("truncated-json", f"the record is cut: {cut}", error.pos), len(text)
    behind = text.rfind('{"', start + 1, error.pos + 2)
    if behind > start:
        try:
            DECODER.raw_decode(text, behind)
        except JSONDecodeError as inner:
            if breaks_at(text, inner) is None:
                return Fault("not-json", f"damaged JSON: {words_of(error)}", place_of(text, error)), len(text)
            return Fault("spliced-json", "a cut record runs into another cut one", behind), len(text)
        except RecursionError:
            return Fault("not-json", f"nested deeper than {MAX_DEPTH} levels", start), len(text)
        return Fault("spliced-json", "a cut record runs into a whole one", behind), behind
    return Fault("not-json", f"damaged JSON: {words_of(error)}", place_of(text, error)), len(text)


def _lone(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
