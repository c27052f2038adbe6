"""Which tool calls does each call of a transcript make, what are they about, and what do they name?"""

from __future__ import annotations

from collections.abc import Iterator

from windowkeeper_cli.formats.families import OTHER, family
from windowkeeper_cli.model.block import ToolCall
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.rules.identifiers import Identifier

WRITE, EDIT, SHELL = "write", "edit", "shell"
_NAMING = frozenset({SHELL, EDIT, OTHER.name})
"""Families whose resource is not only looked at: the names in it are used like any other."""


class ToolUse(NamedTuple):
    """One tool call: made by request number `call` in the message at `at`, answered at `answer` (-1: not)."""

    call: int
    at: int
    id: str
    tool: str
    family: str
    resource: str | None
    args: str
    answer: int

    @property
    def about(self) -> tuple[str, str]:
        """Return what tells calls on one thing: the tool family (a tool that has none: itself), the resource."""
        return (self.tool if self.family == OTHER.name else self.family), self.resource or ""

    def looks_at(self, name: str) -> bool:
        """Return whether a name belongs to what the call looks at or writes whole.

        That is a first look, a search with a new pattern, a writing, or else a re-read.
        """
        return self.family not in _NAMING and self.resource is not None and name in self.resource

    def is_on(self, one: Identifier) -> bool:
        """Return whether an identifier is the path that the call is about."""
        return one.is_path and self.resource is not None and one.name == self.resource.removeprefix("./")

    @property
    def by(self) -> int:
        """Return the item that shows the use: the result, or the message where nothing answered."""
        return self.answer if self.answer >= 0 else self.at


def tool_uses(transcript: Transcript) -> Iterator[ToolUse]:
    """Yield the tool calls of all recorded calls, in order."""
    items = transcript.items
    for call in transcript.calls:
        if call.at >= len(items):
            continue
        resources = {ref.id: ref.resource for ref in items[call.at].calls}
        for block in transcript.blocks(call.at) if resources else ():
            if isinstance(block, ToolCall):
                answer = transcript.pairs.get((call.at, block.id), -1)
                kind = family(block.name).name
                yield ToolUse(
                    call.number, call.at, block.id, block.name, kind, resources.get(block.id), block.args, answer
                )
