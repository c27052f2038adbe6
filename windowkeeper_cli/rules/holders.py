"""Holders: which items hold the identifiers that requests name, found in one pass over the transcript."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from windowkeeper_cli.model.block import Blocks, Text, ToolCall, ToolResult
from windowkeeper_cli.model.item import ASSISTANT, Item
from windowkeeper_cli.rules.identifiers import Identifier, identifiers, stands_in

_BREAKS = bytes(code if code >= 0x80 or chr(code).isalnum() else 0x20 for code in range(256))
"""Maps every byte that ends a word to a blank; bytes beyond ASCII belong to words."""
WORDLESS = b""
"""Indexes identifiers without a letter or digit; they are looked for in every text."""
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
        self._by_word = _by_rarest_word(wanted.values())
        self._words = frozenset(word for pairs in self._by_word.values() for words, _ in pairs for word in words)
        if self._by_word:
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
        for identifier in self._candidates(text):
            if stands_in(identifier, text):
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
        for identifier in self._candidates(text):
            if stands_in(identifier, text):
                named = self._named.setdefault(identifier.name, [])
                if answer not in named:
                    named.append(answer)

    def _candidates(self, text: str) -> Iterable[Identifier]:
        """Return the identifiers all of whose words stand in the text; only these are looked for letter by letter."""
        if not text:
            return ()
        words = text.encode("utf-8", "surrogatepass").translate(_BREAKS).split()
        hits = {WORDLESS, *self._words.intersection(words)}
        return [
            one for word in sorted(hits & self._by_word.keys()) for wanted, one in self._by_word[word] if wanted <= hits
        ]


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


def _words(identifier: Identifier) -> frozenset[bytes]:
    """Return the words of an identifier's shortest form, which every other form holds too."""
    shortest = min(identifier.forms, key=len)
    return frozenset(shortest.encode("utf-8", "surrogatepass").translate(_BREAKS).split())


def _by_rarest_word(wanted: Iterable[Identifier]) -> dict[bytes, list[tuple[frozenset[bytes], Identifier]]]:
    """Index identifiers by that word of theirs which the fewest others have, the longest of such."""
    pairs = [(_words(one), one) for one in wanted]
    shared = Counter(word for words, _ in pairs for word in words)
    table: dict[bytes, list[tuple[frozenset[bytes], Identifier]]] = {}
    for words, one in pairs:
        rarest = min(words, key=lambda word: (shared[word], -len(word), word), default=WORDLESS)
        table.setdefault(rarest, []).append((words, one))
    return table
