"""What is in one session log, in figures? Counted without its text where the format can, else from the whole load."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

import orjson

from windowkeeper_cli.formats.collection import no_collection
from windowkeeper_cli.formats.detect import SAMPLE, detect
from windowkeeper_cli.formats.exact import InexactError
from windowkeeper_cli.formats.opening import GZIP, ZSTD, Opened, open_path
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.registry import OUTLINES
from windowkeeper_cli.formats.stream import Log, Record, records
from windowkeeper_cli.model.block import texts_of
from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.errors import InputError
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple

END = 1 << 14
"""Bytes of a log's head, and of its tail, that a glance reads; a longer first line is read to its end."""
_LONGEST = 1 << 22
_COMMAND = re.compile(r"<command-name>([^<]{1,200})</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]{1,2000})</command-args>")
_AROUND = re.compile(r"[ \t\r\n]*<([A-Za-z_-]{1,40})>[^<]{0,2000}</\1>[ \t\r\n]*")
"""What a harness writes before the words that a person typed, as the time of day."""
_ZULU = 24
"""Length of a time to the millisecond that ends with Z; such times sort as texts."""


class Glance(NamedTuple):
    """What the head and the tail of a log say: none of it is sure to be all.

    `first` and `last` are times; `side` says that every message seen is a subagent's. `keys` name the records of the
    head, as `keys_of` does.
    """

    session: str | None = None
    project: str | None = None
    first: str | None = None
    last: str | None = None
    side: bool = False
    keys: tuple[str, ...] = ()


class Outline(NamedTuple):
    """The figures of one session log; tokens are those that the provider reported for prompts.

    `project` is the folder that the session was started in; `agents` are the ids of its subagents inside the file.
    `request` is the first request's first words. Times are those of messages as in the log, `started` the earliest.
    """

    format: str
    session: str | None = None
    project: str | None = None
    started: str | None = None
    ended: str | None = None
    calls: int = 0
    requests: int = 0
    agents: tuple[str, ...] = ()
    peak: int | None = None
    last: int | None = None
    compactions: int = 0
    microcompactions: int = 0
    request: str | None = None
    bytes: int = 0
    not_understood: int = 0
    still_written: bool = False


def glance(path: str) -> Glance | None:
    """Return what the head and the tail of a file say, None where its format has no outline or they tell nothing."""
    try:
        head, tail = _ends(path)
    except (OSError, InputError):
        return None
    values = [value for line in head if (value := _value(line)) is not None]
    if not values:
        return None
    try:
        name, _ = detect(values[:SAMPLE], path)
    except InputError:
        return None
    if name not in OUTLINES.names:
        return None
    ends: Glance = OUTLINES.module(name).glance(values, [value for line in tail if (value := _value(line)) is not None])
    return ends


def keys_of(path: str) -> list[str]:
    """Return a name for every record of a log that can be copied; raise InputError where it cannot be read."""
    opened = open_path(path)
    stream = records(opened, 0, Log(), hashed=False)
    head = list(islice(stream, SAMPLE))
    name, _ = detect([record.value for record in head], path)
    if name not in OUTLINES.names:
        return []
    keys: list[str] = OUTLINES.module(name).keys(record.value for record in chain(head, stream))
    return keys


def outline(path: str, from_: str | None = None) -> Outline:
    """Return the figures of the log at `path`; raise InputError where it is none."""
    with no_collection():
        opened = open_path(path)
        try:
            found = _counted(opened, from_, exact=False)
        except InexactError:
            found = _counted(opened, from_, exact=True)
        except RecursionError as error:
            raise InputError("it is nested too deep to be read", where=path) from error
    if found is not None:
        return found
    # Most logs of a folder have an outline, and are counted sooner without what a load needs.
    from windowkeeper_cli.formats.loading import load

    return outline_of(load(path, from_=from_))


