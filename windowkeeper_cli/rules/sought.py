"""Which of many identifiers does a text hold? Looked up by the rarest word of each, then letter by letter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from windowkeeper_cli.rules.identifiers import Identifier, stands_in

_BREAKS = bytes(code if code >= 0x80 or chr(code).isalnum() or chr(code) in "_." else 0x20 for code in range(256))
"""Maps every byte that ends a word to a blank; bytes beyond ASCII belong to words, as a dot inside one does."""
_WORD = re.compile(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*")
WORDLESS = b""
"""Indexes identifiers without a letter or digit; they are looked for in every text."""
Entry = tuple[frozenset[bytes], Identifier]


class Sought:
    """An index of the identifiers that are wanted, each asked for under its name once.

    With `by_word` a name of one word that is no path is found wherever that word stands: behind a -, / or :: too.
    """

    def __init__(self, wanted: Iterable[Identifier], *, by_word: bool = False) -> None:
        known = list(wanted)
        self._alone = {one.name.encode("ascii"): one for one in known if by_word and _is_word(one)}
        self._by_word = _by_rarest_word(one for one in known if not (by_word and _is_word(one)))
        words = {word for entries in self._by_word.values() for found, _ in entries for word in found}
        self._words = frozenset({*self._alone, *words})
        self._heads = {*self._alone, *self._by_word} - {WORDLESS}

    def __bool__(self) -> bool:
        """Return whether anything is wanted."""
        return bool(self._words) or WORDLESS in self._by_word

    def found_in(self, text: str) -> Iterator[Identifier]:
        """Yield the wanted identifiers that stand in the text, in an order that is the same at each run."""
        for sure, one in self._hits(utf8(text)):
            if sure or stands_in(one, text):
                yield one

    def may_be_in(self, data: bytes) -> Iterator[Identifier]:
        """Yield the wanted identifiers all of whose words stand in a text, given in UTF-8; it holds no other."""
        for _, one in self._hits(data):
            yield one

    def _hits(self, data: bytes) -> Iterator[tuple[bool, Identifier]]:
        if not data:
            return
        hits = self._words.intersection(_split(data))
        for word in sorted(hits & self._heads):
            alone = self._alone.get(word)
            if alone is not None:
                yield True, alone
            for words, one in self._by_word.get(word, ()):
                if words <= hits:
                    yield False, one
        for _, one in self._by_word.get(WORDLESS, ()):
            yield False, one

    def forget(self, one: Identifier) -> None:
        """Look for an identifier no more; asked again, it changes nothing."""
        own = utf8(one.name)
        if self._alone.get(own) == one:
            del self._alone[own]
            if own not in self._by_word:
                self._heads.discard(own)
            return
        for word in (*_words(one), WORDLESS):
            if word in self._by_word:
                self._by_word[word] = [entry for entry in self._by_word[word] if entry[1] != one]
                if not self._by_word[word]:
                    del self._by_word[word]
                    if word not in self._alone:
                        self._heads.discard(word)


def holds(one: Identifier, text: str) -> bool:
    """Return whether a text has an identifier, as `Sought` finds it by word."""
    return stands_in(one, text) or (_is_word(one) and one.name.encode("ascii") in _split(utf8(text)))


def is_word(name: str) -> bool:
    """Return whether a name is one word, as `Sought` takes texts apart."""
    return _WORD.fullmatch(name) is not None


def _is_word(one: Identifier) -> bool:
    return not one.is_path and is_word(one.name)


def utf8(text: str) -> bytes:
    """Return a text as it is searched: in UTF-8, lone surrogates as any other character."""
    return text.encode("utf-8", "surrogatepass")


def _split(data: bytes) -> list[bytes]:
    """Return the words of a text in UTF-8; a dot belongs to one where it stands alone between two letters."""
    body = b" %b " % data.translate(_BREAKS)
    return body.replace(b"..", b"  ").replace(b". ", b"  ").replace(b" .", b"  ").split()


def _words(identifier: Identifier) -> frozenset[bytes]:
    """Return the words of an identifier's shortest form, which every other form holds too."""
    return frozenset(_split(utf8(min(identifier.forms, key=len))))


def _by_rarest_word(wanted: Iterable[Identifier]) -> dict[bytes, list[Entry]]:
    """Index identifiers by that word of theirs which the fewest others have, the longest of such."""
    entries = [(_words(one), one) for one in wanted]
    shared = Counter(word for words, _ in entries for word in words)
    table: dict[bytes, list[Entry]] = {}
    for words, one in entries:
        rarest = min(words, key=lambda word: (shared[word], -len(word), word), default=WORDLESS)
        table.setdefault(rarest, []).append((words, one))
    return table
