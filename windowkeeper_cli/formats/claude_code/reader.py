"""Which transcript of a session log is read: the main chain, a part of it, or a subagent's; and what else is there?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from windowkeeper_cli.formats.claude_code import agents
from windowkeeper_cli.formats.claude_code.chain import Tree
from windowkeeper_cli.formats.claude_code.entries import Sent
from windowkeeper_cli.formats.claude_code.events import events_of
from windowkeeper_cli.formats.claude_code.left import left_behind
from windowkeeper_cli.formats.claude_code.lines import (
    ASSISTANT,
    KNOWN,
    LINKS,
    MESSAGES,
    Line,
    agent_line,
    read_line,
)
from windowkeeper_cli.formats.claude_code.merge import Merge
from windowkeeper_cli.formats.claude_code.parts import parts_of
from windowkeeper_cli.formats.claude_code.waiting import behind_results, taken_prompts, within
from windowkeeper_cli.formats.content import KNOWN_OTHERS, type_name
from windowkeeper_cli.formats.entry import Draft
from windowkeeper_cli.formats.fields import string_or_none
from windowkeeper_cli.formats.listed import objects_in, one_by_one
from windowkeeper_cli.formats.named import named, part_number
from windowkeeper_cli.formats.reading import CERTAIN, LIKELY, ElsewhereError, Reading, Verdict
from windowkeeper_cli.formats.sealing import Sealing
from windowkeeper_cli.formats.unknown import Unknowns
from windowkeeper_cli.formats.usage import total
from windowkeeper_cli.model.block import Other, ToolResult
from windowkeeper_cli.model.transcript import LogFacts, Subagent

WHAT = "session JSONL as Claude Code writes it"
SEVERAL_FILES = True
_SIGNS = ("uuid", "parentUuid", "sessionId")
_RARE = KNOWN - LINKS - {"summary", "tag", "mode"}


def recognise(values: list[Any]) -> Verdict | None:
    """Say whether the values are lines of a session log, and why."""
    objects = objects_in(values)
    for value in objects:
        kind = type_name(value)
        if kind in LINKS and "payload" not in value and sum(sign in value for sign in _SIGNS) >= 2:
            alone = all(type_name(other) in KNOWN and "payload" not in other for other in objects)
            return Verdict(CERTAIN, f"{kind} lines with uuid and sessionId", alone)
    for value in objects:
        told = type_name(value) in MESSAGES and isinstance(value.get("message"), dict)
        if told and any(sign in value for sign in _SIGNS):
            return Verdict(LIKELY, f"{value['type']} lines with a message")
    kinds = [type_name(value) for value in objects]
    rare = next((kind for kind in kinds if kind in _RARE), None)
    return Verdict(LIKELY, f"{rare} lines") if rare and all(kind in KNOWN for kind in kinds) else None


class _Sorted:
    """The lines of all files: the main chain's and the side ones, and what was counted while they were read."""

    def __init__(self) -> None:
        self.main: list[Line] = []
        self.side: list[Line] = []
        self.unknown = Unknowns("unknown-record")
        self.records = 0
        self.session: str | None = None
        self.version: str | None = None
        self.cwd: str | None = None


def read(reading: Reading) -> Draft:
    """Return the entries of the transcript that is asked for; raise UsageError where there is no such one."""
    found = _sorted(reading)
    facts = _Facts(reading, found)
    if reading.agent is not None:
        return facts.subagent(reading.agent)
    if not any(line.is_message for line in found.main) and any(line.is_message for line in found.side):
        return facts.only_subagent()
    return facts.main()


def results_again(value: Any) -> Iterator[ToolResult]:
    """Yield the results that stand alone in a record which is read once more."""
    from windowkeeper_cli.formats.claude_code.again import results_in

    return results_in(value)


def _sorted(reading: Reading) -> _Sorted:
    found = _Sorted()
    merge = Merge(len(reading.files))
    sealing = Sealing(reading.measure, keeps_text=reading.keeps_text)
    pos, last = 0, dict[str, Any]()
    known = 0
    for record in one_by_one(reading.records):
        line = read_line(record, pos, sealing)
        if line is None:
            if not merge.is_copy_of_unknown(record):
                known += type(record.value) is dict
                found.unknown.add(_name(record.value), reading.where(record.origin), record.origin.line)
            continue
        kept = merge.kept(line, record.value)
        if kept is None:
            continue
        known += 1
        pos += 1
        kind = line.kind
        if kind == "progress":
            inner = agent_line(record, pos, sealing)
            inner = None if inner is None else merge.kept(inner, record.value)
            if inner is not None:
                pos += 1
                found.side.append(inner)
        elif kind in MESSAGES and line.uuid is not None and not line.synthetic:
            last = record.value
        if found.cwd is None:
            found.cwd = string_or_none(record.value, "cwd")
        (found.side if line.side else found.main).append(kept)
    found.records = known
    found.session, found.version = string_or_none(last, "sessionId"), string_or_none(last, "version")
    return found


