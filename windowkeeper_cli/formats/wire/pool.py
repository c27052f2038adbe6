"""Which messages of a wire log are the same? Every request repeats the others' messages; each is kept once."""

from __future__ import annotations

from typing import Any

from windowkeeper_cli.formats.entry import Entry
from windowkeeper_cli.model.block import Blocks, Other, Text, ToolCall
from windowkeeper_cli.model.item import ASSISTANT

_BLANKS = " \t\r\n"
TELLING = 60
"""Characters of a line that no two texts share by chance."""
Loose = tuple[str, tuple[tuple[str, str], ...]]


class Pool:
    """Numbers messages by role and content; the entry of the first appearance stands for all."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._known: dict[tuple[str, Blocks], int] = {}
        self._loose: dict[int, Loose | None] = {}
        self._telling: dict[int, list[str]] = {}
        self._over: set[int] = set()
        self._same: dict[int, int] = {}

    def number(self, entry: Entry) -> int:
        """Return the number of a message, the same for the same role and content."""
        same = self._same.get(id(entry))
        if same is not None and self.entries[same] is entry:
            # A chain of responses gives the very messages that stand here already, call after call.
            return same
        found = self._known.setdefault((entry.role, entry.blocks), len(self.entries))
        if found == len(self.entries):
            self.entries.append(entry)
            self._same[id(entry)] = found
            if any(_is_compaction(block) for block in entry.blocks):
                self._over.add(found)
        return found

    def loose(self, number: int) -> Loose | None:
        """Return what is left of an assistant message when it is sent back: its text and calls, blanks aside."""
        if number not in self._loose:
            self._loose[number] = _loose(self.entries[number])
        return self._loose[number]

    def sign(self, number: int) -> Loose | None:
        """Return what a reply is known by in a later request: its calls, else its text."""
        loose = self.loose(number)
        return ("", loose[1]) if loose is not None and loose[1] else loose

    def text(self, number: int) -> str:
        """Return the plain text of a message."""
        return "\n".join(block.text for block in self.entries[number].blocks if isinstance(block, Text))

    def telling(self, number: int) -> list[str]:
        """Return the last lines of a message that no other text has by chance."""
        if number not in self._telling:
            lines = (line.strip(_BLANKS) for line in self.text(number).split("\n"))
            self._telling[number] = [line for line in lines if len(line) >= TELLING][-3:]
        return self._telling[number]

    @property
    def folds(self) -> bool:
        """Return whether any message holds a compaction by the server."""
        return bool(self._over)

    def starts_over(self, number: int) -> bool:
        """Return whether a message holds a compaction by the server: what stands before it is not read."""
        return number in self._over


def _loose(entry: Entry) -> Loose | None:
    if entry.role != ASSISTANT:
        return None
    texts = "".join(block.text for block in entry.blocks if isinstance(block, Text)).strip(_BLANKS)
    calls = tuple((block.id, block.name) for block in entry.blocks if isinstance(block, ToolCall))
    return (texts, calls) if texts or calls else None


def _is_compaction(block: Any) -> bool:
    if not isinstance(block, Other) or not block.kind.startswith("compaction"):
        return False
    return '"content":"' in block.json or '"encrypted_content":"' in block.json
