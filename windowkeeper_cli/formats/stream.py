"""Which JSON values does an input hold, in order? A stream of values: lines on the fast path, anything else behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any, NamedTuple

import orjson

from windowkeeper_cli.formats.damage import Fault, Piece, breaks_at, decoded, mended
from windowkeeper_cli.formats.exact import DECODER, too_deep
from windowkeeper_cli.formats.opening import Opened
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import Origin

BOM = b"\xef\xbb\xbf"
RESTORE = "restore it from a whole copy"
_LONG = re.compile(rb"[0-9]{17}|[0-9][eE]")
_BLANKS = re.compile(r"[ \t\r\n]*")
_LOOK = 20
_OPENERS = (b"{", b"[")
_TRIES = 16
_CUT = frozenset(("truncated-json", "spliced-json", "not-json"))


class Record(NamedTuple):
    """One JSON value and where it stands."""

    value: Any
    origin: Origin


class Log:
    """What was odd while one input was read: findings in order, and counts."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.damage: list[tuple[int, int, str]] = []
        self.lines = 0
        self.not_understood = 0
        self.still_written = False


def records(opened: Opened, file: int, log: Log, *, exact: bool = False) -> Iterator[Record]:
    """Yield every JSON value of `opened`; findings go into `log`.

    Raises InputError for a document that is cut or damaged. `exact` reads whatever a fast parser may round by the
    standard library's.
    """
    reader = _Reader(opened, file, log, exact)
    yield from reader.run()


