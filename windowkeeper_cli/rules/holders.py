"""Holders: which items hold the identifiers that requests name, found in one pass over the transcript."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from windowkeeper_cli.model.block import Blocks, Text, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, Item
from windowkeeper_cli.rules.identifiers import Identifier, identifiers, stands_in
from windowkeeper_cli.rules.sought import Sought, utf8

REQUEST_CHARS = 2_000
MOST_HOLDERS = 25
"""An identifier that more items than these hold points at nothing, and is looked for no further."""
_BATCH = 32
"""Items looked through together first: nearly all hold none of the identifiers."""
_FEW = 80
"""Up to so many identifiers are found faster one by one, at a fifth of a nanosecond a byte, than by all words."""
_FIGURE = frozenset("0123456789.+-eE")


class Holders:
    """An index of the identifiers of all requests, made in one pass up to the last of these.

    An identifier is looked for as far as it can matter: up to the last request that names it, and until it has more
    than 25 holders; `looked_at` counts the items looked through for at least one.
    """

    def __init__(
        self, items: Sequence[Item], blocks: Callable[[int], Blocks], pairs: dict[tuple[int, str], int]
    ) -> None:
        self._items = items
        self._blocks = blocks
        self._pairs = pairs
        self._mentions: dict[str, list[int]] = {}
        self._named: dict[str, list[int]] = {}
        self.looked_at = 0
        self._live: dict[str, Identifier] = {}
        self._until: dict[str, int] = {}
        self._asked: dict[int, tuple[str, ...]] = {}
        for at in [at for at, item in enumerate(items) if item.request]:
            names = request_names(blocks(at))
            self._live.update((one.name, one) for one in names)
            self._until.update((one.name, at) for one in names)
            self._asked[at] = tuple([one.name for one in names])
        self._ends = {name: utf8(one.forms[-1]) for name, one in self._live.items()}
        self._sought: Sought | None = None
        self._sought_for = 0
        for first in range(0, max(self._until.values(), default=0), _BATCH):
            self._read(range(first, min(first + _BATCH, len(items))))
        for named in self._named.values():
            named.sort()

    def asked_for(self, at: int) -> tuple[str, ...]:
        """Return the names of the identifiers of the request at a position, in the order of the message."""
        return self._asked.get(at, ())

    def of(self, identifier: str, before: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return results whose own call names the identifier, and items that mention it, in order, before `before`.

        That is the position of a request that names it. Where they are more than 25, they need not be all.
        """
        named, mentions = self._named.get(identifier, []), self._mentions.get(identifier, [])
        return named[: bisect_left(named, before)], mentions[: bisect_left(mentions, before)]

    def _read(self, batch: range) -> None:
        self._live = {name: one for name, one in self._live.items() if self._until[name] > batch.start}
        if not self._live:
            return
        self.looked_at += len(batch)
        texts: list[tuple[int, str]] = []
        calls: list[tuple[int, str]] = []
        for at in batch:
            blocks = self._blocks(at)
            texts.append((at, "\n".join(_texts(blocks))))
            if self._items[at].role == ASSISTANT:
                calls.extend(self._answered(at, blocks))
        touched = {*self._note(self._mentions, texts), *self._note(self._named, calls)}
        for name in touched:
            holders = {*self._mentions.get(name, ()), *(at for at in self._named.get(name, ()) if at < batch.stop)}
            if len(holders) > MOST_HOLDERS:
                del self._live[name]

    def _answered(self, at: int, blocks: Blocks) -> Iterable[tuple[int, str]]:
        """Yield the arguments of each call of a message with the position of its result."""
        for block in blocks:
            if isinstance(block, ToolCall):
                answer = self._pairs.get((at, block.id))
                if answer is not None:
                    yield answer, decoded(block.args)

    def _note(self, found: dict[str, list[int]], texts: list[tuple[int, str]]) -> Iterable[str]:
        """Note where each identifier stands in these texts; yield the names of those that do.

        The last form of an identifier is the end of its others: a text without it holds none.
        """
        pieces = [utf8(text) for _, text in texts]
        data, behind = b"\n".join(pieces), list(accumulate([len(piece) + 1 for piece in pieces]))
        for one in self._near(data):
            end = self._ends[one.name]
            holding: dict[int, None] = {}
            start = data.find(end)
            while start >= 0:
                n = bisect_right(behind, start)
                at, text = texts[n]
                if stands_in(one, text):
                    holding[at] = None
                start = data.find(end, behind[n])
            if holding:
                found.setdefault(one.name, []).extend(holding)
                yield one.name

    def _near(self, data: bytes) -> Iterable[Identifier]:
        """Return the identifiers that may stand in one of the texts joined in these bytes."""
        if len(self._live) <= _FEW:
            return self._live.values()
        if self._sought is None or len(self._live) < self._sought_for // 2:
            self._sought = Sought(self._live.values())
            self._sought_for = len(self._live)
        return [one for one in self._sought.may_be_in(data) if one.name in self._live]


def request_names(blocks: Blocks) -> tuple[Identifier, ...]:
    """Return the identifiers of a request; a message over 2,000 characters is pasted matter and gives none."""
    text = "\n".join(block.text for block in blocks if isinstance(block, Text))
    return identifiers(text) if len(text) <= REQUEST_CHARS else ()


def decoded(args: str) -> str:
    """Return the strings of an argument text, JSON escapes resolved; the text itself where it is no JSON."""
    if "\\" not in args:
        return args
    try:
        return "\n".join(_strings(json.loads(args)))
    except (ValueError, RecursionError):
        return args


def _strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
    else:
        yield str(value)


def _texts(blocks: Blocks) -> Iterable[str]:
    for block in blocks:
        if isinstance(block, Text):
            yield block.text
        elif isinstance(block, ToolResult):
            yield from (part.text for part in block.content if isinstance(part, Text))
