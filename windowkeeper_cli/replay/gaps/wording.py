"""Does a text say what another says, word for word, whatever its marks, case and line breaks?"""

from __future__ import annotations

import re

_WORD = re.compile("[^\x00-/:-@\\[-^`{-\x7f\u2018\u2019\u201c\u201d\u2013\u2014\u2026]+")
"""Letters, digits and `_`, and everything beyond ASCII but quotation marks and dashes."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, ASCII letters in lower case; apostrophes and marks part words."""
    return tuple(_WORD.findall(text.translate(_LOWER)))


class Wording:
    """The words of one text, to be asked which sentences it says."""

    def __init__(self, text: str) -> None:
        words = words_of(text)
        self.words = frozenset(words)
        self._joined = f" {' '.join(words)} "

    def says(self, sentence: tuple[str, ...]) -> bool:
        """Return whether the words of `sentence` stand in the text, together and in order."""
        return self.words.issuperset(sentence) and f" {' '.join(sentence)} " in self._joined
