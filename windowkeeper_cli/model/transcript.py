"""The transcript: everything the harness held, in order, and the facts of its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Protocol, TypeVar

from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.call import Call, Usage
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import Item
from windowkeeper_cli.model.value import dataclass

Measured = TypeVar("Measured")


class BlockSource(Protocol):
    """Gives the blocks of an item by position; may read them again from the file it came from."""

    def blocks(self, at: int) -> Blocks:
        """Return the blocks of the item at position `at`."""
        ...

    def raw(self, at: int) -> bytes:
        """Return the bytes of the record that holds the item; several records are joined by LF."""
        ...

    def measured(self, at: int, measure: Callable[[Blocks], Measured]) -> Measured | None:
        """Return what `measure` said of the item while it was read, None where it was not asked then."""
        ...


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file that was read: its name as the user gave it, its records, size in bytes, SHA-256 in hex."""

    path: str
    records: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Subagent:
    """A transcript of its own inside, or beside, a session."""

    id: str
    calls: int
    usage: Usage | None
    where: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Records or blocks of a type that the reader does not know, with the lines they stand on."""

    name: str
    count: int
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NamedPart:
    """One of several transcripts in a file that are no subagents' of each other, chosen by its number."""

    name: str
    where: str


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What a log holds besides its transcript; every figure is a count, nothing is estimated.

    `cwd` is the folder that the session was started in. `main_calls` and `main_usage` count every reply outside
    subagents, those of abandoned branches and other parts too. `listed` names the parts, where they have names.
    """

    records: int = 0
    lines: int = 0
    not_understood: int = 0
    version: str | None = None
    cwd: str | None = None
    part: int = 1
    parts: int = 1
    listed: tuple[NamedPart, ...] = ()
    unmeasured: int = 0
    main_calls: int = 0
    main_usage: Usage | None = None
    side_calls: int = 0
    side_usage: Usage | None = None
    side_blocks: tuple[tuple[str, int], ...] = ()
    synthetic_lines: tuple[int, ...] = ()
    unknown_records: tuple[Unknown, ...] = ()
    unknown_blocks: tuple[Unknown, ...] = ()
    branches: int = 0
    still_written: bool = False


@dataclass(frozen=True, slots=True)
class Paused:
    """The tool call that a run is waiting on, and whether a person has to check in."""

    tool_call_id: str
    check_in: bool = False


@dataclass(frozen=True, slots=True)
class Transcript:
    """Items in order, calls, recorded events and findings, with the source that gives the text.

    `envelope` is the number of leading system items. `next_call` is the request after the last recorded one,
    sent with the whole transcript. `pairs` maps (position of a message, tool call id) to the position of the
    first result that answers that call. `request` is the text of the last run's request, where the source names it.
    """

    items: tuple[Item, ...]
    calls: tuple[Call, ...]
    next_call: Call
    source: BlockSource
    format: str
    format_why: str = ""
    files: tuple[FileFacts, ...] = ()
    session: str | None = None
    agent: str | None = None
    models: tuple[str, ...] = ()
    envelope: int = 0
    pairs: dict[tuple[int, str], int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    events: tuple[Event, ...] = ()
    agents: tuple[Subagent, ...] = ()
    paused: Paused | None = None
    log: LogFacts = LogFacts()
    request: str | None = None

    def blocks(self, at: int) -> Blocks:
        """Return the blocks of the item at position `at`."""
        return self.source.blocks(at)

    def all_calls(self) -> tuple[Call, ...]:
        """Return the recorded calls and the next one."""
        return (*self.calls, self.next_call)
