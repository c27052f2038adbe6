"""Which replies does a rollout file hold, what was sent with each, and what did Codex replace?"""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.body import Message, unknown_name
from windowkeeper_cli.formats.branches import abandoned
from windowkeeper_cli.formats.codex.compacted import Compaction
from windowkeeper_cli.formats.codex.lines import COMPACTED, EVENT, ITEM, META, SILENT, TURN, parent_of, part_of
from windowkeeper_cli.formats.codex.people import People
from windowkeeper_cli.formats.codex.usage import Counts
from windowkeeper_cli.formats.content import type_name
from windowkeeper_cli.formats.entry import Draft, Entry, Reply
from windowkeeper_cli.formats.fields import text_or_none
from windowkeeper_cli.formats.gathering import Gathering
from windowkeeper_cli.formats.listed import each_record
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.responses.grouping import Placed, entry_of, groups, single, unfollowed
from windowkeeper_cli.formats.responses.items import KNOWN, contents, item_of
from windowkeeper_cli.model.block import Blocks
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import ASSISTANT, HARNESS, SYSTEM, TOOL, USER

_ENDS = frozenset(("task_started", "task_complete", "turn_started", "turn_complete", "turn_aborted"))
"""Events behind which no reply goes on that was begun before."""


def read_rollout(reading: Reading) -> Draft:
    """Return the entries of the rollout file."""
    session = _Session(Gathering(reading, KNOWN))
    for line in each_record(reading.records):
        session.take(line)
    return session.draft()


