"""Which of many identifiers does a text hold? Looked up by the rarest word of each, then letter by letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from windowkeeper_cli.rules.identifiers import Identifier, stands_in

_BREAKS = bytes(code if code >= 0x80 or chr(code).isalnum() or chr(code) in "_." else 0x20 for code in range(256))
"""Maps every byte that ends a word to a blank; bytes beyond ASCII belong to words, and a dot between letters does."""
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

    def found_in(self, text: str) -> Iterator[Identifier]:
        """Yield the wanted identifiers that stand in the text, in an order that is the same at each run."""
        if not text:
            return
        hits = {WORDLESS, *self._words.intersection(_split(text))}
        for word in sorted(hits & self._by_word.keys()):
            for words, one in tuple(self._by_word[word]):
                if words <= hits and stands_in(one, text):
                    yield one

    def forget(self, one: Identifier) -> None:
        """Look for an identifier no more; asked again, it changes nothing."""
        for word in (*_words(one), WORDLESS):
            pairs = self._by_word.get(word, [])
            pairs[:] = [pair for pair in pairs if pair[1].name != one.name]


def _split(text: str) -> list[bytes]:
    """Return the words of a text; a dot belongs to a word where it stands alone between two letters."""
    body = b" %b " % text.encode("utf-8", "surrogatepass").translate(_BREAKS)
    return body.replace(b"..", b"  ").replace(b". ", b"  ").replace(b" .", b"  ").split()


def _words(identifier: Identifier) -> frozenset[bytes]:
    """Return the words of an identifier's shortest form, which every other form holds too."""
    return frozenset(_split(min(identifier.forms, key=len)))


def _by_rarest_word(wanted: Iterable[Identifier]) -> dict[bytes, list[tuple[frozenset[bytes], Identifier]]]:
    """Index identifiers by that word of theirs which the fewest others have, the longest of such."""
    pairs = [(_words(one), one) for one in wanted]
    shared = Counter(word for words, _ in pairs for word in words)
    table: dict[bytes, list[tuple[frozenset[bytes], Identifier]]] = {}
    for words, one in pairs:
        rarest = min(words, key=lambda word: (shared[word], -len(word), word), default=WORDLESS)
        table.setdefault(rarest, []).append((words, one))
    return table
