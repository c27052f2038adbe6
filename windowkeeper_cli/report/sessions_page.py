"""The page of `sessions`: the rows with the first request beside them, then what was left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from windowkeeper_cli.model.brief import one_line
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.report.heading import several
from windowkeeper_cli.report.sessions import Row, Sessions, others_words
from windowkeeper_cli.report.sheet import (
    DETAIL,
    ID,
    NUMBER,
    TEXT,
    WARN,
    WORD,
    Block,
    Cell,
    Column,
    Command,
    Line,
    Lines,
    Marked,
    Part,
    Prose,
    Sheet,
    Table,
)

SHOWN = 10
"""Copies, and files left out, that the page lists; the document has all."""
SHORTEST = 8
"""Characters of a session id that the page begins with; as many more as tell the sessions apart."""
LONGER = 20
"""Characters of a file's name, where a log says no session."""
PROJECT, REQUEST = 24, 54
"""Characters of a project's name, and of a request, that the page shows."""
COLUMNS = (
    Column("session", "session", ID),
    Column("started", "started (UTC)", WORD),
    Column("length", "length", NUMBER),
    Column("project", "project", TEXT),
    Column("calls", "calls", NUMBER),
    Column("peakTokens", "peak", NUMBER),
    Column("lastTokens", "last", NUMBER),
    Column("detail", "first request", DETAIL),
)
_PARTS = re.compile(r"[/\\]+")


def sheet(report: Sessions) -> Sheet:
    """Return the page."""
    own = [row for row in report.rows if row.file.copy_of is None]
    blocks: list[Block] = [Lines(tuple(_header(report, own)))]
    if own:
        names = session_names([row.session for row in own], {row.session for row in own if not row.outline.session})
        places = project_names([row.outline.project for row in own])
        cells = [_cells(row, name, place) for row, name, place in zip(own, names, places, strict=True)]
        blocks.append(Table(COLUMNS, tuple(cells)))
    else:
        blocks.append(Prose(_nothing(report)))
    blocks.extend(_left_out(report))
    return Sheet(tuple(blocks), next=tuple(_next(report, own)))


def session_names(sessions: Sequence[str], files: Collection[str] = ()) -> list[str]:
    """Return the beginning of each id: 8 characters (20 of `files`), and as many more as tell it from all others."""
    order = sorted(set(sessions))
    needed = {session: LONGER if session in files else SHORTEST for session in order}
    for first, second in pairwise(order):
        same = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), len(first)) + 1
        needed[first], needed[second] = max(needed[first], same), max(needed[second], same)
    return [one_line(session[: needed[session]]) for session in sessions]


def project_names(projects: Sequence[str | None]) -> list[str | None]:
    """Return the last part of each folder, with the one above where two folders end alike."""
    parts = {project: [part for part in _PARTS.split(project) if part] for project in projects if project is not None}
    ends: dict[str, set[str]] = {}
    for project, own in parts.items():
        ends.setdefault("".join(own[-1:]), set()).add(project)
    names: dict[str | None, str | None] = {None: None}
    for project, own in parts.items():
        alone = len(ends["".join(own[-1:])]) == 1
        names[project] = one_line("/".join(own[-1:] if alone else own[-2:]) or project, PROJECT)
    return [names[project] for project in projects]


def length_words(started: str | None, ended: str | None) -> str | None:
    """Return the time between two moments in words: `45s`, `12m`, `3h05m`, `2d04h`."""
    first, last = seconds(started), seconds(ended)
    if first is None or last is None:
        return None
    whole = max(int(last - first), 0)
    if whole < 60:
        return f"{whole}s"
    if whole < 3_600:
        return f"{whole // 60}m"
    if whole < 86_400:
        return f"{whole // 3_600}h{whole % 3_600 // 60:02}m"
    return f"{whole // 86_400}d{whole % 86_400 // 3_600:02}h"


def size_words(count: int) -> str:
    """Return a size in bytes in words: `820 B`, `64 kB`, `3.7 MB`."""
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB"):
        if size < 999.5:
            break
        size, unit = size / 1_000, larger
    return f"{size:,.1f} {unit}" if unit != "B" and size < 9.95 else f"{size:,.0f} {unit}"


