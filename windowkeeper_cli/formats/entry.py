"""What does a format hand over? Entries in order, one for each item, and the facts of its source."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from windowkeeper_cli.formats.sealing import Sealed
from windowkeeper_cli.model.block import Blocks, ToolResult
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import CallRef, Origin
from windowkeeper_cli.model.transcript import LogFacts, Paused, Subagent
from windowkeeper_cli.model.value import NamedTuple, dataclass


class Flags(NamedTuple):
    """What an author says of a message, as our own format keeps it."""

    pinned: bool = False
    task: bool = False
    tags: tuple[str, ...] = ()
    ttl_turns: int | None = None
    effect: str | None = None
    stage: str | None = None


class Reply(NamedTuple):
    """What an assistant message says of the call that produced it."""

    message_id: str | None = None
    model: str | None = None
    usage: Usage | None = None


NO_FLAGS, NO_REPLY = Flags(), Reply()


class Entry(NamedTuple):
    """One item to be: a tool result is alone in its entry, an assistant message holds its calls.

    `place` is the path inside a document; an entry without one is named by file and line. `calls` stand in the
    order of the blocks, `call_places` (a path, or a line) beside them.
    `expands` is the index of the request that a harness-authored message spells out. `sealed` is what was taken of
    a result while it was read; its block then has no content.
    """

    role: str
    blocks: Blocks
    origins: tuple[Origin, ...]
    authored_by: str
    request: bool = False
    place: str | None = None
    timestamp: str | None = None
    calls: tuple[CallRef, ...] = ()
    call_places: tuple[str | int, ...] = ()
    reply: Reply = NO_REPLY
    flags: Flags = NO_FLAGS
    expands: int = -1
    sealed: Sealed | None = None


@dataclass(slots=True)
class Draft:
    """A transcript before its shared rules: positions in `events` and `expands` count entries.

    `request` is the text of the last run, where the source names it. `seen` says more of what was found, for the
    format's why. `again` gives the results that stand alone in a record which is read once more.
    """

    entries: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    events: tuple[Event, ...] = ()
    agents: tuple[Subagent, ...] = ()
    session: str | None = None
    agent: str | None = None
    paused: Paused | None = None
    request: str | None = None
    seen: str = ""
    again: Callable[[Any], Iterable[ToolResult]] | None = None
    log: LogFacts = field(default_factory=LogFacts)
