"""Which result in a window answers which call, and under which id are both sent?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from windowkeeper_cli.formats.writers.demands import Demands
from windowkeeper_cli.formats.writers.losses import Losses
from windowkeeper_cli.model.block import ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, TOOL, Item
from windowkeeper_cli.model.sent import Sent
from windowkeeper_cli.model.value import NamedTuple

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


class Asked(NamedTuple):
    """A call: the index of its part in the window, its place among the part's blocks, and its id as it is sent."""

    part: int
    block: int
    id: str


class Answers:
    """Pairs the results of a window with its calls as the transcript pairs them.

    `calls` are the calls by the index of their part, `results` by that of the result.
    """

    def __init__(self, parts: Sequence[Sent], items: Sequence[Item], demands: Demands, losses: Losses) -> None:
        self.calls: dict[int, list[Asked]] = {}
        self.results: dict[int, Asked] = {}
        self._open: dict[tuple[int, str], list[Asked]] = {}
        self._ids = _Ids(demands, losses)
        for index, part in enumerate(parts):
            if part.role == ASSISTANT:
                self._ask(index, part)
            elif part.role == TOOL and part.at is not None:
                self._answer(index, part, items[part.at])

    def unanswered(self, index: int) -> list[Asked]:
        """Return the calls of a part that no result in the window answers."""
        answered = set(self.results.values())
        return [asked for asked in self.calls.get(index, ()) if asked not in answered]

    def _ask(self, index: int, part: Sent) -> None:
        self._ids.begin()
        for n, block in enumerate(part.blocks):
            if isinstance(block, ToolCall):
                asked = Asked(index, n, self._ids.sent_as(block.id))
                self.calls.setdefault(index, []).append(asked)
                if part.at is not None:
                    self._open.setdefault((part.at, block.id), []).append(asked)

    def _answer(self, index: int, part: Sent, item: Item) -> None:
        block = part.blocks[0] if part.blocks else None
        waiting = self._open.get((item.answers, block.id)) if isinstance(block, ToolResult) else None
        if waiting:
            self.results[index] = waiting.pop(0)


class _Ids:
    """Gives calls ids that a provider takes: their own wherever it does."""

    def __init__(self, demands: Demands, losses: Losses) -> None:
        self._demands = demands
        self._losses = losses
        self._used: set[str] = set()

    def begin(self) -> None:
        """Begin the next message."""
        if not self._demands.one_id:
            self._used.clear()

    def sent_as(self, own: str) -> str:
        """Return the id that a call is sent under."""
        legal = self._legal(own)
        if legal != own:
            self._losses.add("ids of tool calls that the provider does not take, written in letters that it does")
        sent, number = legal, 1
        while sent in self._used:
            number += 1
            sent = self._cut(legal, f"-{number}")
        if number > 1:
            self._losses.add("ids that name two tool calls, told apart by a number")
        self._used.add(sent)
        return sent

    def _legal(self, own: str) -> str:
        letters = self._demands.id_letters
        if letters is not None:
            allowed: Iterable[str] = _LETTERS.union(letters)
            own = "".join([letter if letter in allowed else "_" for letter in own]) or "call"
        return self._cut(own, "")

    def _cut(self, text: str, end: str) -> str:
        most = self._demands.id_length
        return (text if most is None else text[: most - len(end)]) + end
