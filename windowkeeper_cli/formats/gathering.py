"""What is found while the records of a session log are walked? Entries, unknown types and facts, kept in one place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from windowkeeper_cli.formats.content import KNOWN_OTHERS
from windowkeeper_cli.formats.entry import Draft, Entry
from windowkeeper_cli.formats.reading import Reading
from windowkeeper_cli.formats.unknown import Unknowns
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.model.block import Blocks, Other
from windowkeeper_cli.model.call import Usage
from windowkeeper_cli.model.event import Event
from windowkeeper_cli.model.finding import Finding
from windowkeeper_cli.model.item import ASSISTANT, USER, Origin
from windowkeeper_cli.model.payload import item_id, payload
from windowkeeper_cli.model.transcript import LogFacts, Subagent


@dataclass
class Gathering:
    """Takes entries, events and findings in order; `known` are the types of blocks kept verbatim that are no news.

    `left` holds the usage of every reply that stands in the log and not in the transcript, `synthetic` the lines of
    replies that no model gave. `whole` is the usage of all calls together, where the log has no other.
    """

    reading: Reading
    known: frozenset[str] = KNOWN_OTHERS
    entries: list[Entry] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    agents: list[Subagent] = field(default_factory=list)
    left: list[Usage | None] = field(default_factory=list)
    synthetic: list[int] = field(default_factory=list)
    whole: Usage | None = None
    session: str | None = None
    version: str | None = None
    cwd: str | None = None
    branches: int = 0
    part: int = 1
    parts: int = 1
    seen: str = ""
    replies: int = 0
    _records: Unknowns = field(default_factory=lambda: Unknowns("unknown-record"))
    _blocks: Unknowns = field(default_factory=lambda: Unknowns("unknown-block"))

    def add(self, entries: Iterable[Entry]) -> None:
        """Take further entries; their blocks of unknown types are counted."""
        for entry in entries:
            self.entries.append(entry)
            self.replies += entry.role == ASSISTANT
            for block in entry.blocks:
                if isinstance(block, Other) and block.kind not in self.known:
                    origin = entry.origins[0]
                    self._blocks.add(block.kind, self.reading.where(origin, entry.place), origin.line)

    def unknown(self, name: str, origin: Origin, place: str | None = None) -> None:
        """Count a record of a type that the reader does not know."""
        self._records.add(name, self.reading.where(origin, place), origin.line)

    def event(
        self, kind: str, origin: Origin, place: str | None = None, *, at: int | None = None, **more: object
    ) -> None:
        """Take a recorded event that stands before the next entry or `at`; the next call is the first sent after it."""
        where = self.reading.where(origin, place)
        before = len(self.entries) if at is None else at
        made = Event(kind, before, self.replies + 1, where, origin.line, **more)  # type: ignore[arg-type]
        self.events.append(made)

    def compaction(
        self,
        origin: Origin,
        place: str | None,
        summary: Blocks,
        kept: Iterable[int],
        *,
        trigger: str | None = None,
        pre_tokens: object = None,
    ) -> None:
        """Take a compaction here: its summary, and the positions before it that stayed verbatim."""
        self.event(
            "compaction",
            origin,
            place,
            trigger=trigger,
            pre_tokens=pre_tokens if type(pre_tokens) is int else None,
            summary=summary,
            summary_id=item_id(payload(USER, summary)) if summary else None,
            summary_line=origin.line if summary else None,
            kept=tuple(kept),
        )

    def draft(self) -> Draft:
        """Return all that was taken as a draft."""
        usages = [entry.reply.usage for entry in self.entries if entry.role == ASSISTANT]
        log = LogFacts(
            version=self.version,
            cwd=self.cwd,
            part=self.part,
            parts=self.parts,
            unmeasured=usages.count(None),
            main_calls=len(usages) + len(self.left),
            main_usage=total([*usages, *self.left]) or self.whole,
            side_calls=sum(agent.calls for agent in self.agents),
            side_usage=total([agent.usage for agent in self.agents]),
            synthetic_lines=tuple(self.synthetic),
            unknown_records=self._records.counted(),
            unknown_blocks=self._blocks.counted(),
            branches=self.branches,
        )
        findings = [*self._records.findings(), *self.findings, *self._blocks.findings()]
        return Draft(
            entries=self.entries,
            findings=findings,
            events=tuple(self.events),
            agents=tuple(self.agents),
            session=self.session,
            seen=self.seen,
            log=log,
        )