class _Session:
    """Walks the lines; `held` are the items since the last reply that ended.

    `early` is the usage of a token count that came before the items of its reply, `measured` that the items held
    are those. `base` counts the system texts of the session line. `missing` are leading system texts that a
    compaction left out.
    """

    def __init__(self, found: Gathering) -> None:
        self.found = found
        self.people = People(found.entries)
        self.counts = Counts()
        self.held: list[Placed] = []
        self.early: Usage | None = None
        self.measured: Usage | None = None
        self.model: str | None = None
        self.base = 0
        self.spawned = False
        self.missing: dict[Blocks, int] = {}
        self.loose: list[tuple[int, list[Finding]]] = []

    def take(self, line: Message) -> None:
        """Take the next line."""
        if not isinstance(line.value, dict):
            self.found.unknown(unknown_name(line.value), line.origin, line.place)
            return
        kind, payload = part_of(line.value)
        if kind == ITEM:
            self._item(line, payload)
        elif kind == EVENT:
            self._event(payload)
        elif kind == META:
            self._meta(line, payload)
        elif kind == TURN:
            self.model = text_or_none(payload, "model") or self.model
            self.found.cwd = self.found.cwd or text_or_none(payload, "cwd")
        elif kind == COMPACTED:
            self._compact(line, payload)
        elif kind != SILENT:
            self.found.unknown(kind, line.origin, line.place)

    def draft(self) -> Draft:
        """Return the draft of the whole file; reasoning at its very end may still be followed."""
        self._flush()
        self.people.close()
        found = self.found
        last = len(found.entries) - 1
        found.findings += [finding for at, findings in self.loose if at < last for finding in findings]
        draft = found.draft()
        draft.agent = found.session if self.spawned else None
        return draft

    def _meta(self, line: Message, payload: dict[str, Any]) -> None:
        found = self.found
        if found.session is not None:
            return
        found.session = text_or_none(payload, "id")
        found.cwd, found.version = text_or_none(payload, "cwd"), text_or_none(payload, "cli_version")
        self.spawned = parent_of(payload) is not None
        told = payload.get("base_instructions")
        text = told.get("text") if isinstance(told, dict) else told
        if isinstance(text, str) and text and not found.entries:
            found.add([Entry(SYSTEM, contents(text), (line.origin,), HARNESS, place=line.place)])
            self.base = 1

    def _item(self, line: Message, payload: dict[str, Any]) -> None:
        item = item_of(payload)
        if item is None:
            self.found.unknown(f"message of the role {payload.get('role')}", line.origin, line.place)
            return
        placed = Placed(item, line.origin, line.place, text_or_none(line.value, "timestamp"))
        if item.role == ASSISTANT:
            if self.measured is not None and self.held[-1].item.role == TOOL:
                self._flush()
            if self.early is not None:
                self.early, self.measured = None, self.early
            self.held.append(placed)
        elif item.role == TOOL:
            self.held.append(placed)
        else:
            self._flush()
            self._told(placed)

    def _told(self, placed: Placed) -> None:
        """Take a user's or a developer's message; a leading one that a compaction left out comes back as itself."""
        entry = single(placed)._replace(authored_by=HARNESS, request=False)
        at = self.missing.pop(entry.blocks, -1) if entry.role == SYSTEM else -1
        if at >= 0:
            before = self.found.entries[at]
            self.found.entries[at] = before._replace(origins=(*before.origins, *entry.origins))
            return
        self.found.add([entry])
        if entry.role == USER:
            self.people.sent(len(self.found.entries) - 1)

    def _event(self, payload: dict[str, Any]) -> None:
        kind = type_name(payload)
        if kind == "token_count":
            self._count(payload)
        elif kind == "user_message":
            self.people.shown(payload.get("message"))
        elif kind == "thread_rolled_back":
            self._flush()
            self._roll_back(payload.get("num_turns"))
        elif kind in _ENDS:
            self._flush()

    def _count(self, payload: dict[str, Any]) -> None:
        usage = self.counts.advance(payload)
        if usage is None:
            return
        begun = any(placed.item.role == ASSISTANT for placed in self.held)
        if begun and self.measured is None:
            self.measured = usage
            self._flush()
        else:
            self._flush()
            self.early = usage

    def _flush(self) -> None:
        """Let the replies among the items held end: one where a usage measures it, else one after each result."""
        held, usage = self.held, self.measured
        self.held, self.measured = [], None
        said = [placed for placed in held if placed.item.role == ASSISTANT]
        first = next((n for n, placed in enumerate(held) if placed.item.role == ASSISTANT), len(held))
        parts = [[placed] for placed in held[:first]]
        if usage is not None:
            parts += [said, *([placed] for placed in held[first:] if placed.item.role != ASSISTANT)]
        else:
            parts += groups(held[first:])
        reply = Reply(None, self.model, usage)
        for part in parts:
            if part[0].item.role == ASSISTANT:
                self.loose.append((len(self.found.entries), unfollowed(part, self.found.reading)))
                self.missing = {}
            self.found.add([entry_of(part, reply)])

    def _compact(self, line: Message, payload: dict[str, Any]) -> None:
        """Take a compaction; a token count right before it tells of the request that it made itself."""
        self._flush()
        found = self.found
        if self.early is not None:
            found.left.append(self.early)
            self.early = None
        made = Compaction(found.entries, payload, self.base)
        found.event("compaction", line.origin, line.place, **made.facts(line.origin.line))
        self.missing = made.missing

    def _roll_back(self, turns: object) -> None:
        """Leave what the last turns brought: Codex takes back whole turns, each from a person's message on."""
        found = self.found
        asked = [at for at, entry in enumerate(found.entries) if entry.request]
        if type(turns) is not int or turns <= 0 or not asked:
            return
        at = asked[max(0, len(asked) - turns)]
        gone = found.entries[at:]
        del found.entries[at:]
        usages = [entry.reply.usage for entry in gone if entry.role == ASSISTANT]
        found.left += usages
        found.replies -= len(usages)
        found.branches += 1
        found.events[:] = [event for event in found.events if event.at <= at]
        self.loose = [(n, findings) for n, findings in self.loose if n < at]
        self.people.cut(at)
        origin = gone[0].origins[0]
        where = found.reading.where(origin, gone[0].place)
        found.findings.append(abandoned(where, origin.line, None, len(gone), len(usages)))
