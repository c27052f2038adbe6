"""Where does a name first appear, in whatever form it is written: whole, by its file, or by its parts?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from windowkeeper_cli.model.value import NamedTuple
from windowkeeper_cli.replay.gaps.arguments import is_plain
from windowkeeper_cli.replay.gaps.file_name import file_name
from windowkeeper_cli.rules.identifiers import Identifier
from windowkeeper_cli.rules.sought import Sought

_EXTENSIONS = """
    bat c cc cfg conf cpp cs css csv diff env eval go gz h hpp html ini ipynb java jpeg jpg js json json5 jsonl jsx kt
    less lock log lua md mdx mjs mod mp3 mp4 patch pdf php pkl png proto ps1 py pyi rb rs rst scss sh sql sum svelte
    svg swift tar tf toml traj ts tsx txt vue wav webp xml yaml yml zip zig zsh
"""
EXTENSIONS = frozenset(_EXTENSIONS.split())
"""Endings of file names; what has another one, such as `m.includes`, is read as a name with parts."""
_TEMPLATE = re.compile(r"[<>*\[\]{}|\u2026]|\.\.\.")
_ARGUMENTS = re.compile(r"\([^()]*\)?$")
_WORD_BYTES = bytes(
    code | 0x20 if 0x41 <= code <= 0x5A else code if code >= 0x80 or chr(code).isalnum() or code == 0x5F else 0x20
    for code in range(256)
)
"""Maps letters to lower case and every byte that ends a word to a blank; `_` belongs to words."""
_ADDRESS = re.compile(r".*://|[0-9]+\.[0-9.]+(?::[0-9]+)?$")
_NO_NAME = re.compile(r"(?:[A-Z][a-z]+\.(?:js|io|ai)|[A-Z]+|.*\\[nrt](?:.*\\[nrt].*)?)$")
"""A product (`Three.js`), a word in capitals (`EOF`), or lines joined by escapes."""
_HASH = re.compile(b"[0-9a-f]{7,64}$")
_SHORT_HASH = 7
_PART = re.compile("[^\x00-/:-@\\[-^`{-\x7f]+")
_LETTERS = re.compile("[A-Za-z_\x80-\uffff]")


class Name(NamedTuple):
    """A name as it was written, and what has to stand for it: the identifier, or its `file`, or all of its `parts`.

    A file has no parts: `src/input.py` does not stand where `input` and `py` do.
    """

    name: str
    one: Identifier
    file: Identifier | None
    parts: frozenset[bytes]


@lru_cache(4096)
def names_of(one: Identifier) -> tuple[Name, ...]:
    """Return what an identifier has to be looked for as: both sides of an assignment, a call without its arguments.

    Patterns, numbers and lists of plain words (`find/replace`) are names of nothing, and give none.
    """
    found: list[Name] = []
    for written in one.name.split("=") if "://" not in one.name.partition("=")[0] else (one.name,):
        name = _ARGUMENTS.sub("", written).strip("\"'`")
        if len(name) < 3 or _TEMPLATE.search(name) or _NO_NAME.match(name):
            continue
        same = one if name == one.name else Identifier(name, (name,), "/" in name and "://" not in name)
        if _is_file(name):
            found.append(Name(name, same, file_name(same), frozenset()))
        elif parts := _telling(name):
            found.append(Name(name, same, None, parts))
    return tuple(found)


class Appearances:
    """The first place at which each of many names, and each of their parts, stands; texts are read once, in order."""

    def __init__(self, wanted: Iterable[Name]) -> None:
        names = tuple(wanted)
        sought = {one.name: one for name in names for one in (name.one, name.file) if one is not None}
        self._sought = Sought(sought.values())
        self._parts = frozenset(part for name in names for part in name.parts)
        self._hashes = frozenset(part[:_SHORT_HASH] for part in self._parts if _is_hash(part))
        self._first: dict[str, int] = {}
        self._first_part: dict[bytes, int] = {}

    def read(self, text: str, at: int) -> None:
        """Note what stands in the text of place `at`; places come in order."""
        for one in list(self._sought.found_in(text)):
            self._first[one.name] = at
            self._sought.forget(one)
        if not self._parts:
            return
        words = frozenset(_words_in(text))
        for part in self._parts & words:
            self._first_part.setdefault(part, at)
        for word in words if self._hashes else ():
            if word[:_SHORT_HASH] in self._hashes and _is_hash(word):
                self._first_part.setdefault(word[:_SHORT_HASH], at)

    def before(self, name: Name, at: int) -> bool:
        """Return whether a name stands, in any of its forms, at a place before `at`."""
        if self._first.get(name.name, at) < at:
            return True
        if name.file is not None:
            return self._first.get(name.file.name, at) < at
        return bool(name.parts) and all(self._stood(part, at) for part in name.parts)

    def _stood(self, part: bytes, at: int) -> bool:
        known = self._first_part.get(part)
        if known is None and _is_hash(part):
            known = self._first_part.get(part[:_SHORT_HASH])
        return known is not None and known < at


def _words_in(text: str) -> list[bytes]:
    """Return the words of a text in lower case: letters, digits, `_` and everything beyond ASCII."""
    return text.encode("utf-8", "surrogatepass").translate(_WORD_BYTES).split()


def _is_file(name: str) -> bool:
    stem, dot, ending = name.rpartition(".")
    return bool(dot and stem) and "://" not in name and ending in EXTENSIONS


def _telling(name: str) -> frozenset[bytes]:
    """Return the parts that have to stand: of an address every one, else those that are neither plain nor counts.

    A count has one letter at the most; a hash may have but one.
    """
    parts = _PART.findall(name)
    if not _ADDRESS.match(name):
        parts = [part for part in parts if not is_plain(part) and _has_letters(part)]
    return frozenset(word for part in parts for word in _words_in(part))


def _has_letters(part: str) -> bool:
    return len(_LETTERS.findall(part)) >= (1 if _is_hash(part.encode("utf-8", "surrogatepass")) else 2)


def _is_hash(word: bytes) -> bool:
    return len(word) >= _SHORT_HASH and _HASH.match(word) is not None
