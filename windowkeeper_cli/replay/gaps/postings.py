"""Who gives, calls for or says each name that a transcript's calls use? Found in one pass over the items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from windowkeeper_cli.model.block import Blocks, Text, Think, ToolCall, texts_of
from windowkeeper_cli.model.item import ASSISTANT
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.rules.holders import decoded
from windowkeeper_cli.rules.identifiers import Identifier
from windowkeeper_cli.rules.sought import Sought

MOST_HOLDERS = 25
"""Items that may hold a name before it points at nothing (spec/4); later ones are not noted."""


class Posting(NamedTuple):
    """Positions in order: items of others that have the name in their text, results whose own call names it, and
    messages of the model that have it in their text, thoughts or arguments."""

    given: list[int]
    called: list[int]
    said: list[int]

    def holders(self, before: int) -> list[int]:
        """Return all but the model's messages, before a position, in order."""
        return sorted({at for at in (*self.given, *self.called) if at < before})

    def everywhere(self, before: int) -> list[int]:
        """Return every item that holds the name before a position, in order."""
        return sorted({at for at in (*self.given, *self.called, *self.said) if at < before})

    def is_full(self) -> bool:
        """Return whether so many items hold the name that no more need be noted."""
        return len(self.given) > MOST_HOLDERS or len(self.called) > MOST_HOLDERS or len(self.said) > MOST_HOLDERS


class Postings:
    """The postings of all names that are wanted; a name that nothing holds has an empty one."""

    def __init__(self, transcript: Transcript, wanted: Iterable[Identifier]) -> None:
        self._transcript = transcript
        self._found: dict[str, Posting] = {}
        self._full: set[str] = set()
        sought = Sought(wanted)
        if sought:
            for item in transcript.items:
                self._read(item.at, item.role == ASSISTANT, sought)
            for posting in self._found.values():
                posting.called.sort()

    def of(self, name: str) -> Posting:
        """Return who holds a name."""
        return self._found.get(name) or Posting([], [], [])

    def _read(self, at: int, is_model: bool, sought: Sought) -> None:
        blocks = self._transcript.blocks(at)
        if not is_model:
            for name in self._names("\n".join(texts_of(blocks)), sought):
                self._posting(name).given.append(at)
            return
        said = self._names("\n".join(_spoken(blocks)), sought)
        for block in blocks:
            if isinstance(block, ToolCall):
                answer = self._transcript.pairs.get((at, block.id))
                for name in self._names(decoded(block.args), sought):
                    said.append(name)
                    if answer is not None and answer not in self._posting(name).called:
                        self._posting(name).called.append(answer)
        for name in dict.fromkeys(said):
            self._posting(name).said.append(at)

    def _names(self, text: str, sought: Sought) -> list[str]:
        return [one.name for one in sought.found_in(text, self._full)]

    def _posting(self, name: str) -> Posting:
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = Posting([], [], [])
        elif found.is_full():
            self._full.add(name)
        return found


def _spoken(blocks: Blocks) -> Sequence[str]:
    return [block.text for block in blocks if isinstance(block, Text | Think)]
