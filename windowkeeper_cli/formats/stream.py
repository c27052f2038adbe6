"""Which JSON values does an input hold, in order? Lines on the fast path, a stream of values behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

import orjson

from windowkeeper_cli.formats.opening import Opened
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import Origin
from windowkeeper_cli.model.value import NamedTuple

if TYPE_CHECKING:
    from windowkeeper_cli.formats.damage import Fault, Piece
    from windowkeeper_cli.formats.spanning import Span

BOM = b"\xef\xbb\xbf"
LOSSES = frozenset(("truncated-json", "spliced-json", "not-json"))
"""Findings that cost a record or a part of one."""
SHOWN = 1_000
_INEXACT = rb"[0-9]{17}|[0-9][eE]"
_OPENERS = (b"{", b"[")
_TRIES = 16
_new = tuple.__new__
"""Makes a named tuple at half the price of its own constructor; only where every line of a log passes."""


class Record(NamedTuple):
    """One JSON value and where it stands."""

    value: Any
    origin: Origin


class Row(NamedTuple):
    """One line: its number, its byte offset, its bytes without the LF, and whether a LF ended it."""

    number: int
    offset: int
    raw: bytes
    ended: bool


_Row = tuple[int, int, bytes]


class Log:
    """What was odd while inputs were read: findings in order, and counts."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.first_loss: tuple[int, int, str] | None = None
        self.lines = 0
        self.not_understood = 0
        self.still_written = False
        self._counts: dict[str, int] = {}
        self._last: dict[str, Finding] = {}

    def note(self, fault: Fault, name: str, line: int, *, ended: bool) -> None:
        """Add a finding; after the first thousand of a kind they are counted only."""
        words = fault.text
        if fault.kind in LOSSES:
            self.not_understood += 1
            self.first_loss = self.first_loss or (line, fault.at + 1, words)
            if fault.kind == "truncated-json" and not ended:
                self.still_written = True
                words += "; the last line has no end, so the session may still be being written"
        finding = Finding(fault.kind, f"{name}:{line}", words, line)
        count = self._counts[fault.kind] = self._counts.get(fault.kind, 0) + 1
        if count <= SHOWN:
            self.findings.append(finding)
        self._last[fault.kind] = finding

    def closed(self) -> list[Finding]:
        """Return the findings, with one for those that were counted only."""
        more = [
            Finding(kind, last.where, f"{self._counts[kind] - SHOWN:,} more of this kind up to here", last.line)
            for kind, last in self._last.items()
            if self._counts[kind] > SHOWN
        ]
        return [*self.findings, *more]


def records(opened: Opened, file: int, log: Log, *, exact: bool = False, hashed: bool = True) -> Iterator[Record]:
    """Yield every JSON value of `opened`, the `file`-th input; findings go into `log`.

    Raises InputError for a document that is cut or damaged. `exact` reads whatever the fast parser may round by the
    standard library's. The bytes are hashed as they pass, unless not `hashed`.
    """
    reader = _Reader(opened, file, log, exact)
    yield from reader.run(_rows(opened.lines() if hashed else opened.unhashed(), 0, 0, log))
    opened.records = reader.objects


class _Reader:
    """Walks one input line by line, and takes the rest in whole where a value spans lines."""

    def __init__(self, opened: Opened, file: int, log: Log, exact: bool) -> None:
        self.name = opened.name
        self.file = file
        self.log = log
        self.exact = exact
        self.found = False
        self.objects = 0
        self.tries = _TRIES

    def run(self, rows: Iterator[_Row]) -> Iterator[Record]:
        file, loads = self.file, orjson.loads
        for number, offset, raw in rows:
            ended = raw.endswith(b"\n")
            if not self.exact or not re.search(_INEXACT, raw):
                try:
                    value = loads(raw)
                except orjson.JSONDecodeError:
                    pass
                else:
                    self.found = True
                    self.objects += 1
                    yield _new(Record, (value, _new(Origin, (file, offset, len(raw) - ended, number))))
                    continue
            if not raw.strip():
                continue
            yield from self._slow(Row(number, offset, raw[:-1] if ended else raw, ended), rows)
            if not self.found and self.log.not_understood > SHOWN:
                return

    def _slow(self, row: Row, rows: Iterator[_Row]) -> Iterator[Record]:
        # Most inputs never come here, and start sooner without these.
        from windowkeeper_cli.formats.damage import before_cut, decoded, mended
        from windowkeeper_cli.formats.spanning import damaged_document, looks_like_lines, spanning

        text, faults = decoded(row.raw)
        pieces, more = mended(text)
        faults = [*before_cut(faults, more, len(row.raw)), *more]
        loss = next((fault for fault in more if fault.kind in LOSSES), None)
        if loss is None or pieces or not self._may_span(row.raw, loss):
            yield from self._line(row, text, pieces, faults)
            return
        rest = b"".join([row.raw, b"\n" if row.ended else b"", *(raw for _, _, raw in rows)]).removesuffix(b"\n")
        span = spanning(rest, exact=self.exact)
        if span is not None:
            yield from self._spanned(span, row, len(rest))
            return
        if not self.found and not looks_like_lines(rest):
            raise damaged_document(rest, self.name, row.number)
        self.tries -= 1
        first, _, behind = rest.partition(b"\n")
        yield from self._line(row, text, pieces, faults)
        self.found = True
        yield from self.run(_rows(BytesIO(behind), row.number, row.offset + len(first) + 1, self.log))

    def _may_span(self, raw: bytes, loss: Fault) -> bool:
        """Return whether a broken line may be the beginning of a value over several lines."""
        if self.tries <= 0 or not raw.lstrip().startswith(_OPENERS):
            return False
        return not self.found or (loss.kind == "truncated-json" and raw.rstrip().endswith((b"{", b"[", b",")))

    def _line(self, row: Row, text: str, pieces: list[Piece], faults: list[Fault]) -> Iterator[Record]:
        for fault in faults:
            self.log.note(fault, self.name, row.number, ended=row.ended)
        whole = len(pieces) == 1 and not any(fault.kind in LOSSES for fault in faults)
        self.objects += len(pieces)
        for piece in pieces:
            self.found = True
            if whole or "\ufffd" in text:
                yield Record(piece.value, Origin(self.file, row.offset, len(row.raw), row.number))
                continue
            start = row.offset + _bytes(text[: piece.start])
            yield Record(piece.value, Origin(self.file, start, _bytes(text[piece.start : piece.end]), row.number))

    def _spanned(self, span: Span, row: Row, size: int) -> Iterator[Record]:
        text, pieces, faults = span
        for fault in faults:
            line = row.number + text.count("\n", 0, fault.at)
            self.log.note(fault, self.name, line, ended=True)
        ascii_only = len(text) == size
        seen, offset, line = 0, row.offset, row.number
        self.objects += len(pieces)
        for piece in pieces:
            gap, body = text[seen : piece.start], text[piece.start : piece.end]
            offset += len(gap) if ascii_only else _bytes(gap)
            line += gap.count("\n")
            length = len(body) if ascii_only else _bytes(body)
            self.found = True
            yield Record(piece.value, Origin(self.file, offset, length, line))
            offset += length
            line += body.count("\n")
            seen = piece.end


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _rows(lines: Iterable[bytes], number: int, offset: int, log: Log) -> Iterator[_Row]:
    """Yield the lines after line `number`, which ends before `offset`; lines end at LF only, and keep it."""
    for raw in lines:
        number += 1
        if number == 1 and raw.startswith(BOM):
            raw, offset = raw[len(BOM) :], len(BOM)
        yield number, offset, raw
        offset += len(raw)
    log.lines = number
