"""Who gives, calls for or says each name that a transcript's calls use? Found in one pass over the items."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from windowkeeper_cli.model.block import Blocks, Text, Think, ToolCall, texts_of
from windowkeeper_cli.model.item import ASSISTANT
from windowkeeper_cli.model.transcript import Transcript
from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.rules.holders import decoded
from windowkeeper_cli.rules.identifiers import Identifier
from windowkeeper_cli.rules.sought import Sought

MOST_HOLDERS = 25
"""Items that may hold a name before it points at nothing (spec/4); later ones are not noted."""


NEWEST = 100
"""Holders that are asked whether they still name something; what is older left before them, as a rule."""


class Posting:
    """Who holds a name, by position, in order.

    `given` are items of others that have it in their text, `called` results whose own call names it, `said` messages
    of the model that have it in their text, thoughts or arguments. `count` is how many these are together.
    """

    __slots__ = ("called", "count", "given", "said")

    def __init__(self) -> None:
        self.given: list[int] = []
        self.called: list[int] = []
        self.said: list[int] = []
        self.count = 0

    @property
    def model_first(self) -> bool:
        """Return whether the model had the name before anything gave it."""
        return bool(self.said) and all(self.said[0] < at for at in (*self.given[:1], *self.called[:1]))

    def holders(self, before: int) -> list[int]:
        """Return all but the model's messages, before a position, in order."""
        return sorted({at for at in (*self.given, *self.called) if at < before})

    def sayers(self, before: int) -> list[int]:
        """Return the model's messages before a position, in order."""
        return self.said[: bisect_left(self.said, before)]

    def newest(self, before: int) -> Iterator[int]:
        """Yield the newest items that hold the name before a position, kind by kind, `NEWEST` of each at most."""
        for where in (self.said, self.called, self.given):
            end = bisect_left(where, before)
            yield from reversed(where[max(end - NEWEST, 0) : end])

    def everywhere(self, before: int) -> list[int]:
        """Return every item that holds the name before a position, in order."""
        return sorted([*self.holders(before), *self.sayers(before)])


Key = tuple[str, bool]
"""A name, and whether it is looked for as a path: a path of one segment may be the file name of another, too."""


class Wanted(NamedTuple):
    """A name to look for in the items before position `before`.

    Of a file's name who had it first does not matter; of what is `looked_at` again, every item that names it is noted.
    """

    one: Identifier
    before: int
    is_file: bool
    looked_at: bool = False


class Postings:
    """The postings of all names that are wanted; a name that nothing holds has an empty one.

    What is noted of a name ends where it can be no need any more: at its last use, after `MOST_HOLDERS`, and where
    the model had it first.
    """

    def __init__(self, transcript: Transcript, wanted: Iterable[Wanted]) -> None:
        self._transcript = transcript
        self._found: dict[Key, Posting] = {}
        waiting = sorted(wanted, key=lambda name: (-name.before, name.one.name))
        self._files = frozenset(key_of(name.one) for name in waiting if name.is_file or name.looked_at)
        self._looked_at = frozenset(key_of(name.one) for name in waiting if name.looked_at)
        self._sought = Sought((name.one for name in waiting), by_word=True)
        for item in transcript.items:
            while waiting and waiting[-1].before <= item.at:
                self._sought.forget(waiting.pop().one)
            if waiting:
                self._read(item.at, is_model=item.role == ASSISTANT)
        for posting in self._found.values():
            posting.called.sort()

    def of(self, one: Identifier) -> Posting:
        """Return who holds a name."""
        return self._found.get(key_of(one)) or Posting()

    def _read(self, at: int, *, is_model: bool) -> None:
        blocks = self._transcript.blocks(at)
        if is_model:
            self._read_message(at, blocks)
        else:
            for one in self._sought.found_in("\n".join(texts_of(blocks))):
                self._note(one, self._posting(one).given, at)

    def _read_message(self, at: int, blocks: Blocks) -> None:
        said = {key_of(one): one for one in self._sought.found_in(_spoken(blocks))}
        called: list[tuple[Identifier, int]] = []
        for block in blocks:
            if isinstance(block, ToolCall):
                answer = self._transcript.pairs.get((at, block.id))
                for one in self._sought.found_in(decoded(block.args)):
                    said[key_of(one)] = one
                    called += [] if answer is None else [(one, answer)]
        for one in said.values():
            self._note(one, self._posting(one).said, at)
        for one, answer in called:
            where = self._posting(one).called
            if answer not in where:
                self._note(one, where, answer)

    def _posting(self, one: Identifier) -> Posting:
        found = self._found.get(key_of(one))
        if found is None:
            found = self._found[key_of(one)] = Posting()
        return found

    def _note(self, one: Identifier, where: list[int], at: int) -> None:
        found = self._found[key_of(one)]
        begins = not found.count
        where.append(at)
        found.count += where is not found.given or at not in found.called
        if begins:
            if where is found.said and key_of(one) not in self._files:
                self._sought.forget(one)
        elif found.count > MOST_HOLDERS and key_of(one) not in self._looked_at:
            self._sought.forget(one)


def key_of(one: Identifier) -> Key:
    """Return what an identifier's posting is filed under."""
    return one.name, one.is_path


def _spoken(blocks: Blocks) -> str:
    return "\n".join(block.text for block in blocks if isinstance(block, Text | Think))
