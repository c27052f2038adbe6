"""Which lines are one transcript? The walk up the parents, with what a plain walk would lose.

From the last message up; a parent that names no line goes on at the nearest earlier message; a compaction is
crossed; all lines of every message id met, and the first result of every tool call, come with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.claude_code.lines import ASSISTANT, NO_PARENT_KEY, SYSTEM, USER, Line
from windowkeeper_cli.model.block import ToolResult

BOUNDARY, MICRO_BOUNDARY = "compact_boundary", "microcompact_boundary"


def is_boundary(line: Line) -> bool:
    """Return whether the line is a compaction's."""
    return line.kind == SYSTEM and line.value is not None and line.value.get("subtype") == BOUNDARY


class Tree:
    """The lines of one chain or several, linked upwards; positions are indexes into `lines`."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.by_uuid: dict[str, int] = {}
        self.dangling: list[int] = []
        self.parents: list[int] = []
        for at, line in enumerate(lines):
            if line.uuid is not None:
                self.by_uuid.setdefault(line.uuid, at)
        self._link()
        if not any(at >= 0 for at in self._named):
            self._in_file_order()

    def walk(self, start: int) -> set[int]:
        """Return the lines of the chain that ends at `start`."""
        met: set[int] = set()
        at = start
        while at >= 0 and at not in met:
            met.add(at)
            at = self.parents[at]
        return self._completed(met) | self._aside(met)

    def _aside(self, met: set[int]) -> set[int]:
        """Return the microcompactions that hang off the chain: one before a compaction is no link of it."""
        return {
            at
            for at, line in enumerate(self.lines)
            if line.kind == SYSTEM
            and self.parents[at] in met
            and line.value is not None
            and line.value.get("subtype") == MICRO_BOUNDARY
        }

    def roots(self) -> list[int]:
        """Return for every line the index of the root that its chain begins with."""
        roots = [-1] * len(self.lines)
        for at in range(len(self.lines)):
            path: list[int] = []
            here = at
            on_path: set[int] = set()
            while roots[here] < 0 and self.parents[here] >= 0 and here not in on_path:
                on_path.add(here)
                path.append(here)
                here = self.parents[here]
            root = roots[here] if roots[here] >= 0 else here
            roots[here] = root
            for step in path:
                roots[step] = root
        return roots

    def _link(self) -> None:
        self._named: list[int] = []
        before = -1
        for at, line in enumerate(self.lines):
            named = -1 if line.parent in (None, NO_PARENT_KEY) else self.by_uuid.get(str(line.parent), -1)
            self._named.append(named)
            parent = named
            if is_boundary(line):
                logical = line.value.get("logicalParentUuid") if line.value else None
                parent = self.by_uuid.get(logical, before) if isinstance(logical, str) else before
                if parent == at:
                    parent = before
            elif line.parent is NO_PARENT_KEY or line.parent == NO_PARENT_KEY:
                parent = before
            elif line.parent is not None and named < 0:
                parent = before
                self.dangling.append(at)
            self.parents.append(parent)
            if line.is_message:
                before = at

    def _in_file_order(self) -> None:
        """No line names another: the file is its own order."""
        before = -1
        for at, line in enumerate(self.lines):
            self.parents[at] = before
            if line.is_message:
                before = at

    def _completed(self, met: set[int]) -> set[int]:
        """Add all lines of every message id met, and the first result of each of their tool calls."""
        replies = {self.lines[at].reply for at in met if self.lines[at].kind == ASSISTANT and not self.lines[at].synthetic}
        chain = set(met)
        asked: set[str] = set()
        for at, line in enumerate(self.lines):
            if line.kind == ASSISTANT and line.reply in replies and not line.synthetic:
                chain.add(at)
                asked.update(part.ref.id for part in line.parts if part.ref)
        for at, line in enumerate(self.lines):
            if line.kind != USER or not asked:
                continue
            for part in line.parts:
                if isinstance(part.block, ToolResult) and part.block.id in asked:
                    asked.discard(part.block.id)
                    chain.add(at)
        return chain
