"""How does a path or bytes become a transcript? Open, decode, detect, read, assemble; any fault is an InputError."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from windowkeeper_cli.formats.assemble import assemble
from windowkeeper_cli.formats.collection import no_collection
from windowkeeper_cli.formats.detect import SAMPLE, detect, unknown_format
from windowkeeper_cli.formats.exact import InexactError
from windowkeeper_cli.formats.opening import Opened, open_bytes, open_path
from windowkeeper_cli.formats.reading import ElsewhereError, Reading
from windowkeeper_cli.formats.registry import FORMATS
from windowkeeper_cli.formats.sealing import Measure
from windowkeeper_cli.formats.source import Origins
from windowkeeper_cli.formats.stream import BOM, LOSSES, Log, Record, records
from windowkeeper_cli.model.errors import InputError, UsageError
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple

NOT_UNDERSTOOD = LOSSES | {"unknown-record"}
Progress = Callable[[int], object]
BINARY = (b"PK\x03\x04", b"\x7fELF", b"%PDF", b"\x89PNG", b"\xff\xd8\xff\xe0", b"BZh9", b"\xfd7zX", b"GIF8")


class _How(NamedTuple):
    """What a caller wants of a load, beside its files."""

    format: str | None
    agent: str | None
    part: int | None
    strict: bool
    measure: Measure | None = None
    keeps_text: bool = True
    progress: Progress | None = None


def load(
    path: str,
    *,
    also: Sequence[str] = (),
    from_: str | None = None,
    agent: str | None = None,
    part: int | None = None,
    strict: bool = False,
    measure: Measure | None = None,
    keeps_text: bool = True,
    progress: Progress | None = None,
) -> Transcript:
    """Return the transcript at `path` (`-` reads standard input), with the records of the `also` files.

    `measure` is asked of blocks while they are at hand; its answers are the source's `measured`. Texts of results that
    can be read again by their offset stay out of memory where not `keeps_text`. `progress` is given the bytes just
    read, again and again.
    Raises InputError for an input that cannot be loaded, with `strict` for the first line not understood as well,
    and UsageError for an unknown format, agent or part.
    """
    how = _How(from_, agent, part, strict, measure, keeps_text, progress)
    return _loaded([open_path(name) for name in (path, *also)], how)


def loads(
    data: bytes,
    name: str = "<bytes>",
    *,
    also: Sequence[tuple[bytes, str]] = (),
    from_: str | None = None,
    agent: str | None = None,
    part: int | None = None,
    strict: bool = False,
) -> Transcript:
    """Return the transcript in `data`, called `name` in messages; raises as `load` does."""
    files = [open_bytes(content, called) for content, called in ((data, name), *also)]
    return _loaded(files, _How(from_, agent, part, strict))


def _loaded(files: list[Opened], how: _How) -> Transcript:
    if how.format is not None:
        FORMATS.module(how.format)
    for opened in files:
        opened.progress = how.progress
    with no_collection():
        try:
            try:
                return _read(files, how, exact=False)
            except InexactError:
                for opened in files:
                    opened.progress = None
                return _read(files, how, exact=True)
        except ElsewhereError as found:
            return _loaded([open_path(str(found.path))], how._replace(agent=None))
        except RecursionError as error:
            raise InputError("it is nested too deep to be read", where=files[0].name) from error


def _read(files: list[Opened], how: _How, *, exact: bool) -> Transcript:
    log = Log()
    name = files[0].name
    stream = _in_order(files, log, exact, how.strict)
    head = list(islice(stream, SAMPLE))
    if not any(isinstance(record.value, dict | list) for record in head):
        raise _nothing(files[0], log)
    values = [record.value for record in head if record.origin.file == 0]
    format_name, why = (how.format, "asked for") if how.format else _detected(values, files[0])
    module = FORMATS.module(format_name)
    if len(files) > 1 and not getattr(module, "SEVERAL_FILES", False):
        raise UsageError(f"--also adds files of one session; {format_name} has none", "leave it out")
    reading = Reading(chain(head, stream), tuple(files), log, how.agent, how.part, how.measure, how.keeps_text)
    draft = module.read(reading)
    if not draft.entries:
        raise InputError("no message in it", f"read as {format_name} ({why})", where=name)
    if how.agent is not None and draft.agent is None and not draft.agents:
        raise UsageError(
            f"no agent {how.agent!r}: the transcript is the only one in it", "leave --agent out", where=name
        )
    draft.findings = [*log.closed(), *draft.findings]
    unknown = sum(kind.count for kind in draft.log.unknown_records)
    draft.log = replace(
        draft.log,
        records=draft.log.records or sum(opened.records for opened in files),
        lines=log.lines,
        not_understood=log.not_understood + unknown,
        still_written=log.still_written,
    )
    if how.strict:
        _refuse_first(draft.findings)
    facts = [opened.facts() for opened in files]
    origins = Origins(facts, [opened.path for opened in files], [opened.data for opened in files])
    why = f"{why}: {draft.seen}" if draft.seen else why
    return assemble(draft, known_as=(format_name, why), files=facts, origins=origins, measure=how.measure)


def _in_order(files: list[Opened], log: Log, exact: bool, strict: bool) -> Iterator[Record]:
    """Yield the records of every file in order."""
    lines = 0
    for number, opened in enumerate(files):
        stream = records(opened, number, log, exact=exact)
        yield from _watched(stream, log) if strict else stream
        lines += log.lines
        log.lines = lines


def _watched(stream: Iterator[Record], log: Log) -> Iterator[Record]:
    for record in stream:
        _refuse_first(log.findings)
        yield record


def _refuse_first(findings: Sequence[Finding]) -> None:
    for finding in findings:
        if finding.kind in NOT_UNDERSTOOD:
            raise InputError(finding.text, "leave --strict out to load the rest", where=finding.where)


def _detected(values: list[Any], opened: Opened) -> tuple[str, str]:
    try:
        return detect(values, opened.name)
    except InputError:
        if _is_binary(opened.head()):
            raise _binary(opened.name) from None
        raise


def _nothing(opened: Opened, log: Log) -> InputError:
    """Return the error for an input without a single JSON object or list."""
    head = opened.head()
    text = head.removeprefix(BOM).lstrip(b" \t\r\n")
    if not text:
        return InputError("an empty file", "give a transcript", where=opened.name)
    if _is_binary(head):
        return _binary(opened.name)
    if text[:1] in (b"{", b"["):
        from windowkeeper_cli.formats.spanning import RESTORE

        line, column, words = log.first_loss or (1, 1, "no value ends")
        return InputError.at(opened.name, line, column, f"the JSON is damaged: {words}", RESTORE)
    return unknown_format(opened.name)


def _binary(name: str) -> InputError:
    known = ", ".join(FORMATS.names)
    return InputError("a binary file, not a transcript", f"formats known: {known}", where=name)


def _is_binary(head: bytes) -> bool:
    """Return whether the beginning of a file is no text: a known mark, a NUL, or a tenth of it unreadable."""
    if b"\0" in head or head[:4] in BINARY:
        return True
    text = head.decode("utf-8", "replace")
    return text.count("\ufffd") * 10 > len(text)
