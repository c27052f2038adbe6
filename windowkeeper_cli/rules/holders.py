"""Holders: which items hold the identifiers that requests name, found in one pass over the transcript."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from windowkeeper_cli.model.block import Blocks, Text, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, Item
from windowkeeper_cli.rules.identifiers import Identifier, identifiers
from windowkeeper_cli.rules.sought import Sought

REQUEST_CHARS = 2_000


class Holders:
    """An index of the identifiers of all requests; later items are there too, so that one pass is enough."""

    def __init__(
        self,
        items: Sequence[Item],
        blocks: Callable[[int], Blocks],
        pairs: dict[tuple[int, str], int],
        upto: int,
    ) -> None:
        self._items = items
        self._blocks = blocks
        self._pairs = pairs
        self._mentions: dict[str, list[int]] = {}
        self._named: dict[str, list[int]] = {}
        wanted = {one.name: one for at in range(upto) if items[at].request for one in request_names(blocks(at))}
        self._sought = Sought(wanted.values())
        if self._sought:
            for at in range(upto):
                self._read(at)
            for named in self._named.values():
                named.sort()

    def of(self, identifier: str, before: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return results whose own call names the identifier, and items that mention it, in order, before `before`."""
        named, mentions = self._named.get(identifier, []), self._mentions.get(identifier, [])
        return named[: bisect_left(named, before)], mentions[: bisect_left(mentions, before)]

    def _read(self, at: int) -> None:
        blocks = self._blocks(at)
        text = "\n".join(_texts(blocks))
        for identifier in self._sought.found_in(text):
            self._mentions.setdefault(identifier.name, []).append(at)
        if self._items[at].role == ASSISTANT:
            for block in blocks:
                if isinstance(block, ToolCall):
                    self._read_call(at, block)

    def _read_call(self, at: int, call: ToolCall) -> None:
        answer = self._pairs.get((at, call.id))
        if answer is None:
            return
        text = decoded(call.args)
        for identifier in self._sought.found_in(text):
            named = self._named.setdefault(identifier.name, [])
            if answer not in named:
                named.append(answer)


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
