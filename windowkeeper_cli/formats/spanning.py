"""Which values does a text hold whose values run over several lines, and is it one at all?"""

from __future__ import annotations

import re
from json import JSONDecodeError

import orjson

from windowkeeper_cli.formats.damage import Fault, Piece, breaks_at, decoded, place_of, words_of
from windowkeeper_cli.formats.exact import DECODER, too_deep
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.value import NamedTuple

RESTORE = "restore it from a whole copy"
_BLANKS = re.compile(r"[ \t\r\n]*")
_LOOK = 20


class Span(NamedTuple):
    """A text, its values in order, and what is wrong with it; places count characters."""

    text: str
    pieces: list[Piece]
    faults: list[Fault]


def spanning(data: bytes, *, exact: bool = False) -> Span | None:
    """Return the values of a text from its first one on, or None where that one does not end.

    A later value that is damaged costs everything up to the next line that begins with an object. `exact` leaves the
    fast parser out.
    """
    text, faults = decoded(data)
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if not faults and not exact:
        try:
            return Span(text, [Piece(orjson.loads(data), start, len(text.rstrip(" \t\r\n")))], [])
        except orjson.JSONDecodeError:
            pass
    if too_deep(text):
        return None
    pieces: list[Piece] = []
    while start < len(text):
        try:
            value, end = DECODER.raw_decode(text, start)
        except JSONDecodeError as error:
            if not pieces:
                return None
            cut = breaks_at(text, error)
            words = f"the record is cut: {cut}" if cut else f"damaged JSON: {words_of(error)}"
            faults.append(Fault("truncated-json" if cut else "not-json", words, place_of(text, error)))
            following = text.find("\n{", max(error.pos - 1, start))
            start = len(text) if following < 0 else following + 1
            continue
        pieces.append(Piece(value, start, end))
        match = _BLANKS.match(text, end)
        start = match.end() if match else end
    return Span(text, pieces, faults)


def looks_like_lines(data: bytes) -> bool:
    """Return whether what follows a broken first line is a JSONL file's: most lines are whole objects."""
    whole = seen = 0
    for raw in data.split(b"\n", _LOOK + 1)[1 : _LOOK + 1]:
        if not raw.strip():
            continue
        seen += 1
        if raw.startswith(b"{"):
            try:
                orjson.loads(raw)
            except orjson.JSONDecodeError:
                continue
            whole += 1
    return whole * 2 > seen


def damaged_document(data: bytes, name: str, line: int) -> InputError:
    """Return the error for a document that is cut or damaged, with the line and column where it breaks."""
    text, _ = decoded(data)
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if not too_deep(text):
        try:
            DECODER.raw_decode(text, start)
        except JSONDecodeError as error:
            at = place_of(text, error)
            what = f"the JSON is damaged: {breaks_at(text, error) or words_of(error)}"
            column = at - text.rfind("\n", 0, at)
            return InputError.at(name, line + text.count("\n", 0, at), column, what, RESTORE)
    return InputError.at(name, line, 1, "the JSON is nested too deep to be read", RESTORE)