def _header(report: Sessions, own: Sequence[Row]) -> Iterator[Line]:
    size = size_words(sum(row.outline.bytes for row in own))
    parts: list[Part] = [
        (report.folder.path,),
        several(len(own), "session"),
        several(sum(row.outline.calls for row in own), "call"),
        (size,),
    ]
    if report.words:
        parts.append((" ".join(report.words), "of", *several(len(report.folder.sessions), "log")))
    copies, bad = len(report.found) - len(own), len(report.skipped)
    if copies or bad:
        words = [f"{copies:,} {'copy' if copies == 1 else 'copies'} of others"] if copies else []
        words += [f"{bad:,} {'other file' if bad == 1 else 'other files'}"] if bad else []
        parts.append((f"{' and '.join(words)} left out (listed below)",))
    if report.unread is not None:
        parts.append((Marked(f"PARTIAL: interrupted, {report.unread:,} logs not read", WARN),))
    yield Line("sessions", tuple(parts))
    yield Line("order", (("latest message first",), ("peak and last are prompts in tokens, as reported",)))


def _cells(row: Row, name: str, project: str | None) -> tuple[Cell, ...]:
    found = row.outline
    moment = seconds(found.started)
    started = None if moment is None else datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
    length = length_words(found.started, found.ended)
    return (name, started, length, project, found.calls, found.peak, found.last, _detail(row))


def _detail(row: Row) -> str:
    found = row.outline
    facts = [size_words(found.bytes)]
    for count, word in (
        (row.subagents, "subagent"),
        (found.compactions, "compaction"),
        (found.microcompactions, "microcompaction"),
    ):
        if count:
            facts.append(" ".join(str(part) for part in several(count, word)))
    if found.not_understood:
        facts.append(f"{found.not_understood:,} not understood")
    if found.still_written:
        facts.append("still being written")
    if row.file.glance is not None and row.file.glance.side:
        facts.append("a subagent's log")
    return f"{one_line(found.request or '-', REQUEST)} ({', '.join(facts)})"


def _nothing(report: Sessions) -> str:
    count = len(report.folder.sessions)
    return f"None of its {count:,} session {'log' if count == 1 else 'logs'} fits {' '.join(report.words)}."


def _left_out(report: Sessions) -> Iterator[Block]:
    copies = [row for row in report.rows if row.file.copy_of is not None]
    if copies:
        pairs = [(row.file.path, row.file.copy_of or "") for row in copies[:SHOWN]]
        rows = tuple((_below(report, path), _below(report, whole)) for path, whole in pairs)
        columns = (Column("path", "copy", TEXT), Column("copyOf", "all its records are in", DETAIL))
        yield Table(columns, rows, _title("copies of others", len(copies)))
    if report.skipped:
        skipped = tuple((_below(report, one.path), one.why) for one in report.skipped[:SHOWN])
        columns = (Column("path", "file", TEXT), Column("why", "why", DETAIL))
        yield Table(columns, skipped, _title("left out", len(report.skipped)))
    if report.folder.others:
        yield Prose(others_words(report.folder.others) + ".")


def _below(report: Sessions, path: str) -> str:
    """Return a path from the folder on, where it is below it."""
    return path.removeprefix(report.folder.path.rstrip("/") + "/")


def _title(what: str, count: int) -> str:
    return f"{what} ({count:,})" if count <= SHOWN else f"{what} ({SHOWN} of {count:,}; -f json has all)"


def _next(report: Sessions, own: Sequence[Row]) -> Iterator[Command]:
    if not own:
        path = report.folder.path
        alone = all(file.path.startswith(path) for file in report.folder.sessions)
        yield Command(("windowkeeper", "sessions", path) if alone else ("windowkeeper", "sessions"))
        return
    longest = max(own, key=lambda row: row.outline.calls)
    yield Command(("windowkeeper", "info", own[0].file.path))
    if longest is not own[0]:
        yield Command(("windowkeeper", "explain", longest.file.path))
