"""Which of many identifiers does a text hold? Looked up by the rarest word of each, then letter by letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator

from windowkeeper_cli.rules.identifiers import Identifier, stands_in

_BREAKS = bytes(code if code >= 0x80 or chr(code).isalnum() else 0x20 for code in range(256))
"""Maps every byte that ends a word to a blank; bytes beyond ASCII belong to words."""
WORDLESS = b""
"""Indexes identifiers without a letter or digit; they are looked for in every text."""


class Sought:
    """An index of the identifiers that are wanted, each asked for under its name once."""

    def __init__(self, wanted: Iterable[Identifier]) -> None:
        self._by_word = _by_rarest_word(wanted)
        self._words = frozenset(word for pairs in self._by_word.values() for words, _ in pairs for word in words)

    def __bool__(self) -> bool:
        """Return whether anything is wanted."""
        return bool(self._by_word)

    def found_in(self, text: str, passed: Container[str] = ()) -> Iterator[Identifier]:
        """Yield the wanted identifiers in the text but for those `passed` by name; the same order at each run."""
        for one in self._candidates(text):
            if one.name not in passed and stands_in(one, text):
                yield one

    def _candidates(self, text: str) -> Iterable[Identifier]:
        """Return the identifiers all of whose words stand in the text; only these are looked for letter by letter."""
        if not text:
            return ()
        words = text.encode("utf-8", "surrogatepass").translate(_BREAKS).split()
        hits = {WORDLESS, *self._words.intersection(words)}
        return [
            one for word in sorted(hits & self._by_word.keys()) for wanted, one in self._by_word[word] if wanted <= hits
        ]


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
