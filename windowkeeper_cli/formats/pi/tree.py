"""Which records of a pi session lead to its last one, and which were left on other branches?"""

from __future__ import annotations

from collections.abc import Sequence

from windowkeeper_cli.formats.body import Message


class Tree:
    """The records of a session by their parents; a session of version 1 names none and is one line of records.

    `path` holds the positions from the first record to the last; `dangling` those on it whose parent is lost.
    """

    def __init__(self, lines: Sequence[Message]) -> None:
        self._lines = lines
        self._linked = any("parentId" in line.value for line in lines)
        self.by_id: dict[str, int] = {}
        self.dangling: list[int] = []
        self._parents = self._found() if self._linked else [at - 1 for at in range(len(lines))]
        self.path = self._walked()

    def _found(self) -> list[int]:
        for at, line in enumerate(self._lines):
            ident = line.value.get("id")
            if isinstance(ident, str):
                self.by_id[ident] = at
        parents: list[int] = []
        for at, line in enumerate(self._lines):
            above = line.value.get("parentId")
            parent = self.by_id.get(above, -1) if isinstance(above, str) else -1
            if above is not None and parent < 0:
                self.dangling.append(at)
                parent = at - 1
            parents.append(parent)
        return parents

    def _walked(self) -> list[int]:
        path: list[int] = []
        met: set[int] = set()
        at = len(self._lines) - 1
        while at >= 0 and at not in met:
            met.add(at)
            path.append(at)
            at = self._parents[at]
        path.reverse()
        self.dangling = [at for at in self.dangling if at in met]
        return path

    def branches(self) -> list[list[int]]:
        """Return the records of every branch that the path leaves out, by the branch's first record."""
        on_path = set(self.path)
        branch_of: dict[int, int] = {}
        found: dict[int, list[int]] = {}
        for at in range(len(self._lines)):
            if at not in on_path:
                branch = branch_of[at] = branch_of.get(self._parents[at], at)
                found.setdefault(branch, []).append(at)
        return list(found.values())
