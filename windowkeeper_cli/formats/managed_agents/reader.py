"""How do the events of a managed agent session become entries? A reply is what its model request gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.content import KNOWN_OTHERS, Part, type_name, without_empty_texts
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.managed_agents import kinds
from windowkeeper_cli.formats.managed_agents.messages import given_in, result_in, time_of, told_in, usage_of
from windowkeeper_cli.formats.named import named
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.stream import Record
from windowkeeper_cli.formats.unknown import counted
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.model.item import ASSISTANT, MODEL
from windowkeeper_cli.model.transcript import Subagent

KNOWN = KNOWN_OTHERS | {"file"}


def read(reading: Reading) -> Draft:
    """Return the entries of the session's own thread or of `reading.agent`; raise UsageError where there is none."""
    found = Gathering(reading, KNOWN)
    threads = _threads(found)
    main = threads.pop("", None)
    if main is None and threads:
        # The events of one thread, each with its id.
        main = threads.pop(next(iter(threads)))
    walks = {name: _Thread(found.reading, lines) for name, lines in threads.items()}
    agent, chosen = reading.agent, None
    if agent is not None:
        chosen = named(walks, agent, "thread", "threads beside the session's own")
    walk = _Thread(reading, main or []) if chosen is None else walks[chosen]
    found.agents = [_described(reading, name, one) for name, one in walks.items()]
    return walk.draft(found, chosen)


def _threads(found: Gathering) -> dict[str, list[Message]]:
    """Return the events by the thread that they name; the session's own name none."""
    threads: dict[str, list[Message]] = {}
    seen: set[str] = set()
    for line in _events(found.reading.records):
        event = kinds.event_in(line.value)
        if event is None:
            found.unknown(_name(line.value), line.origin, line.place)
            continue
        ident = text_or_none(event, "id")
        if ident is not None and ident in seen:
            continue
        if ident is not None:
            seen.add(ident)
        kind = event["type"]
        found.session = found.session or text_or_none(event, "session_id")
        if not kinds.is_silent(kind):
            thread = text_or_none(event, "session_thread_id") or ""
            threads.setdefault(thread, []).append(Message(event, line.origin, line.place))
    return threads


def _events(records: Iterable[Record]) -> Iterator[Message]:
    """Yield the events of lines, lists and pages of the API."""
    for value, origin in records:
        listed = kinds.listed_in(value)
        path = "" if isinstance(value, list) else "data"
        for n, one in enumerate(listed):
            yield Message(one, origin, None if one is value else f"{path}[{n}]")


def _name(value: Any) -> str:
    return type_name(value.get("raw") if kinds.is_wrapped(value) else value)


def _described(reading: Reading, name: str, thread: _Thread) -> Subagent:
    usages = [entry.reply.usage for entry in thread.entries if entry.role == ASSISTANT]
    return Subagent(name, len(usages), total(usages), reading.where(thread.lines[0].origin, thread.lines[0].place))


class _Thread:
    """Walks the events of one thread: `entries` in order, and `cuts`, the compactions before an entry.

    While a request is open, what comes in between stands behind its reply. `given` is the reply so far.
    """

    def __init__(self, reading: Reading, lines: list[Message]) -> None:
        self.reading = reading
        self.lines = lines
        self.entries: list[Entry] = []
        self.cuts: list[tuple[int, Message]] = []
        self.failed = self.graded = 0
        self._given: list[tuple[Message, list[Part]]] = []
        self._behind: list[Entry] = []
        self._open: Message | None = None
        for line in lines:
            self._take(line)
        self._close(None)

    def draft(self, found: Gathering, agent: str | None) -> Draft:
        """Return the thread's draft."""
        at = 0
        for cut, line in self.cuts:
            found.add(self.entries[at:cut])
            found.event("compaction", line.origin, line.place, trigger="server")
            at = cut
        found.add(self.entries[at:])
        told = [f"{counted(self.failed, 'request')} failed"] if self.failed else []
        if self.graded:
            told.append(f"{counted(self.graded, 'outcome evaluation')} by calls that the log does not hold")
        found.seen = ", ".join(told)
        draft = found.draft()
        draft.agent = agent
        return draft

    def _take(self, line: Message) -> None:
        kind = line.value["type"]
        if kind in kinds.OUTPUTS:
            self._given.append((line, given_in(line.value)))
        elif kind == kinds.STARTS:
            self._close(None)
            self._open = line
        elif kind == kinds.ENDS:
            self._close(line)
        elif kind == kinds.COMPACTED:
            self._close(None)
            self.cuts.append((len(self.entries), line))
        elif kind in kinds.ANSWERS:
            self._add(result_in(line))
        elif kind == kinds.GRADED:
            self.graded += 1
            if line.value.get("explanation"):
                self._add(told_in(line))
        else:
            self._add(told_in(line))

    def _add(self, entry: Entry) -> None:
        if self._open is None:
            self._close(None)
            self.entries.append(entry)
        else:
            self._behind.append(entry)

    def _close(self, end: Message | None) -> None:
        """Close the reply that is open, with what the request reports at its end."""
        event = {} if end is None else end.value
        failed = event.get("is_error") is True and not self._given
        if self._given or (end is not None and not failed):
            self.entries.append(self._reply(end, event))
        self.failed += failed
        self.entries += self._behind
        self._given, self._behind, self._open = [], [], None

    def _reply(self, end: Message | None, event: dict[str, Any]) -> Entry:
        lines = [line for line, _ in self._given] or [line for line in (end,) if line is not None]
        parts = without_empty_texts([part for _, given in self._given for part in given])
        places = [
            line.origin.line if line.place is None else line.place
            for line, given in self._given
            for part in given
            if part.ref is not None
        ]
        first = self._open or lines[0]
        ident = text_or_none(event, "model_request_start_id") or text_or_none(first.value, "id")
        return Entry(
            ASSISTANT,
            tuple(part.block for part in parts),
            tuple(line.origin for line in lines),
            MODEL,
            place=lines[0].place,
            timestamp=time_of(first.value),
            calls=tuple(part.ref for part in parts if part.ref is not None),
            call_places=tuple(places),
            reply=Reply(ident, text_or_none(event, "model"), usage_of(event)),
        )