def first_words(text: str) -> str:
    """Return a request's first words on one line, elements that a harness wrote before them left out.

    Of a recorded slash command it is the command as it was typed.
    """
    command = _COMMAND.search(text) if text.lstrip(" \t\r\n").startswith("<command-") else None
    if command is not None:
        arguments = _ARGUMENTS.search(text)
        text = f"{command[1]} {arguments[1]}" if arguments else command[1]
    while (found := _AROUND.match(text)) is not None and found.end() < len(text):
        text = text[found.end() :]
    return one_line(text)


def span_of(times: Sequence[str]) -> tuple[str | None, str | None]:
    """Return the earliest and the latest of a log's times; those that are no ISO 8601 times are left aside."""
    if all(len(time) == _ZULU and time[-1] == "Z" for time in times):
        return (min(times), max(times)) if times else (None, None)
    timed = [(moment, time) for time in times if (moment := seconds(time)) is not None]
    return (min(timed)[1], max(timed)[1]) if timed else (None, None)


def _counted(opened: Opened, from_: str | None, *, exact: bool) -> Outline | None:
    """Return the outline that the format makes of the records, None where it makes none or the file is none at all."""
    log = Log()
    stream = records(opened, 0, log, exact=exact, hashed=False)
    head = list(islice(stream, SAMPLE))
    if from_ is None:
        if not any(isinstance(record.value, dict | list) for record in head):
            return None
        try:
            from_, _ = detect([record.value for record in head], opened.name)
        except InputError:
            return None
    if from_ not in OUTLINES.names:
        return None
    found: Outline | None = OUTLINES.module(from_).outline(Reading(chain(_taken(head), stream), (opened,), log))
    if found is None:
        return None
    grown = opened.path is not None and opened.data is None and opened.path.stat().st_size > opened.size
    return found._replace(
        bytes=opened.size,
        not_understood=log.not_understood + found.not_understood,
        still_written=log.still_written or grown,
    )


def _taken(head: list[Record]) -> Iterator[Record]:
    """Yield the records and keep none: a head that is held would hold its texts."""
    head.reverse()
    while head:
        yield head.pop()


def outline_of(loaded: Transcript) -> Outline:
    """Return the figures of a transcript that is loaded; its times are those of its own items."""
    prompts = [call.usage.prompt for call in loaded.calls if call.usage is not None]
    times = [item.timestamp for item in loaded.items if item.timestamp is not None]
    started, ended = span_of([*times, *(call.time for call in loaded.calls if call.time is not None)])
    asked = next((item.at for item in loaded.items if item.request), None)
    kinds = [event.kind for event in loaded.events]
    return Outline(
        format=loaded.format,
        session=loaded.session,
        project=loaded.log.cwd,
        started=started,
        ended=ended,
        calls=len(loaded.calls),
        requests=sum(item.request for item in loaded.items),
        agents=tuple(agent.id for agent in loaded.agents),
        peak=max(prompts, default=None),
        last=prompts[-1] if prompts else None,
        compactions=kinds.count("compaction"),
        microcompactions=kinds.count("microcompaction"),
        request=None if asked is None else first_words("".join(texts_of(loaded.blocks(asked))[:1])),
        bytes=sum(file.bytes for file in loaded.files),
        not_understood=loaded.log.not_understood,
        still_written=loaded.log.still_written,
    )


def _ends(path: str) -> tuple[list[bytes], list[bytes]]:
    """Return the whole lines of a file's head and those of its tail; a packed file is unpacked for them."""
    with Path(path).open("rb") as stream:
        if stream.read(4).startswith((GZIP, ZSTD)):
            data = open_path(path).data
            return _ends_in(BytesIO(data or b""))
        stream.seek(0)
        return _ends_in(stream)


def _ends_in(stream: IO[bytes]) -> tuple[list[bytes], list[bytes]]:
    head = stream.read(END)
    if len(head) < END:
        lines = head.split(b"\n")
        return lines, lines
    first, found, _ = head.rpartition(b"\n")
    if not found:
        first = head + stream.readline(_LONGEST)
    stream.seek(max(stream.seek(0, os.SEEK_END) - END, 0))
    return first.split(b"\n"), stream.read().split(b"\n")[1:]


def _value(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
