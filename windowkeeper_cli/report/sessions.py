"""Which sessions a folder holds: one row a log, newest first, copies marked, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from windowkeeper_cli.formats.folder import Folder, SessionFile, Skipped, agent_id
from windowkeeper_cli.formats.outline import Outline
from windowkeeper_cli.model.moment import seconds
from windowkeeper_cli.model.value import NamedTuple, dataclass
from windowkeeper_cli.report.envelope import bare_envelope
from windowkeeper_cli.report.sheet import NUMBER, TEXT, WORD, Column, Sheet, Table, cell_of

NAMED = 3
"""Files with other names that the note on them names."""


class Row(NamedTuple):
    """One session: its file, and what is in it."""

    file: SessionFile
    outline: Outline

    @property
    def session(self) -> str:
        """Return the session's id, that of the file's name where the log says none."""
        return self.outline.session or Path(self.file.path).stem

    @property
    def subagents(self) -> int:
        """Return how many subagents the session has, in its log and in files of their own."""
        return len({*self.outline.agents, *map(agent_id, self.file.agents)})

    def document(self) -> dict[str, object]:
        """Return the row under the keys of the document."""
        found = self.outline
        return {
            "session": self.session,
            "path": self.file.path,
            "project": found.project,
            "format": found.format,
            "started": found.started,
            "ended": found.ended,
            "calls": found.calls,
            "requests": found.requests,
            "subagents": self.subagents,
            "peakTokens": found.peak,
            "lastTokens": found.last,
            "compactions": found.compactions,
            "microcompactions": found.microcompactions,
            "bytes": found.bytes,
            "request": found.request,
            "notUnderstood": found.not_understood,
            "stillWritten": found.still_written,
            "copyOf": self.file.copy_of,
        }


NUMBERS = frozenset(
    (
        "calls", "requests", "subagents", "peakTokens", "lastTokens", "compactions", "microcompactions", "bytes",
        "notUnderstood",
    )
)  # fmt: skip
WORDS = frozenset(("session", "format", "started", "ended", "stillWritten"))


@dataclass(frozen=True, slots=True)
class Sessions:
    """The report `sessions`; `words` are the filters as they were typed.

    `unread` is the number of logs that were not read because the user broke off, None where all were.
    """

    folder: Folder
    found: tuple[Row, ...]
    skipped: tuple[Skipped, ...] = ()
    words: tuple[str, ...] = ()
    unread: int | None = None

    @property
    def name(self) -> str:
        """Return the report's name."""
        return "sessions"

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return the rows, that of the latest message first, those without times last."""
        timed = {row.file.path: seconds(row.outline.ended) for row in self.found}
        known = [row for row in self.found if timed[row.file.path] is not None]
        unknown = [row for row in self.found if timed[row.file.path] is None]
        newest = sorted(known, key=lambda row: (-(timed[row.file.path] or 0.0), row.file.path))
        return (*newest, *sorted(unknown, key=lambda row: row.file.path))

    def document(self) -> dict[str, object]:
        """Return the JSON document; what was left out is among its notes."""
        body: dict[str, object] = {"root": self.folder.path, "sessions": [row.document() for row in self.rows]}
        return bare_envelope(self.name, body, notes=list(self._notes()))

    def table(self) -> Table:
        """Return one row for each session, copies too."""
        rows = [row.document() for row in self.rows]
        return Table(COLUMNS, tuple(tuple(cell_of(row[column.key]) for column in COLUMNS) for row in rows))

    def lines(self) -> Iterator[bytes]:
        """Return one JSON line for each session, copies too."""
        from windowkeeper_cli.replay.ledger import line_bytes

        return (line_bytes(row.document()) for row in self.rows)

    def sheet(self) -> Sheet:
        """Return the page."""
        from windowkeeper_cli.report.sessions_page import sheet

        return sheet(self)

    def _notes(self) -> Iterator[dict[str, object]]:
        if self.unread is not None:
            text = f"interrupted: {self.unread:,} logs were not read"
            yield {"level": "warning", "where": self.folder.path, "kind": "partial", "text": text}
        for one in self.skipped:
            yield {"level": "warning", "where": one.path, "kind": "skipped", "text": one.why}
        if self.folder.others:
            text = others_words(self.folder.others)
            yield {"level": "hint", "where": self.folder.path, "kind": "not-looked-at", "text": text}


def others_words(others: tuple[str, ...]) -> str:
    """Return what is said of files whose names are not those of logs."""
    named = ", ".join(Path(path).name for path in others[:NAMED]) + (" and others" if len(others) > NAMED else "")
    count = (
        "1 file whose name is not a log's was" if len(others) == 1 else f"{len(others):,} files not named as logs were"
    )
    return f"{count} not looked at: {named}"


def _kind(key: str) -> str:
    return NUMBER if key in NUMBERS else WORD if key in WORDS else TEXT


COLUMNS = tuple(Column(key, key, _kind(key)) for key in Row(SessionFile("", 0), Outline("")).document())
