"""How does a Copilot CLI session become entries? Events in order; a subagent's are a transcript of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windowkeeper_cli.formats.body import Message
from windowkeeper_cli.formats.branches import abandoned
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.copilot.events import entry_of, metrics_of, usage_of
from windowkeeper_cli.formats.copilot.kinds import SILENT
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.fields import figure, text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.listed import each_record
from windowkeeper_cli.formats.named import named, part_number
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.unknown import counted
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.model.block import Blocks, Text
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.item import ASSISTANT, MODEL, SYSTEM, TOOL, USER
from windowkeeper_cli.model.transcript import Subagent


def read(reading: Reading) -> Draft:
    """Return the entries of the session or subagent that is asked for; raise UsageError where there is none."""
    return _Session(Gathering(reading)).draft()


class _Session:
    """Walks the events of one transcript; those of subagents wait in `side`, by the agent's id."""

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.parts: list[list[Message]] = [[]]
        self.side: dict[str, list[Message]] = {}
        self.seen: list[str] = []
        self.replies: dict[str, int] = {}
        self.early: list[tuple[str | None, Usage]] = []
        self.started: int | None = None
        self.system: Blocks | None = None
        self.others = 0
        self.agent: str | None = None
        self.ends: list[dict[str, Any]] = []

    def draft(self) -> Draft:
        """Return the draft of the transcript that is asked for."""
        found = self.found
        for event in each_record(found.reading.records):
            if isinstance(event.value, dict) and isinstance(event.value.get("data"), dict):
                self._sort(event)
            else:
                name = type_name(event.value)
                found.unknown(f"{name} without data" if "." in name else name, event.origin, event.place)
        for event in self._asked_for():
            self._take(event)
        self._end()
        found.seen = ", ".join(self.seen)
        made = found.draft()
        if self.agent is not None:
            made.agent = self.agent
            first = next((at for at, entry in enumerate(made.entries) if entry.role == USER), -1)
            if first >= 0:
                made.entries[first] = made.entries[first]._replace(authored_by=MODEL, request=True)
        return made

    def _sort(self, event: Message) -> None:
        """Put an event to its transcript; a rewind and a cleared context are done here."""
        value, kind = event.value, event.value.get("type")
        agent = text_or_none(value, "agentId") or text_or_none(value["data"], "parentToolCallId")
        if agent is not None:
            self.side.setdefault(agent, []).append(event)
        elif kind == "session.snapshot_rewind":
            self._rewind(value["data"].get("upToEventId"))
        elif kind == "session.context_cleared":
            self.parts.append([])
        else:
            self.parts[-1].append(event)

    def _rewind(self, target: Any) -> None:
        """Take back the event that a person went back to and all after it; what they held is counted."""
        part = self.parts[-1]
        at = next((n for n, event in enumerate(part) if event.value.get("id") == target), len(part))
        gone = [event for event in part[at:] if "type" in event.value and entry_of(event)]
        del part[at:]
        if gone:
            first, replies = gone[0], sum(event.value["type"] == "assistant.message" for event in gone)
            where = self.found.reading.where(first.origin, first.place)
            ident = text_or_none(first.value, "id")
            self.found.findings.append(abandoned(where, first.origin.line, ident, len(gone), replies))
            self.found.branches += 1
            self.found.left += [None] * replies

    def _asked_for(self) -> list[Message]:
        """Return the events of the part or the subagent that is read, and tell of the others."""
        found = self.found
        self._facts([event for part in self.parts for event in part])
        if found.reading.agent is not None:
            self.agent = named(self.side, found.reading.agent, "agent")
            return self.side[self.agent]
        parts = [part for part in self.parts if any(_speaks(event) for event in part)]
        if not parts:
            self.agent = next(iter(self.side), None)
            return self.side[self.agent] if self.agent is not None and len(self.side) == 1 else []
        found.agents = [self._described(agent, events) for agent, events in self.side.items()]
        found.parts = len(parts)
        found.part = part_number(found.reading.part, len(parts))
        return parts[found.part - 1]

    def _described(self, agent: str, events: Sequence[Message]) -> Subagent:
        replies = [event for event in events if event.value.get("type") == "assistant.message"]
        where = self.found.reading.where(events[0].origin, events[0].place)
        return Subagent(agent, len(replies), None, where)

    def _facts(self, events: Sequence[Message]) -> None:
        """Keep what the session says of itself."""
        found = self.found
        for event in events:
            kind, data = event.value.get("type"), event.value["data"]
            if kind in ("session.start", "session.resume"):
                context = data.get("context")
                found.session = found.session or text_or_none(data, "sessionId")
                found.version = found.version or text_or_none(data, "copilotVersion")
                found.cwd = found.cwd or (text_or_none(context, "cwd") if isinstance(context, dict) else None)
            elif kind == "session.shutdown":
                self.ends.append(data)

    def _take(self, event: Message) -> None:
        found, kind, data = self.found, type_name(event.value), event.value["data"]
        entry = entry_of(event) if "type" in event.value else None
        if entry is not None:
            self._add(entry)
        elif kind == "assistant.usage":
            self._report(data)
        elif kind == "session.compaction_start":
            self.started = len(found.entries)
        elif kind == "session.compaction_complete":
            self._compact(event, data)
        elif kind == "session.truncation":
            gone = counted(figure(data, "messagesRemovedDuringTruncation"), "message")
            self.seen.append(f"line {event.origin.line}: a truncation took {gone}, which the log does not name")
        elif kind not in SILENT and kind not in ("session.start", "session.resume", "session.shutdown"):
            found.unknown(kind, event.origin, event.place)

    def _add(self, entry: Entry) -> None:
        """Take an entry; the system text once, and the further parts of a reply with its first."""
        found = self.found
        if entry.role == SYSTEM and self.system is not None:
            self.others += entry.blocks != self.system
            return
        if entry.role == SYSTEM:
            self.system = entry.blocks
        ident = entry.reply.message_id
        if entry.role == ASSISTANT and ident is not None:
            at = self.replies.setdefault(ident, len(found.entries))
            if at < len(found.entries):
                found.entries[at] = _joined(found.entries[at], entry)
                return
        found.add([entry])
        if entry.role == ASSISTANT and self.early:
            early, self.early = self.early, []
            for named, usage in early:
                self._give(named, usage)

    def _report(self, data: dict[str, Any]) -> None:
        usage = usage_of(data)
        if usage is not None:
            self._give(text_or_none(data, "apiCallId"), usage)

    def _give(self, ident: str | None, usage: Usage) -> None:
        """Give reported tokens to the reply with their id, else to the last one; they may come before it."""
        entries = self.found.entries
        last = next((at for at in reversed(range(len(entries))) if entries[at].role == ASSISTANT), -1)
        at = last if ident is None else self.replies.get(ident, -1)
        if at < 0 or entries[at].reply.usage is not None:
            self.early.append((ident, usage))
        else:
            entries[at] = entries[at]._replace(reply=entries[at].reply._replace(usage=usage))

    def _compact(self, event: Message, data: dict[str, Any]) -> None:
        """Take a compaction; what came while it ran in the background was kept, but results whose calls left."""
        found, started = self.found, self.started
        self.started = None
        if data.get("success") is not True:
            return
        start = len(found.entries) if started is None else started
        while start < len(found.entries) and found.entries[start].role == TOOL:
            start += 1
        summary = text_or_none(data, "summaryContent")
        found.compaction(
            event.origin,
            event.place,
            () if summary is None else (Text(summary),),
            range(start, len(found.entries)),
            trigger=text_or_none(data, "trigger"),
            pre_tokens=data.get("preCompactionTokens"),
        )

    def _end(self) -> None:
        """Tell what the end of the session sums up: one call's tokens where there was one, else those of all."""
        if self.others:
            self.seen.append(f"{counted(self.others, 'other system text')} than the first, which stands for all")
        metrics = [one for data in self.ends[-1:] for one in metrics_of(data)]
        whole = total([usage for _, usage in metrics])
        if whole is None or self.agent is not None or len(self.ends) > 1:
            return
        requests, replies = sum(count for count, _ in metrics), self.found.replies
        if requests == replies == 1:
            self._give(None, whole)
        else:
            self.found.whole = whole
            self.seen.append(
                f"{counted(requests, 'request')} of {whole.prompt:,} prompt and {whole.output:,} output tokens together"
            )


def _joined(first: Entry, more: Entry) -> Entry:
    """Return a reply with a further part of it."""
    return first._replace(
        blocks=(*first.blocks, *more.blocks),
        calls=(*first.calls, *more.calls),
        call_places=(*first.call_places, *more.call_places),
        origins=(*first.origins, *more.origins),
    )


def _speaks(event: Message) -> bool:
    return event.value.get("type") in ("user.message", "assistant.message")
