"""Which lines are one transcript? The walk up the parents, with what a plain walk would lose.

From the last message up; a parent that names no line goes on at the nearest earlier message; a compaction is
crossed; all lines of every message id met, and the first result of every tool call, come with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.claude_code.lines import ASSISTANT, MESSAGES, NO_PARENT_KEY, SYSTEM, USER, Line
from windowkeeper_cli.model.block import ToolResult

BOUNDARY, MICRO_BOUNDARY = "compact_boundary", "microcompact_boundary"


class Tree:
    """The lines of one chain or several, linked upwards; positions are indexes into `lines`."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.by_uuid: dict[str, int] = {}
        self.dangling: list[int] = []
        self.parents: list[int] = []
        self._replies: dict[str, list[int]] = {}
        self._answers: dict[str, int] = {}
        self._micro: list[int] = []
        self._linked = False
        for at in range(len(lines) - 1, -1, -1):
            uuid = lines[at].uuid
            if uuid is not None:
                self.by_uuid[uuid] = at
        self._link()
        if not self._linked:
            self._in_file_order()

    def walk(self, start: int) -> set[int]:
        """Return the lines of the chain that ends at `start`, with what hangs off it and belongs to it."""
        parents, lines = self.parents, self.lines
        met: set[int] = set()
        replies: set[str | None] = set()
        at = start
        while at >= 0 and at not in met:
            met.add(at)
            line = lines[at]
            reply = line.reply
            if reply is not None and not line.synthetic:
                replies.add(reply)
            at = parents[at]
        aside = [micro for micro in self._micro if parents[micro] in met]
        for reply in replies:
            own = self._replies.get(reply or "", ())
            met.update(own)
            for at in own:
                for ref in lines[at].calls:
                    answer = self._answers.get(ref.id)
                    if answer is not None:
                        met.add(answer)
        met.update(aside)
        return met

    def roots(self) -> list[int]:
        """Return for every line the index of the root that its chain begins with."""
        roots: list[int] = []
        for at, parent in enumerate(self.parents):
            if parent < at:
                roots.append(at if parent < 0 else roots[parent])
            else:
                roots.append(self._root(at))
        return roots

    def _root(self, at: int) -> int:
        """Return the root of a line whose parent stands behind it; where parents go round, the lowest line."""
        seen: set[int] = set()
        while self.parents[at] >= 0 and at not in seen:
            seen.add(at)
            at = self.parents[at]
        return at if self.parents[at] < 0 else min(seen)

    def _link(self) -> None:
        before = -1
        by_uuid, answers, replies = self.by_uuid, self._answers, self._replies
        for at, line in enumerate(self.lines):
            above, kind = line.parent, line.kind
            parent = -1 if above is None else by_uuid.get(above, -1)
            if parent >= 0:
                self._linked = True
            elif above is not None:
                parent = before
                if above != NO_PARENT_KEY:
                    self.dangling.append(at)
            if kind == SYSTEM:
                parent = self._system(at, line, parent, before)
            self.parents.append(parent)
            if kind == USER:
                before = at
                for block in line.blocks:
                    if type(block) is ToolResult:
                        answers.setdefault(block.id, at)
            elif kind == ASSISTANT and not line.synthetic:
                before = at
                replies.setdefault(line.reply or "", []).append(at)

    def _system(self, at: int, line: Line, parent: int, before: int) -> int:
        """Return the parent of a system line: a compaction's is the line before it that it names."""
        subtype = line.value.get("subtype") if line.value else None
        if subtype == MICRO_BOUNDARY:
            self._micro.append(at)
        if subtype != BOUNDARY or line.value is None:
            return parent
        logical = line.value.get("logicalParentUuid")
        parent = self.by_uuid.get(logical, before) if isinstance(logical, str) else before
        return before if parent == at else parent

    def _in_file_order(self) -> None:
        """No line names another: the file is its own order."""
        before = -1
        for at, line in enumerate(self.lines):
            self.parents[at] = before
            if line.is_message:
                before = at


def removals(chain: Sequence[Line]) -> list[str]:
    """Return for each line of a chain which removal it tells of, by the subtype of its boundary; empty where none.

    A summary that no boundary announces is all that tells of its compaction: logs that begin with one have no boundary,
    and a boundary may be lost.
    """
    found: list[str] = []
    announced = False
    for line in chain:
        told = ""
        if line.kind == SYSTEM:
            subtype = line.value.get("subtype") if line.value else None
            told = subtype if subtype in (BOUNDARY, MICRO_BOUNDARY) else ""
            announced = announced or told == BOUNDARY
        elif line.kind in MESSAGES:
            told = BOUNDARY if line.summary and not announced else ""
            announced = False
        found.append(told)
    return found