class _Reader:
    """Walks one input line by line, and in whole where its values span lines."""

    def __init__(self, opened: Opened, file: int, log: Log, exact: bool) -> None:
        self.opened = opened
        self.file = file
        self.log = log
        self.exact = exact
        self.found = False
        self.tries = _TRIES

    def run(self) -> Iterator[Record]:
        lines = self._lines()
        for number, offset, raw, ended in lines:
            if not self.exact or not _LONG.search(raw):
                try:
                    value = orjson.loads(raw)
                except orjson.JSONDecodeError:
                    pass
                else:
                    self.found = True
                    yield Record(value, Origin(self.file, offset, len(raw), number))
                    continue
            if not raw.strip():
                continue
            yield from self._slow(number, offset, raw, ended, lines)

    def _slow(
        self, number: int, offset: int, raw: bytes, ended: bool, lines: Iterator[tuple[int, int, bytes, bool]]
    ) -> Iterator[Record]:
        text, faults = decoded(raw)
        pieces, more = mended(text)
        cut = next((fault for fault in more if fault.kind in _CUT), None)
        if cut is not None and not pieces and self._may_span(raw, cut):
            rest = b"\n".join([raw, *(line for _, _, line, _ in lines)])
            span = _spanning(rest)
            if span is not None:
                yield from self._spanned(span, rest, number, offset)
                return
            self.tries -= 1
            if not self.found and not _looks_like_lines(rest):
                raise self._damaged(rest, number)
            yield from self._again(rest, number, offset, text, pieces, faults + more)
            return
        yield from self._pieces(text, pieces, faults + more, number, offset, raw, ended)

    def _may_span(self, raw: bytes, cut: Fault) -> bool:
        if self.tries <= 0 or not raw.lstrip().startswith(_OPENERS):
            return False
        return not self.found or (cut.kind == "truncated-json" and raw.rstrip().endswith((b"{", b"[", b",")))

    def _again(
        self, rest: bytes, number: int, offset: int, text: str, pieces: list[Piece], faults: list[Fault]
    ) -> Iterator[Record]:
        """Go on line by line where the rest had to be taken in whole and is no value."""
        first, _, behind = rest.partition(b"\n")
        alone = len(first) == len(rest)
        yield from self._pieces(text, pieces, faults, number, offset, first, not alone)
        if alone:
            return
        inner = _Reader(Opened(self.opened.name, None, behind, None), self.file, self.log, self.exact)
        inner.found, inner.tries = True, self.tries
        base = offset + len(first) + 1
        for record in inner._shifted(number, base):
            yield record

    def _shifted(self, lines: int, base: int) -> Iterator[Record]:
        self.first_line, self.base = lines, base
        yield from self.run()

    first_line = 0
    base = 0

    def _pieces(
        self,
        text: str,
        pieces: list[Piece],
        faults: list[Fault],
        number: int,
        offset: int,
        raw: bytes,
        ended: bool,
    ) -> Iterator[Record]:
        for fault in faults:
            self._note(fault, text, number, ended)
        alone = len(pieces) == 1 and not any(fault.kind in _CUT for fault in faults)
        for piece in pieces:
            self.found = True
            if alone or "\ufffd" in text:
                yield Record(piece.value, Origin(self.file, offset, len(raw), number))
                continue
            start = len(text[: piece.start].encode("utf-8", "surrogatepass"))
            length = len(text[piece.start : piece.end].encode("utf-8", "surrogatepass"))
            yield Record(piece.value, Origin(self.file, offset + start, length, number))

    def _note(self, fault: Fault, text: str, number: int, ended: bool) -> None:
        words = fault.text
        if fault.kind in _CUT:
            self.log.not_understood += 1
            self.log.damage.append((number, fault.at + 1, words))
            if fault.kind == "truncated-json" and not ended:
                self.log.still_written = True
                words += "; the last line has no end, so the session may still be being written"
        self.log.findings.append(Finding(fault.kind, f"{self.opened.name}:{number}", words, number))

    def _spanned(
        self, span: tuple[str, list[Fault], list[Piece], list[tuple[Fault, int]]], rest: bytes, line: int, base: int
    ) -> Iterator[Record]:
        text, faults, pieces, cuts = span
        for fault in faults:
            self._note(fault, text, line + rest.count(b"\n", 0, fault.at), True)
        for fault, at in cuts:
            self._note(fault, text, line + text.count("\n", 0, at), True)
        exactly = len(text) == len(rest)
        seen_chars = seen_bytes = 0
        for piece in pieces:
            gap = text[seen_chars : piece.start]
            body = text[piece.start : piece.end]
            line += gap.count("\n")
            start = seen_bytes + (len(gap) if exactly else len(gap.encode("utf-8", "surrogatepass")))
            length = len(body) if exactly else len(body.encode("utf-8", "surrogatepass"))
            self.found = True
            yield Record(piece.value, Origin(self.file, base + start, length, line))
            line += body.count("\n")
            seen_chars, seen_bytes = piece.end, start + length

    def _damaged(self, rest: bytes, line: int) -> InputError:
        text, _ = decoded(rest)
        start = len(text) - len(text.lstrip())
        try:
            DECODER.raw_decode(text, start)
        except JSONDecodeError as error:
            cut = breaks_at(text, start, error)
            what = f"the JSON is damaged: {cut or error.msg}"
            return InputError.at(self.opened.name, line + error.lineno - 1, error.colno, what, RESTORE)
        except RecursionError:
            pass
        return InputError.at(self.opened.name, line, 1, "the JSON is nested too deep to be read", RESTORE)

    def _lines(self) -> Iterator[tuple[int, int, bytes, bool]]:
        """Yield (number, offset, bytes without LF, whether a LF ended it); lines end at LF only."""
        number, offset = self.first_line, self.base
        carry: list[bytes] = []
        for chunk in self.opened.chunks():
            parts = chunk.split(b"\n")
            if len(parts) == 1:
                carry.append(chunk)
                continue
            carry.append(parts[0])
            parts[0] = b"".join(carry)
            carry = [parts.pop()]
            for raw in parts:
                number += 1
                if number == 1 and raw.startswith(BOM):
                    yield number, offset + len(BOM), raw[len(BOM) :], True
                else:
                    yield number, offset, raw, True
                offset += len(raw) + 1
        raw = b"".join(carry)
        if raw:
            number += 1
            mark = len(BOM) if number == 1 and raw.startswith(BOM) else 0
            yield number, offset + mark, raw[mark:], False
        self.log.lines = number


def _spanning(data: bytes) -> tuple[str, list[Fault], list[Piece], list[tuple[Fault, int]]] | None:
    """Return the values of a text whose first value runs over several lines, or None where that does not end."""
    text, faults = decoded(data)
    start = len(text) - len(text.lstrip(" \t\r\n"))
    if not faults and not re.search(rb"[0-9]{17}|\\u[dD]", data):
        try:
            return text, [], [Piece(orjson.loads(data), start, len(text.rstrip(" \t\r\n")))], []
        except orjson.JSONDecodeError:
            pass
    if too_deep(text):
        return None
    pieces: list[Piece] = []
    cuts: list[tuple[Fault, int]] = []
    while start < len(text):
        try:
            value, end = DECODER.raw_decode(text, start)
        except JSONDecodeError as error:
            if not pieces:
                return None
            words = breaks_at(text, start, error)
            kind = "truncated-json" if words else "not-json"
            cuts.append((Fault(kind, f"the record is cut: {words}" if words else error.msg, error.pos), error.pos))
            following = text.find("\n{", max(error.pos - 1, start))
            start = len(text) if following < 0 else following + 1
            continue
        pieces.append(Piece(value, start, end))
        match = _BLANKS.match(text, end)
        start = match.end() if match else end
    return text, faults, pieces, cuts


def _looks_like_lines(data: bytes) -> bool:
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