def _name(value: Any) -> str:
    kind = type_name(value)
    return f"{kind} without a message" if kind in LINKS else kind


class _Facts:
    """Builds the draft of one transcript out of the sorted lines."""

    def __init__(self, reading: Reading, found: _Sorted) -> None:
        self.reading = reading
        self.found = found
        self.agents = agents.by_agent(found.side)
        self.path = reading.files[0].path

    def main(self) -> Draft:
        tree = Tree(self.found.main)
        roots = tree.roots()
        parts = parts_of(tree, roots)
        if not parts:
            return Draft()
        return self._draft(tree, roots, parts, part_number(self.reading.part, len(parts)) - 1, None)

    def subagent(self, name: str) -> Draft:
        """Return the subagent's transcript whose id is, or alone begins with, `name`."""
        beside = dict(self._files())
        names = [*self.agents, *(agent for agent in beside if agent not in self.agents)]
        agent = named(names, name, "agent")
        if agent in self.agents:
            return self._side(self.agents[agent], agent)
        raise ElsewhereError(beside[agent])

    def only_subagent(self) -> Draft:
        """Return the transcript of a file that holds side lines alone."""
        lines = [line._replace(side=False) for line in self.found.side]
        agent = next((line.agent for line in lines if line.agent), None)
        self.agents = {}
        merged = sorted([*lines, *self.found.main], key=lambda line: line.pos)
        return self._side(merged, agent)

    def _side(self, lines: Sequence[Line], agent: str | None) -> Draft:
        tree = Tree([line._replace(side=False) for line in lines])
        roots = tree.roots()
        parts = parts_of(tree, roots)
        return self._draft(tree, roots, parts, len(parts) - 1, agent or "subagent")

    def _draft(
        self, tree: Tree, roots: list[int], parts: list[tuple[int, int]], number: int, agent: str | None
    ) -> Draft:
        root, start = parts[number]
        met = tree.walk(start)
        chain = [tree.lines[at] for at in sorted(met)]
        names = [opened.name for opened in self.reading.files]
        taken = [] if agent else behind_results(within(taken_prompts(self.found.main), tree, met), chain)
        sent = Sent(chain, taken, subagent=agent is not None)
        findings, branches = left_behind(tree, roots, met, root, {r for r, _ in parts}, names)
        draft = Draft(
            entries=sent.entries,
            findings=[*self.found.unknown.findings(), *findings],
            events=events_of(chain, sent, names),
            agents=self._listed(),
            session=self.found.session,
            agent=agent,
            again=results_again,
        )
        draft.log = self._log(draft, chain, branches, number + 1, len(parts))
        return draft

    def _log(self, draft: Draft, chain: Sequence[Line], branches: int, part: int, parts: int) -> LogFacts:
        found = self.found
        blocks = Unknowns("unknown-block")
        for line in chain:
            for block in line.blocks:
                if type(block) is Other and block.kind not in KNOWN_OTHERS:
                    blocks.add(block.kind, self.reading.where(line.origin), line.origin.line)
        draft.findings.extend(blocks.findings())
        replies = [entry.reply.usage for entry in draft.entries if entry.role == ASSISTANT]
        alone = draft.agent is not None or (branches == 0 and parts == 1)
        mains = replies if alone else agents.replies_of(found.main)
        sides = [usage for own in self.agents.values() for usage in agents.replies_of(own)]
        return LogFacts(
            records=found.records,
            version=found.version,
            cwd=found.cwd,
            part=part,
            parts=parts,
            unmeasured=replies.count(None),
            main_calls=len(mains),
            main_usage=total(mains),
            side_calls=len(sides),
            side_usage=total(sides),
            side_blocks=agents.block_counts([line for own in self.agents.values() for line in own]),
            synthetic_lines=tuple(line.origin.line for line in found.main if line.synthetic),
            unknown_records=found.unknown.counted(),
            unknown_blocks=blocks.counted(),
            branches=branches,
        )

    def _files(self) -> list[tuple[str, Path]]:
        return [] if self.path is None else agents.files_beside(self.path, self.found.session)

    def _listed(self) -> tuple[Subagent, ...]:
        listed = [
            agents.described(agent, lines, self.reading.where(lines[0].origin)) for agent, lines in self.agents.items()
        ]
        for agent, path in self._files():
            if agent not in self.agents:
                listed.append(agents.described(agent, agents.replies_in(path), str(path)))
        return tuple(listed)
